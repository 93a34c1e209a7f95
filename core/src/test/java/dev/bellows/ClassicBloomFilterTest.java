package dev.bellows;

import dev.bellows.contract.BloomFilterContract;

class ClassicBloomFilterTest extends BloomFilterContract {
  @Override
  protected BloomFilter create(HashScheme scheme) {
    return BloomFilter.builder()
        .keys(4000)
        .fpp(0.01)
        .layout(Layout.Family.CLASSIC)
        .hashScheme(scheme)
        .build();
  }
}
