package dev.bellows;

import dev.bellows.contract.CountingContract;

class BlockedCountingTest extends CountingContract {
  @Override
  protected Layout layout() {
    return Layout.BLOCKED;
  }
}
