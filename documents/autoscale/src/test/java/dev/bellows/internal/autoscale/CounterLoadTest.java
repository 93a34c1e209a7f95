package dev.bellows.internal.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.internal.autoscale.ThresholdRates.Hits;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * The hit probabilities of both conventions, compared with an enumeration of all possible filters.
 */
class CounterLoadTest {
  private static final Offset<Double> ROUNDING = Offset.offset(1e-14);

  /** All ways in which a key may choose its positions, each equally likely. */
  private static List<int[]> choices(int bits, int hashes, boolean distinct) {
    List<int[]> all = new ArrayList<>();
    choose(new int[hashes], 0, bits, distinct, all);
    return all;
  }

  private static void choose(int[] chosen, int next, int bits, boolean distinct, List<int[]> all) {
    if (next == chosen.length) {
      all.add(chosen.clone());
      return;
    }
    for (int position = 0; position < bits; position++) {
      boolean taken = false;
      for (int i = 0; i < next; i++) {
        taken |= chosen[i] == position;
      }
      if (!taken || !distinct) {
        chosen[next] = position;
        choose(chosen, next + 1, bits, distinct, all);
      }
    }
  }

  @Test
  void everyFilterOfAFewKeysTogetherGivesTheFormulas() {
    int[][] shapes = {{3, 2, 2}, {4, 2, 3}, {3, 3, 2}, {5, 2, 2}, {4, 3, 2}, {6, 1, 4}};
    for (int[] shape : shapes) {
      for (boolean distinct : new boolean[] {true, false}) {
        compare(shape[0], shape[1], shape[2], distinct);
      }
    }
  }

  private static void compare(int bits, int hashes, int keys, boolean distinct) {
    List<int[]> choices = choices(bits, hashes, distinct);
    CounterLoad load =
        distinct
            ? CounterLoad.distinct(bits, hashes, keys)
            : CounterLoad.repeated(bits, hashes, keys);
    long filters = Math.round(Math.pow(choices.size(), keys));
    int most = keys * hashes;
    long[] storedHits = new long[most + 1];
    long[] absentHits = new long[most + 1];
    for (long number = 0; number < filters; number++) {
      int[] counts = new int[bits];
      long rest = number;
      for (int key = 0; key < keys; key++) {
        for (int position : choices.get((int) (rest % choices.size()))) {
          counts[position]++;
        }
        rest /= choices.size();
      }
      for (int theta = 0; theta <= most; theta++) {
        for (int count : counts) {
          absentHits[theta] += count > theta ? 1 : 0;
          // each increment is a position of a stored key
          storedHits[theta] += count > theta ? count : 0;
        }
      }
    }
    Hits[] all = load.hits(0, most);
    for (int theta = 0; theta <= most; theta++) {
      double stored = (double) storedHits[theta] / (most * filters);
      double absent = (double) absentHits[theta] / (bits * filters);
      for (Hits hits : List.of(all[theta], load.hits(theta))) {
        assertThat(hits.stored()).as("%s, theta %d", load, theta).isCloseTo(stored, ROUNDING);
        assertThat(hits.absent()).as("%s, theta %d", load, theta).isCloseTo(absent, ROUNDING);
        assertThat(hits.gap()).isCloseTo(stored - absent, ROUNDING);
      }
    }
    assertThat(load.mean()).isEqualTo((double) most / bits);
  }

  @Test
  void emptyCountersAreThoseOfTheTwoEquations() {
    assertThat(CounterLoad.repeated(10_000, 100, 500).hits(0).absentMiss())
        .isCloseTo(Math.exp(50_000 * Math.log1p(-1e-4)), Offset.offset(1e-15));
    assertThat(CounterLoad.distinct(10_000, 100, 500).hits(0).absentMiss())
        .isCloseTo(DistinctRates.emptyShare(10_000, 100, 500), Offset.offset(1e-15));
  }

  @Test
  void impossibleLoadsAreNamed() {
    assertThatThrownBy(() -> CounterLoad.distinct(5, 6, 1)).hasMessageContaining("6 hashes");
    assertThat(CounterLoad.repeated(5, 6, 1).trials()).isEqualTo(6);
    assertThatThrownBy(() -> CounterLoad.repeated(5, 6, -1)).hasMessageContaining("keys");
    assertThatThrownBy(() -> CounterLoad.repeated(5, 6, Long.MAX_VALUE / 5))
        .hasMessageContaining("keys");
  }
}
