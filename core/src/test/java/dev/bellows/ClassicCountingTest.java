package dev.bellows;

import dev.bellows.contract.CountingContract;

class ClassicCountingTest extends CountingContract {
  @Override
  protected Layout layout() {
    return Layout.CLASSIC;
  }
}
