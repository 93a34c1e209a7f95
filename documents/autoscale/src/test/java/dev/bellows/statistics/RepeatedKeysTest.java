package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.Rates;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.internal.math.BinomialInterval;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Autoscaling filters into which keys were put more than once: what they state holds. */
class RepeatedKeysTest {
  /** The number of times that key i, counted from 0, is put. */
  private interface Times {
    int of(long key);
  }

  private record Mix(String name, Times times) {}

  private static final Mix[] MIXES = {
    new Mix("once", key -> 1),
    new Mix("twice", key -> 2),
    new Mix("5 times", key -> 5),
    new Mix("1 to 5", key -> 1 + (int) (key % 5)),
    new Mix("a third twice, one in ten 4 times", key -> key % 10 == 0 ? 4 : key % 3 == 0 ? 2 : 1),
    new Mix("one in 20 twice", key -> key % 20 == 0 ? 2 : 1),
    new Mix("one in 100 50 times", key -> key % 100 == 0 ? 50 : 1),
  };

  private static final int[][] SETTINGS = {
    {10_000, 100, 500}, {10_000, 100, 100}, {10_000, 100, 3000}, {10_000, 20, 3000},
    {4096, 8, 2000}, {65_536, 16, 20_000}, {200, 20, 40}, {3000, 5, 3000},
  };

  private static AutoscalingBloomFilter filled(
      AutoscalingBloomFilter.Builder builder, int[] setting, Mix mix, long seed) {
    AutoscalingBloomFilter filter = builder.bits(setting[0]).hashes(setting[1]).seed(seed).build();
    for (int round = 0; round < 50; round++) {
      for (long key = 0; key < setting[2]; key++) {
        if (round < mix.times.of(key)) {
          filter.put(key);
        }
      }
    }
    return filter;
  }

  @TestFactory
  Stream<DynamicTest> whatIsStatedHolds() {
    return Stream.of(MIXES)
        .flatMap(
            mix ->
                Stream.of(SETTINGS)
                    .map(
                        s ->
                            dynamicTest(
                                "%s: %d bits, %d hashes, %d keys"
                                    .formatted(mix.name, s[0], s[1], s[2]),
                                () -> check(s, mix))));
  }

  private static void check(int[] setting, Mix mix) {
    for (int seed = 0; seed < 4; seed++) {
      for (double minTpr : new double[] {0, 0.9}) {
        AutoscalingBloomFilter filter =
            filled(AutoscalingBloomFilter.builder().minTpr(minTpr), setting, mix, seed);
        ThresholdPlan.Rates stated = filter.rates();
        Rates.assertRate(20_000, i -> filter.accepts(-1 - i), stated.fpr());
        long found = Rates.count(setting[2], filter::accepts);
        BinomialInterval interval = BinomialInterval.of(found, setting[2], Rates.ALPHA);
        String what = "%d of %d found, stated %s".formatted(found, setting[2], stated);
        assertThat(interval.high()).as(what).isGreaterThanOrEqualTo(filter.leastTpr());
        assertThat(filter.leastTpr()).as(what).isGreaterThan(minTpr - 0.02);
        if (!Double.isNaN(stated.tpr())) {
          assertThat(interval.contains(stated.tpr())).as(what).isTrue();
        }
        assertThat(filter.hasRepeatedKeys() && mix == MIXES[0]).as(what).isFalse();
        if (filter.hasRepeatedKeys()) {
          assertThat((double) filter.approximateElementCount())
              .isBetween(0.05 * setting[2], 1.25 * setting[2]);
        } else {
          assertThat(filter.approximateElementCount()).isEqualTo(filter.puts());
        }
      }
    }
  }

  /** 500 keys in 846 puts: thresholds for 846 distinct keys found 27 % of them, not 86 %. */
  @Test
  void repetitionsAreSeenAndTheThresholdsAdapt() {
    AutoscalingBloomFilter filter = AutoscalingBloomFilter.create(10_000, 100);
    for (int round = 0; round < 3; round++) {
      for (long key = 0; key < new int[] {500, 300, 46}[round]; key++) {
        filter.put(key);
      }
    }
    assertThat(filter.puts()).isEqualTo(846);
    assertThat(filter.hasRepeatedKeys()).isTrue();
    assertThat(filter.rates().tpr()).isNaN();
    assertThat(filter.repetition()).isPresent();
    assertThat(filter.approximateElementCount()).isBetween(400L, 600L);
    double least = filter.leastTpr();
    assertThat(Rates.count(500, filter::accepts)).isGreaterThan((long) (500 * (least - 0.12)));
    assertThat(least).isGreaterThan(0.75);
    for (long key = 0; key < 300; key++) {
      filter.remove(key);
    }
    for (long key = 0; key < 46; key++) {
      filter.remove(key);
    }
    assertThat(filter.hasRepeatedKeys()).isFalse();
    assertThat(filter.approximateElementCount()).isEqualTo(500);
    assertThat(filter.rates().tpr()).isGreaterThan(0.9);
  }

  @Test
  void aFileAndACopyAnswerAlike() throws Exception {
    AutoscalingBloomFilter filter =
        filled(AutoscalingBloomFilter.builder(), SETTINGS[0], MIXES[3], 7);
    filter.retune(Criterion.accuracy(), 0.9);
    for (AutoscalingBloomFilter same :
        new AutoscalingBloomFilter[] {
          filter.copy(), AutoscalingBloomFilter.fromBytes(filter.toBytes())
        }) {
      assertThat(same).isEqualTo(filter);
      assertThat(same.rates()).isEqualTo(filter.rates());
      assertThat(same.leastTpr()).isEqualTo(filter.leastTpr());
      assertThat(same.explain()).isEqualTo(filter.explain());
    }
  }

  @Test
  void saturatedCountersShowThemToo() {
    AutoscalingBloomFilter filter =
        filled(AutoscalingBloomFilter.builder().counterBits(4), SETTINGS[1], MIXES[2], 1);
    assertThat(filter.saturatedCounters()).isPositive();
    assertThat(filter.hasRepeatedKeys()).isTrue();
    assertThat(
            filled(AutoscalingBloomFilter.builder().counterBits(4), SETTINGS[1], MIXES[0], 1)
                .hasRepeatedKeys())
        .isFalse();
  }

  @Test
  void aUnionOfFiltersWithCommonKeysHasRepeatedKeys() {
    AutoscalingBloomFilter filter =
        filled(AutoscalingBloomFilter.builder(), SETTINGS[0], MIXES[0], 1);
    assertThat(filter.union(filter, 1).hasRepeatedKeys()).isTrue();
  }
}
