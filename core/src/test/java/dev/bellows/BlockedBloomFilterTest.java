package dev.bellows;

import dev.bellows.contract.BloomFilterContract;

class BlockedBloomFilterTest extends BloomFilterContract {
  @Override
  protected BloomFilter create(HashScheme scheme) {
    return BloomFilter.builder().keys(4000).fpp(0.01).hashScheme(scheme).build();
  }
}
