package dev.bellows;

import dev.bellows.contract.CountingContract;

/** A size whose counters end inside a word. */
class OddSizedCountingTest extends CountingContract {
  @Override
  protected Layout.Family layout() {
    return Layout.Family.CLASSIC;
  }

  @Override
  protected CountingBloomFilter create(HashScheme scheme) {
    return builder().bits(27_720 * 3).hashes(5).hashScheme(scheme).build();
  }
}
