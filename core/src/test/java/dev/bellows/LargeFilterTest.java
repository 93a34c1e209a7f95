package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.rates.Cells;
import dev.bellows.internal.store.HeapBits;
import dev.bellows.internal.store.Positions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sizes beyond 2^32 bits, where an int would have wrapped. */
class LargeFilterTest {
  private static final long FIVE_BILLION = 512L * 9_765_625;

  @ParameterizedTest
  @EnumSource(Layout.class)
  void fiveBillionBitsReachTheirEnd(Layout layout) {
    BloomFilter filter = BloomFilter.builder().bits(FIVE_BILLION).hashes(8).layout(layout).build();
    int keys = 200_000;
    int nearTheEnd = 0;
    for (long key = 0; key < keys; key++) {
      filter.put(key);
    }
    Positions positions = Positions.of(Cells.of(layout, 8), FIVE_BILLION);
    HeapBits store = positions.newStore();
    for (long key = 0; key < keys; key++) {
      assertThat(filter.mightContain(key)).isTrue();
      positions.set(store, filter.hashScheme().hash(key));
    }
    for (long i = store.wordCount() - store.wordCount() / 100; i < store.wordCount(); i++) {
      nearTheEnd += Long.bitCount(store.word(i));
    }
    // 1.6 million bits, one in a hundred of them in the last hundredth: 16,000 +- 126
    assertThat(nearTheEnd).isBetween(15_000, 17_000);
    assertThat(filter.approximateElementCount()).isBetween(199_000L, 201_000L);
    long absent = Rates.count(1_000_000, i -> filter.mightContain(-1 - i));
    assertThat(absent).isZero();
    BloomFilter folded = filter.foldBy(5);
    assertThat(folded.bits()).isEqualTo(FIVE_BILLION / 5);
    for (long key = 0; key < keys; key += 7) {
      assertThat(folded.mightContain(key)).isTrue();
    }
  }
}
