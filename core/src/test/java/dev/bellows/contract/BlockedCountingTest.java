package dev.bellows.contract;

import dev.bellows.plan.Layout;

class BlockedCountingTest extends CountingContract {
  @Override
  Layout layout() {
    return Layout.BLOCKED;
  }
}
