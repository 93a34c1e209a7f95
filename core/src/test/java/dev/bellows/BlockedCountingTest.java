package dev.bellows;

import dev.bellows.contract.CountingContract;

class BlockedCountingTest extends CountingContract {
  @Override
  protected Layout.Family layout() {
    return Layout.Family.BLOCKED;
  }
}
