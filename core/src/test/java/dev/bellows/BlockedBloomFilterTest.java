package dev.bellows;

import dev.bellows.contract.BloomFilterContract;

class BlockedBloomFilterTest extends BloomFilterContract {
  @Override
  protected BloomFilter create(HashScheme scheme) {
    return BloomFilter.builder().bits(512 * 84).hashes(6).hashScheme(scheme).build();
  }
}
