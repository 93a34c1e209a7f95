package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.math.BinomialInterval;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sizes beyond 2^32 bits, where an int would have wrapped. */
class LargeFilterTest {
  private static final long FIVE_BILLION = 512L * 9_765_625;

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void fiveBillionBitsReachTheirEnd(Layout.Family layout) {
    BloomFilter filter = BloomFilter.builder().bits(FIVE_BILLION).hashes(8).layout(layout).build();
    int keys = 200_000;
    for (long key = 0; key < keys; key++) {
      filter.put(key);
    }
    Positions positions = Positions.of(layout.withHashes(8), FIVE_BILLION);
    HeapBits store = positions.newStore();
    long end = FIVE_BILLION - FIVE_BILLION / 100;
    int nearTheEnd = 0;
    for (long key = 0; key < keys; key++) {
      assertThat(filter.mightContain(key)).isTrue();
      long hash = filter.hashScheme().hash(key);
      positions.set(store, hash);
      long first = positions.at(hash, positions.step(positions.begin(hash), 0), 0);
      nearTheEnd += first >= end ? 1 : 0;
    }
    assertThat(BinomialInterval.of(nearTheEnd, keys, Rates.ALPHA).contains(0.01)).isTrue();
    long ones = 0;
    for (long word = end >>> 6; word < store.wordCount(); word++) {
      ones += Long.bitCount(store.word(word));
    }
    assertThat(ones).isGreaterThanOrEqualTo(nearTheEnd);
    Means.assertEstimate(
        filter.approximateElementCount(),
        keys,
        FIVE_BILLION,
        8,
        layout == Layout.Family.CLASSIC ? FIVE_BILLION : 512);
    long absent = Rates.count(1_000_000, i -> filter.mightContain(-1 - i));
    assertThat(absent).isZero();
    BloomFilter folded = filter.foldBy(5);
    assertThat(folded.bits()).isEqualTo(FIVE_BILLION / 5);
    for (long key = 0; key < keys; key += 7) {
      assertThat(folded.mightContain(key)).isTrue();
    }
  }
}
