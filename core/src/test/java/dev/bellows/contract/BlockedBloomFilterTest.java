package dev.bellows.contract;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;

class BlockedBloomFilterTest extends BloomFilterContract {
  @Override
  BloomFilter create(HashScheme scheme) {
    return BloomFilter.builder().keys(4000).fpp(0.01).hashScheme(scheme).build();
  }
}
