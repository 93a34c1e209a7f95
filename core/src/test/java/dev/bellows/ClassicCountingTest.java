package dev.bellows;

import dev.bellows.contract.CountingContract;

class ClassicCountingTest extends CountingContract {
  @Override
  protected Layout.Family layout() {
    return Layout.Family.CLASSIC;
  }
}
