package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.CountingBloomFilter;
import dev.bellows.Layout;
import dev.bellows.Means;
import dev.bellows.Rates;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.internal.math.BinomialInterval;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Measured rates of counting filters read through thresholds, compared with the model. */
class CountingReadingRateTest {
  private static final int[][] SETTINGS = {
    {10_000, 100, 500},
    {10_000, 100, 2500},
    {10_000, 20, 3000},
    {4096, 8, 2000},
    {2000, 30, 300},
    {1000, 1, 1500},
    {200, 20, 40},
    {100, 20, 30},
  };

  @TestFactory
  Stream<DynamicTest> predictionsHold() {
    return Stream.of(SETTINGS)
        .map(
            s ->
                dynamicTest(
                    "%d bits, %d hashes, %d keys".formatted(s[0], s[1], s[2]), () -> compare(s)));
  }

  /** Layout BLOCKED: words, bits of a word, blocks, keys. */
  private static final int[][] BLOCKED = {
    {2, 3, 16, 900}, {4, 2, 8, 600}, {8, 2, 4, 200}, {1, 4, 20, 3000}, {2, 3, 64, 20_000},
  };

  @TestFactory
  Stream<DynamicTest> predictionsHoldInBlocks() {
    return Stream.of(BLOCKED)
        .map(
            s ->
                dynamicTest(
                    "pattern %dx%d, %d blocks, %d keys".formatted(s[0], s[1], s[2], s[3]),
                    () -> compare(new Layout.Blocked(s[0], s[1]), 512L * s[2], s[3])));
  }

  private static void compare(int[] s) {
    compare(new Layout.Classic(s[1]), s[0], s[2]);
  }

  private static void compare(Layout layout, long bits, int keys) {
    Means tpr = new Means();
    Means fpr = new Means();
    ThresholdPlan plan = null;
    for (int seed = 0; seed < 24 + 4000 / keys; seed++) {
      CountingBloomFilter filter =
          CountingBloomFilter.builder().layout(layout).bits(bits).seed(seed).build();
      for (long key = 0; key < keys; key++) {
        filter.put(key);
      }
      CountingReading reading =
          CountingReading.of(filter, new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.9));
      ThresholdPlan.Rates predicted = reading.rates();
      Rates.assertRate(500, i -> reading.accepts(-1 - i), predicted.fpr());
      long found = Rates.count(keys, reading::accepts);
      assertThat(BinomialInterval.of(found, keys, Rates.ALPHA).contains(predicted.tpr()))
          .as("%d of %d found, predicted %s", found, keys, predicted)
          .isTrue();
      tpr.add((double) found / keys);
      fpr.add(predicted.fpr());
      plan = reading.plan();
    }
    // hashes of one key are taken as independent, as in the model of distinct ones (errata A11)
    double bias = layout.hashes() * 10 >= bits ? 0.015 : 0.003;
    tpr.assertMean(plan.tpr(), bias);
    fpr.assertMean(plan.fpr(), bias);
    assertThat(plan.keys()).isEqualTo(keys);
  }
}
