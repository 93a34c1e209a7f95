package dev.bellows.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.math.Divisors;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Counters that are folded a word at a time are those that are added one by one. */
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
        boolean isFast = cells < size && FoldedWords.sums(packed(store), size, cells) != null;
        fast += isFast ? 1 : 0;
      }
    }
    assertThat(fast).isGreaterThan(500);
  }

  private static dev.bellows.internal.bits.PackedCounters packed(CounterStore store) {
    return new dev.bellows.internal.bits.PackedCounters(store.width(), store.words());
  }
}
