package dev.bellows;

import dev.bellows.contract.BloomFilterContract;

class FourWordsBloomFilterTest extends BloomFilterContract {
  @Override
  protected BloomFilter create(HashScheme scheme) {
    return BloomFilter.builder().bits(512 * 240).hashes(12).hashScheme(scheme).build();
  }
}
