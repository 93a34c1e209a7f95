package dev.bellows;

import dev.bellows.contract.BloomFilterContract;

/** A size that is not a multiple of 64 takes the bit path. */
class OddSizedBloomFilterTest extends BloomFilterContract {
  @Override
  protected BloomFilter create(HashScheme scheme) {
    return BloomFilter.builder()
        .bits(27_720 * 3)
        .hashes(5)
        .layout(Layout.Family.CLASSIC)
        .hashScheme(scheme)
        .build();
  }
}
