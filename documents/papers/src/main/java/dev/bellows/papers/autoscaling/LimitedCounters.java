package dev.bellows.papers.autoscaling;

import static dev.bellows.papers.autoscaling.Figure4.likelihood;
import static dev.bellows.papers.autoscaling.Figure4.plan;
import static dev.bellows.papers.autoscaling.Figure4.sizes;
import static dev.bellows.papers.autoscaling.Setting.BITS;
import static dev.bellows.papers.autoscaling.Setting.HASHES;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.AutoscalingBloomFilter.Builder;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The cost of counters of few bits: the question that the conclusion of the Autoscaling paper
 * leaves open.
 */
public final class LimitedCounters extends Item {
  private static final int FILTERS = 60;
  private static final int QUERIES = 200;
  private static final long[] SAME = {500, 1000, 1500};
  private static final long[] FOUR_BITS = {1000, 2000, 2500, 3000};
  private static final long[] EIGHT_BITS = {4000, 5000};

  LimitedCounters() {
    super(
        "004/limited-counters",
        "Section 5: counters of limited width",
        """
        The Autoscaling paper assumes unlimited counters and leaves limited ones to later work.
        While keys are only added, a counter of c bits that stops at 2^c - 1 loses nothing as long
        as theta is at most 2^c - 2 (A12): real filters with counters of four bits gave the same
        answers as those with unlimited ones, key by key. Four bits are enough up to 1500 keys, five
        up to 3050, and six for the whole range of Figure 4, where theta reaches 50. Beyond its
        range a filter must use a theta below the best, and its accuracy soon falls to chance. Read
        by likelihood, four bits degrade in the same way, from a higher level.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    LongStream fewer = sizes().filter(n -> n % 250 == 0);
    RateCurve enough = new RateCurve("6 bits or more", 0, sizes(), n -> plan(n).rates());
    RateCurve five = new RateCurve("5 bits", 2, sizes(), n -> plan(n, 5).rates());
    RateCurve four = new RateCurve("4 bits", 4, sizes(), n -> plan(n, 4).rates());
    RateCurve read = new RateCurve("4 bits, by likelihood", 3, fewer, n -> likelihood(n, 4));
    List<RateCurve> curves = List.of(enough, five, four, read);
    for (long n : FOUR_BITS) {
      four.measured(n, Answers.of(FILTERS, QUERIES, seed -> filled(seed, n, 4)::accepts));
    }
    for (long n : EIGHT_BITS) {
      enough.measured(n, Answers.of(FILTERS, QUERIES, seed -> filled(seed, n, 8)::accepts));
    }
    columns("counters, n, tpr, fpr, acc");
    curves.forEach(curve -> curve.rows(this::row));
    bounds();
    for (long n : SAME) {
      same(n);
    }
    four.results(this::number);
    enough.results(this::number);
    Chart chart =
        chart(
            "Accuracy over keys with counters of four, five and six bits",
            "Accuracy with limited counters (points: real filters)",
            Axis.linear("keys").between(0, 5000),
            Axis.linear("accuracy").between(0.45, 1));
    RateCurve.draw(chart, curves, Answers.Rate.ACC);
  }

  private static AutoscalingBloomFilter filled(int seed, long keys, int counterBits) {
    ThresholdPlan plan = plan(keys, counterBits);
    Builder builder =
        AutoscalingBloomFilter.builder()
            .counterBits(counterBits)
            .thresholds(plan.theta(), plan.decision());
    return Setting.filled(builder, seed, keys);
  }

  private void bounds() {
    long highest = sizes().map(n -> plan(n).theta()).max().orElseThrow();
    int width = 1;
    while (ThresholdPlan.maxTheta(width) < highest) {
      width++;
    }
    long last =
        sizes().takeWhile(n -> plan(n).theta() <= ThresholdPlan.maxTheta(4)).max().orElseThrow();
    ThresholdPlan.Rule rule = new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), Figure4.LEAST_TPR);
    AutoscalingBloomFilter built =
        AutoscalingBloomFilter.builder()
            .bits(BITS)
            .hashes(HASHES)
            .minTpr(Figure4.LEAST_TPR)
            .insertOnly(5000)
            .build();
    add("highest-theta", "highest theta of Figure 4", highest);
    add("width", "bits per counter that suffice for it", width);
    add("four-bits-last", "largest n of Figure 4 for which four bits suffice", last);
    number("insert-only", "width that insertOnly(5000) chooses, of 4, 8, 16 and 32")
        .formula(ThresholdPlan.counterBits(BITS, HASHES, 5000, rule))
        .counted(built.counterBits())
        .erratum("A12");
  }

  private void add(String place, String what, double formula) {
    number(place, what).formula(formula).erratum("A12");
  }

  /** Queries the same keys in filters with four bits and with counters that widen. */
  private void same(long keys) {
    ThresholdPlan plan = plan(keys);
    double[] saturated = new double[FILTERS];
    long different = 0;
    for (int seed = 0; seed < FILTERS; seed++) {
      AutoscalingBloomFilter narrow = filled(seed, keys, 4);
      AutoscalingBloomFilter wide = Setting.filled(seed, plan);
      different +=
          IntStream.range(-QUERIES, QUERIES)
              .filter(key -> narrow.evidence((long) key) != wide.evidence((long) key))
              .count();
      saturated[seed] = (double) narrow.saturatedCounters() / BITS;
    }
    number(
            "n=%d/different".formatted(keys),
            "keys of %,d whose evidence differs from unlimited counters"
                .formatted(2 * QUERIES * FILTERS))
        .formula(0)
        .counted(different);
    number("n=%d/saturated".formatted(keys), "share of saturated counters")
        .formula(ThresholdPlan.saturatedShare(BITS, HASHES, keys, 4))
        .measured(Measured.meanOfShares(saturated));
  }
}
