package dev.bellows.contract;

import dev.bellows.CountingBloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.plan.Layout;

/** A size whose counters end inside a word. */
class OddSizedCountingTest extends CountingContract {
  @Override
  Layout layout() {
    return Layout.CLASSIC;
  }

  @Override
  CountingBloomFilter create(HashScheme scheme) {
    return builder().bits(27_720 * 3).hashes(5).hashScheme(scheme).build();
  }
}
