package dev.bellows.internal.math;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.growth.FingerprintPlan;
import dev.bellows.internal.partition.EvenTree;
import dev.bellows.internal.partition.LeafLadder;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.CapacityPlan;
import dev.bellows.plan.FoldPlan;
import dev.bellows.scalable.ScalablePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every function with a loop or a search ends for every double and every long: with a number, or
 * with an {@link IllegalArgumentException}. The timeout detects an endless loop; a function takes
 * milliseconds.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileNumbersTest {
  private static final long[] COUNTS = {
    Long.MIN_VALUE, -1, 0, 1, 2, 3, 1000, 1L << 20, 1L << 31, (1L << 36) + 1, Long.MAX_VALUE
  };

  private static final int[] FEW = {-1, 0, 1, 2, 3, 30, 256};

  private static final Pattern[] PATTERNS = {
    new Pattern(1, 1), new Pattern(2, 2), new Pattern(4, 3), new Pattern(8, 2), new Pattern(8, 6)
  };

  /** A function of a double and a number of keys, bits or hits. */
  @FunctionalInterface
  private interface Function {
    void apply(double rate, long count);

    /** A function of a double alone. */
    static Function ofRate(DoubleConsumer function) {
      return (rate, count) -> {
        if (count == COUNTS[0]) {
          function.accept(rate);
        }
      };
    }

    /** A function of a number alone. */
    static Function ofCount(LongConsumer function) {
      return (rate, count) -> {
        if (rate == 1) {
          function.accept(count);
        }
      };
    }
  }

  /** Borders of the doubles, and some in every octave. */
  private static double[] doubles() {
    DoubleStream borders =
        DoubleStream.of(
            Double.NaN,
            Double.NEGATIVE_INFINITY,
            -Double.MAX_VALUE,
            -1,
            -Double.MIN_VALUE,
            -0.0,
            0,
            Double.MIN_VALUE,
            2 * Double.MIN_VALUE,
            2.5e-321,
            Math.nextDown(Double.MIN_NORMAL),
            Double.MIN_NORMAL,
            0x1p-1000,
            Math.nextDown(0x1p-64),
            0x1p-64,
            Math.nextUp(0x1p-64),
            1e-15,
            0.01,
            0.5,
            1 - 1e-9,
            Math.nextDown(Math.nextDown(1.0)),
            Math.nextDown(1.0),
            1,
            Math.nextUp(1.0),
            2,
            0x1p53,
            0x1p62,
            0x1p63,
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY);
    SplittableRandom random = new SplittableRandom(1);
    DoubleStream octaves =
        random
            .ints(20, Double.MIN_EXPONENT - 52, 3)
            .mapToDouble(exponent -> Math.scalb(1 + random.nextDouble(), exponent));
    return DoubleStream.concat(borders, octaves).toArray();
  }

  static Stream<Named<Function>> functions() {
    List<Named<Function>> all = new ArrayList<>();
    for (Pattern pattern : PATTERNS) {
      BlockRates rates = BlockRates.of(pattern);
      all.add(Named.of(pattern + " bitsPerKey", Function.ofRate(rates::bitsPerKey)));
      all.add(Named.of(pattern + " blocksFor", (rate, count) -> rates.blocksFor(count, rate)));
      all.add(Named.of(pattern + " keysFor", (rate, count) -> rates.keysFor(count, rate)));
      all.add(Named.of(pattern + " fpp", (rate, count) -> rates.fpp(count, (long) rate)));
    }
    for (int hashes : FEW) {
      all.add(
          Named.of(hashes + " maxOnes", (rate, count) -> BloomRates.maxOnes(count, hashes, rate)));
      all.add(
          Named.of(hashes + " bitsFor", (rate, count) -> BloomRates.bitsFor(count, hashes, rate)));
      all.add(
          Named.of(
              hashes + " fppExact",
              Function.ofCount(count -> BloomRates.fppExact(count, 99, hashes))));
      all.add(
          Named.of(
              hashes + " LeafLadder",
              (rate, count) -> LeafLadder.of(1 << 20, Math.max(1, count), hashes, rate)));
      all.add(
          Named.of(
              hashes + " PartitionPlan",
              Function.ofRate(rate -> PartitionPlan.of(1000, 3, rate, hashes))));
      for (Layout.Family layout : Layout.Family.values()) {
        all.add(
            Named.of(
                hashes + " FoldPlan " + layout,
                (rate, count) ->
                    FoldPlan.bounds(layout.withHashes(hashes), count, rate, rate / 2)));
        all.add(
            Named.of(
                hashes + " FoldPlan with tolerance " + layout,
                (rate, count) -> FoldPlan.bounds(layout.withHashes(hashes), count, 0.01, rate)));
      }
    }
    for (Layout.Family layout : Layout.Family.values()) {
      all.add(Named.of("smallest " + layout, (rate, count) -> layout.smallest(count, rate)));
      all.add(
          Named.of(
              "BloomPlan " + layout, (rate, count) -> BloomPlan.smallest(count, rate, layout)));
      all.add(
          Named.of(
              "BloomPlan of bits " + layout,
              Function.ofRate(rate -> BloomPlan.solve(null, rate, 512L * 77, layout))));
      all.add(
          Named.of(
              "foldable " + layout,
              (rate, count) -> BloomPlan.foldable(count % (1 << 22), rate, layout)));
      all.add(
          Named.of(
              "levels " + layout,
              (rate, count) ->
                  ScalablePlan.of(Math.min(count, 1 << 20), rate, count, layout)
                      .levelsFor(Math.max(0, count), 30)));
      all.add(
          Named.of(
              "levels of any shape " + layout,
              (rate, count) ->
                  new ScalablePlan(layout.withHashes(8), 1, rate, 1, 512)
                      .keysAt(512 << 20, (int) count)));
      all.add(
          Named.of(
              "CapacityPlan " + layout,
              Function.ofRate(
                  rate ->
                      CapacityPlan.of(
                          new CapacityPlan.KeyRange(1000, 2000), rate, rate / 3, layout))));
    }
    all.add(
        Named.of(
            "forecast", Function.ofRate(rate -> CapacityPlan.KeyRange.forecast(99, rate, rate))));
    all.add(Named.of("FingerprintPlan", Function.ofRate(FingerprintPlan::of)));
    all.add(
        Named.of(
            "FingerprintPlan.fppAt",
            Function.ofRate(keys -> FingerprintPlan.of(0.01).fppAt(keys))));
    all.add(
        Named.of(
            "FingerprintPlan.bitsPerKey",
            Function.ofRate(keys -> FingerprintPlan.of(0.01).bitsPerKey(keys))));
    all.add(
        Named.of(
            "BinomialInterval",
            (alpha, count) -> BinomialInterval.of(Math.floorMod(count, 1000), 1000, alpha)));
    all.add(
        Named.of(
            "Binomial",
            (success, count) -> {
              Binomial binomial = Binomial.of(1 << 20, success, 1 - success);
              binomial.atLeast(count);
              binomial.atMost(count);
            }));
    all.add(Named.of("Charlier", Function.ofRate(mean -> new CharlierRule(mean, 20))));
    all.add(Named.of("EvenTree", (rate, count) -> EvenTree.of(Math.max(1, (long) rate), count)));
    all.add(Named.of("HashFloor", HashFloor::require));
    all.add(
        Named.of(
            "tuned thresholds",
            (minTpr, count) ->
                new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), minTpr)
                    .thresholds(1000, 7, Math.floorMod(count, 5000), 14)));
    all.add(
        Named.of(
            "tuned by cost",
            Function.ofRate(
                share -> ThresholdPlan.tune(1000, 7, 300, Criterion.cost(share, 1, 0.5), 0, 14))));
    all.add(
        Named.of(
            "tuned by F1",
            Function.ofRate(
                share -> ThresholdPlan.tune(1000, 7, 300, Criterion.f1(share), 0, 14))));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void everyFunctionEnds(Function function) {
    for (double rate : doubles()) {
      for (long count : COUNTS) {
        try {
          function.apply(rate, count);
        } catch (IllegalArgumentException refused) {
          // an answer too
        }
      }
    }
  }
}
