package dev.bellows.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.math.Divisors;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Folding counters a word at a time equals adding them one by one. */
class FoldedWordsTest {
  @Test
  void sumsOfWordsAreSumsOfCounters() {
    SplittableRandom random = new SplittableRandom(11);
    long fast = 0;
    for (int round = 0; round < 400; round++) {
      int width = new int[] {4, 4, 8, 16, 32}[random.nextInt(5)];
      boolean widens = random.nextBoolean();
      long size = round % 3 == 0 ? 512L * (1 + random.nextInt(40)) : 1 + random.nextInt(9000);
      CounterStore store = new CounterStore(size, width, widens);
      int most = new int[] {1, 2, 14, 300}[random.nextInt(4)];
      long puts = random.nextInt((int) Math.min(size, 800));
      for (long i = 0; i < puts; i++) {
        store.add(random.nextLong(size), 1 + random.nextInt(most));
      }
      long[] all = new long[20];
      Arrays.fill(all, -1);
      for (long cells : Divisors.of(size)) {
        CounterStore expected = new CounterStore(cells, store.width(), widens);
        expected.addAll(store);
        CounterStore folded = store.foldedTo(cells);
        assertThat(folded).isEqualTo(expected);
        assertThat(folded.width()).isEqualTo(expected.width());
        assertThat(folded.occupied()).isEqualTo(expected.above(0).ones());
        for (long i = 0; i < cells; i++) {
          assertThat(folded.above(0).isSet(i)).isEqualTo(expected.get(i) > 0);
          if (cells > 300) {
            break;
          }
        }
        boolean isFast = cells < size && FoldedWords.sums(packed(store), size, cells, all) != null;
        fast += isFast ? 1 : 0;
      }
    }
    assertThat(fast).isGreaterThan(500);
  }

  /**
   * Foldings skip regions that are not marked, and estimates read a count that is kept: both must
   * be right after any sequence of changes.
   */
  @Test
  void foldingsAndCountsFollowEveryChange() {
    SplittableRandom random = new SplittableRandom(12);
    for (Layout layout : List.of(new Layout.Classic(6), new Layout.Blocked(2, 3))) {
      Positions positions = new Shape(layout, 512 * 360, HashScheme.xxh3(3)).positions();
      CounterStore store = new CounterStore(512 * 360, 4, true);
      long first = 0;
      long next = 0;
      for (int round = 0; round < 40; round++) {
        long puts = random.nextInt(300);
        for (long i = 0; i < puts; i++) {
          store.put(positions, mixed(next++));
        }
        long removes = random.nextLong(next - first + 1);
        for (long i = 0; i < removes; i++) {
          assertThat(store.remove(positions, mixed(first++))).isTrue();
        }
        if (round % 7 == 3) {
          store.add(random.nextLong(store.size()), 1 + random.nextInt(20));
        }
        if (round == 30) {
          store.clear();
          first = next;
        }
        assertThat(store.occupied()).isEqualTo(store.above(0).ones());
        for (long factor : new long[] {1, 2, 5, 40, 360}) {
          long cells = store.size() / factor;
          CounterStore expected = new CounterStore(cells, 4, true);
          for (long i = 0; i < store.size(); i++) {
            expected.add(i % cells, store.get(i));
          }
          assertThat(store.foldedTo(cells)).isEqualTo(expected);
          assertThat(store.copy().foldedTo(cells)).isEqualTo(expected);
          assertThat(store.foldedTo(cells).occupied()).isEqualTo(expected.occupied());
        }
      }
    }
  }

  private static long mixed(long key) {
    return key * 0x9E3779B97F4A7C15L ^ key << 7;
  }

  private static dev.bellows.internal.bits.PackedCounters packed(CounterStore store) {
    return new dev.bellows.internal.bits.PackedCounters(store.width(), store.words());
  }
}
