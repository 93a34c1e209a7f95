package dev.bellows.plan;

import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.Layout;
import dev.bellows.internal.math.CompositeNumbers;
import dev.bellows.internal.math.Divisors;
import dev.bellows.plan.CapacityPlan.Candidate;
import dev.bellows.plan.CapacityPlan.KeyRange;
import dev.bellows.plan.CapacityPlan.LadderFit;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityPlanTest {
  @Test
  void smoothCapacities() {
    CapacityPlan.Smooth smooth = CapacityPlan.smooth(1000, 100, 7);
    assertThat(smooth.candidates())
        .containsExactly(
            new Candidate(1000, 16),
            new Candidate(1008, 30),
            new Candidate(1024, 11),
            new Candidate(1029, 8),
            new Candidate(1050, 24),
            new Candidate(1080, 32));
    assertThat(smooth.best()).isEqualTo(new Candidate(1080, 32));
    // 60, 72, 84, 90 and 96 all have 12 divisors
    assertThat(CapacityPlan.smooth(60, 40, 7).best()).isEqualTo(new Candidate(60, 12));
    assertThat(CapacityPlan.smooth(1009, 0, 7).candidates()).isEmpty();
    assertThat(CapacityPlan.smooth(1009, 0, 7).best()).isNull();
  }

  /** Every number of keys in the range, one by one, against what the plan says of it. */
  @Test
  void everyNumberOfKeysHasItsPromisedSize() {
    CapacityPlan plan =
        CapacityPlan.of(new KeyRange(1000, 50_000), 0.01, 0.002, Layout.Family.CLASSIC);
    double worst = 0;
    double sum = 0;
    double weights = 0;
    double inBand = 0;
    for (long keys = 1000; keys <= 50_000; keys++) {
      FoldPlan fold =
          FoldPlan.of(new Layout.Classic(plan.hashes()), plan.capacity(), keys, 0.01, 0.002);
      assertThat(fold.fppAtTarget()).isLessThanOrEqualTo(0.012 * (1 + 1e-12));
      double oversize = fold.target() / fold.low();
      double weight = 1.0 / keys; // evenly on a logarithmic scale
      worst = Math.max(worst, oversize);
      sum += weight * oversize;
      inBand += fold.admissible().isEmpty() ? 0 : weight;
      weights += weight;
    }
    assertThat(worst).isLessThanOrEqualTo(plan.fit().worstOversize() * (1 + 1e-3));
    assertThat(worst).isGreaterThan(plan.fit().worstOversize() * (1 - 1e-3));
    assertClose(sum / weights, plan.fit().meanOversize(), 1e-3);
    assertThat(inBand / weights)
        .isBetween(plan.fit().bandShare() - 0.01, plan.fit().bandShare() + 0.01);
    assertThat(plan.capacity()).isBetween(8 * plan.largestNeed(), 10 * plan.largestNeed());
  }

  @Test
  void noOtherCapacityOfTheWindowWastesLess() {
    for (long[] range : new long[][] {{1, 100}, {50, 400}, {300, 320}, {20, 20}, {7, 3000}}) {
      CapacityPlan plan =
          CapacityPlan.of(new KeyRange(range[0], range[1]), 0.02, 0.005, Layout.Family.CLASSIC);
      double least =
          LongStream.rangeClosed(8 * plan.largestNeed(), 10 * plan.largestNeed())
              .mapToDouble(capacity -> mean(plan, capacity))
              .min()
              .orElseThrow();
      assertThat(plan.fit().meanOversize()).isEqualTo(least);
    }
  }

  /** A window of one number would hold a capacity without divisors. */
  @Test
  void memoryForTheNeedAloneStillFindsACapacityWithDivisors() {
    for (Layout.Family layout : Layout.Family.values()) {
      CapacityPlan plan = CapacityPlan.of(new KeyRange(1000, 1_000_000), 0.01, 0.002, 1, layout);
      assertThat(plan.capacity()).isBetween(plan.largestNeed(), plan.largestNeed() * 112 / 100);
      assertThat(plan.fit().meanOversize()).isLessThan(1.15);
    }
  }

  private static double mean(CapacityPlan plan, long capacity) {
    return LadderFit.of(capacity, Divisors.of(capacity), plan.smallestNeed(), plan.largestNeed(), 1)
        .meanOversize();
  }

  @Test
  void wideRangesInBothLayouts() {
    KeyRange keys = new KeyRange(1000, 100_000_000);
    CapacityPlan classic = CapacityPlan.of(keys, 0.01, 0.002, Layout.Family.CLASSIC);
    assertThat(classic.capacity() % 64).isZero();
    assertThat(classic.fit().worstOversize()).isLessThan(1.13);
    assertThat(classic.fit().meanOversize()).isLessThan(1.011);
    assertThat(classic.fit().bandShare()).isGreaterThan(0.99);
    assertThat(classic.powersOfTwo().meanOversize()).isBetween(1.44, 1.45);
    assertThat(classic.powersOfTwo().worstOversize()).isEqualTo(2);
    assertThat(Long.bitCount(classic.powersOfTwo().capacity())).isOne();
    assertThat(classic.highlyComposite().capacity())
        .isEqualTo(CompositeNumbers.nextHighly(8 * classic.largestNeed()));

    CapacityPlan blocked = CapacityPlan.of(keys, 0.01, 0.002, Layout.Family.BLOCKED);
    assertThat(blocked.hashes()).isEqualTo(6);
    assertThat(blocked.ladder()).allMatch(size -> size % 512 == 0).isSorted();
    assertThat(blocked.fit().meanOversize()).isLessThan(1.03);
    assertThat(blocked.powersOfTwo().capacity() % 512).isZero();
    assertThat(blocked.highlyComposite().capacity() % 512).isZero();
  }

  @Test
  void servingSizesAreTheOnesInUse() {
    CapacityPlan plan =
        CapacityPlan.of(new KeyRange(100, 1000), 0.01, 0.002, Layout.Family.CLASSIC);
    List<Long> serving = plan.serving();
    long[] used =
        LongStream.rangeClosed(100, 1000)
            .map(
                n ->
                    FoldPlan.of(new Layout.Classic(plan.hashes()), plan.capacity(), n, 0.01, 0.002)
                        .target())
            .distinct()
            .toArray();
    assertThat(serving).containsAll(LongStream.of(used).boxed().toList());
    assertThat(serving.get(0)).isEqualTo(used[0]);
    assertThat(serving.get(serving.size() - 1)).isEqualTo(used[used.length - 1]);
    assertThat(plan.ladder()).containsAll(serving);
  }

  @Test
  void littleMemoryMeansCoarseSteps() {
    KeyRange keys = new KeyRange(10_000, 1_000_000);
    CapacityPlan tight = CapacityPlan.of(keys, 0.01, 0.002, 1.5, Layout.Family.CLASSIC);
    CapacityPlan roomy = CapacityPlan.of(keys, 0.01, 0.002, 30, Layout.Family.CLASSIC);
    assertThat((double) tight.capacity()).isLessThanOrEqualTo(1.5 * tight.largestNeed());
    assertThat((double) roomy.capacity()).isLessThanOrEqualTo(30.0 * roomy.largestNeed());
    assertThat(tight.fit().worstOversize()).isGreaterThan(1.9);
    assertThat(roomy.fit().worstOversize()).isLessThan(1.1);
    CapacityPlan exact = CapacityPlan.of(new KeyRange(5, 5), 0.01, 0, 1, Layout.Family.CLASSIC);
    assertThat(exact.capacity()).isBetween(exact.largestNeed(), exact.largestNeed() + 1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 1.01, 1.1, 1.2, 1.25, 2, 8})
  void aDenseCapacityHoldsItsLargestFolding(double times) {
    for (long keys : new long[] {1, 10, 1000, 345_678}) {
      for (Layout.Family family : Layout.Family.values()) {
        BloomPlan largest = BloomPlan.foldable(keys, 0.01, family);
        assertThat((double) CapacityPlan.densest(largest, times))
            .isBetween((double) largest.bits(), times * largest.bits());
      }
    }
  }

  @Test
  void aWindowWithoutSmallFactorsStillHasACapacity() {
    // 2017 is prime and 2018 = 2 * 1009
    assertThat(new CapacitySearch(500, 1000, 1.1, 1).best(2017, 2018, 1).capacity())
        .isEqualTo(2018);
  }

  @Test
  void fitOfALadderByHand() {
    // needs 10..40 served by 20 and 40: means of 2 - 1 and 2 - 1, over ln 4
    LadderFit fit = LadderFit.of(40, new long[] {10, 20, 40}, 10, 40, 2);
    assertThat(fit.worstOversize()).isEqualTo(2);
    assertClose(fit.meanOversize(), 2 / Math.log(4), 1e-15);
    assertThat(fit.bandShare()).isEqualTo(1);
    // inside a band of 1.25 only needs of 16..20 and 32..40
    LadderFit narrow = LadderFit.of(40, new long[] {20, 40}, 10, 40, 1.25);
    assertClose(narrow.bandShare(), 2 * Math.log(1.25) / Math.log(4), 1e-14);
    assertThat(LadderFit.of(40, new long[] {20, 40}, 15, 15, 1).worstOversize())
        .isEqualTo(20 / 15.0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LadderFit.of(40, new long[] {20, 40}, 10, 41, 1))
        .withMessageContaining("40")
        .withMessageContaining("41");
  }

  @Test
  void forecasts() {
    assertThat(KeyRange.forecast(0, 0, 100)).isEqualTo(new KeyRange(1, 1));
    assertThat(KeyRange.forecast(500, 100, 100)).isEqualTo(new KeyRange(500, 500 + 10_000 + 600));
    assertThat(KeyRange.forecast(0, 0.5, 3600)).isEqualTo(new KeyRange(1, 1800 + 255));
    assertThatIllegalArgumentException().isThrownBy(() -> KeyRange.forecast(0, -1, 10));
    assertThatIllegalArgumentException().isThrownBy(() -> KeyRange.forecast(0, Double.NaN, 10));
    assertThatIllegalArgumentException().isThrownBy(() -> KeyRange.forecast(0, 1e300, 10));
    assertThatIllegalArgumentException().isThrownBy(() -> KeyRange.forecast(-1, 1, 10));
  }

  @Test
  void hostileArgumentsAreNamed() {
    KeyRange keys = new KeyRange(10, 100);
    assertThatIllegalArgumentException().isThrownBy(() -> new KeyRange(0, 10));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new KeyRange(20, 10))
        .withMessageContaining("20")
        .withMessageContaining("10");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CapacityPlan.of(keys, 0.5, 0.5, Layout.Family.CLASSIC));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CapacityPlan.of(keys, 0.01, Double.NaN, Layout.Family.CLASSIC));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CapacityPlan.of(keys, 0.01, -0.5, Layout.Family.CLASSIC));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CapacityPlan.of(keys, 0.01, 0.001, 0.9, Layout.Family.CLASSIC));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> CapacityPlan.of(new KeyRange(1, 1L << 57), 0.01, 0.001, Layout.Family.CLASSIC))
        .withMessageContaining("more than a plan supports");
  }
}
