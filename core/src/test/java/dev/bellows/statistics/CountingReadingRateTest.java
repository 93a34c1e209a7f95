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

/** Measured rates of counting filters read through thresholds, beside their model. */
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

  private static void compare(int[] s) {
    Means tpr = new Means();
    Means fpr = new Means();
    ThresholdPlan plan = null;
    for (int seed = 0; seed < 24 + 4000 / s[2]; seed++) {
      CountingBloomFilter filter =
          CountingBloomFilter.builder()
              .layout(Layout.Family.CLASSIC)
              .bits(s[0])
              .hashes(s[1])
              .seed(seed)
              .build();
      for (long key = 0; key < s[2]; key++) {
        filter.put(key);
      }
      CountingReading reading =
          CountingReading.of(filter, new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.9));
      ThresholdPlan.Rates predicted = reading.rates();
      Rates.assertRate(500, i -> reading.accepts(-1 - i), predicted.fpr());
      long found = Rates.count(s[2], reading::accepts);
      assertThat(BinomialInterval.of(found, s[2], Rates.ALPHA).contains(predicted.tpr()))
          .as("%d of %d found, predicted %s", found, s[2], predicted)
          .isTrue();
      tpr.add((double) found / s[2]);
      fpr.add(predicted.fpr());
      plan = reading.plan();
    }
    // hashes of one key are taken as independent, as in the model of distinct ones (errata A11)
    double bias = s[1] * 10 >= s[0] ? 0.015 : 0.003;
    tpr.assertMean(plan.tpr(), bias);
    fpr.assertMean(plan.fpr(), bias);
    assertThat(plan.keys()).isEqualTo(s[2]);
  }
}
