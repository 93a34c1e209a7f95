package dev.bellows.contract;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;

class TwoPerLaneBloomFilterTest extends BloomFilterContract {
  @Override
  BloomFilter create(HashScheme scheme) {
    return BloomFilter.builder().bits(512 * 240).hashes(16).hashScheme(scheme).build();
  }
}
