package dev.bellows.papers.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DistinctBloomFilterTest {
  @Test
  void oneKeySetsAsManyBitsAsItHasHashes() {
    for (long seed = 0; seed < 50; seed++) {
      assertThat(DistinctBloomFilter.filled(40, 30, seed, 1).ones()).isEqualTo(30);
    }
  }

  @Test
  void noKeyIsMissed() {
    DistinctBloomFilter filter = DistinctBloomFilter.filled(10_000, 100, 3, 500);
    for (long key = 0; key < 500; key++) {
      assertThat(filter.mightContain(key)).isTrue();
    }
  }

  @Test
  void retouchingErasesTheShareOfTheOnesAndLeavesTheOriginal() {
    DistinctBloomFilter filter = DistinctBloomFilter.filled(10_000, 100, 3, 500);
    int ones = filter.ones();
    DistinctBloomFilter retouched = filter.retouched(0.001, 4);
    assertThat(retouched.ones()).isEqualTo(ones - Math.round(0.001 * ones));
    assertThat(filter.ones()).isEqualTo(ones);
    for (long key = -1000; key < 500; key++) {
      assertThat(retouched.mightContain(key) && !filter.mightContain(key)).isFalse();
    }
  }

  @Test
  void growingRebuildsOnlyWhenAnotherNumberOfHashesIsBetter() {
    RebuiltBloomFilter filter = new RebuiltBloomFilter(10_000, 1);
    int builds = 0;
    int hashes = 0;
    for (long keys = 50; keys <= 1000; keys += 50) {
      builds += RebuiltBloomFilter.hashesFor(10_000, keys) == hashes ? 0 : 1;
      hashes = RebuiltBloomFilter.hashesFor(10_000, keys);
      filter.growTo(keys);
      assertThat(filter.builds()).isEqualTo(builds);
      assertThat(filter.hashes()).isEqualTo(hashes);
      for (long key = 0; key < keys; key++) {
        assertThat(filter.mightContain(key)).isTrue();
      }
    }
  }
}
