package dev.bellows.contract;

import dev.bellows.plan.Layout;

class ClassicCountingTest extends CountingContract {
  @Override
  Layout layout() {
    return Layout.CLASSIC;
  }
}
