package dev.bellows;

import dev.bellows.contract.BloomFilterContract;

class EightWordsBloomFilterTest extends BloomFilterContract {
  @Override
  protected BloomFilter create(HashScheme scheme) {
    return BloomFilter.builder().bits(512 * 240).hashes(16).hashScheme(scheme).build();
  }
}
