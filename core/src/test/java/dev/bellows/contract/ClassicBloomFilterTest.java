package dev.bellows.contract;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.plan.Layout;

class ClassicBloomFilterTest extends BloomFilterContract {
  @Override
  BloomFilter create(HashScheme scheme) {
    return BloomFilter.builder()
        .keys(4000)
        .fpp(0.01)
        .layout(Layout.CLASSIC)
        .hashScheme(scheme)
        .build();
  }
}
