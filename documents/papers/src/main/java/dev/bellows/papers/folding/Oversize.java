package dev.bellows.papers.folding;

import dev.bellows.Layout;
import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.plan.CapacityPlan;
import dev.bellows.plan.CapacityPlan.KeyRange;
import dev.bellows.plan.CapacityPlan.LadderFit;
import dev.bellows.plan.FoldPlan;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How much too large the next size of a ladder is (Folding paper, Section IV: why not powers of
 * two).
 */
final class Oversize extends Item {
  private static final KeyRange KEYS = new KeyRange(1000, 100_000);
  private static final double FPP = 0.01;
  private static final double TOLERANCE = 0.002;
  private static final int NEEDS = 200_000;

  /** The number of standard deviations that a normal mean exceeds with probability 1e-9. */
  private static final double DEVIATIONS = 6.11;

  Oversize() {
    super(
        "000/oversize",
        "Section IV: oversize of any-divisor ladders compared with powers of two",
        """
        Halving, which earlier work had used, gives sizes that are 44 % too large on average, a
        factor of 1/ln 2. A capacity with many divisors comes closer: the picture shows the average
        oversize for 1000 to 100,000 keys at 1 % ± 0.2 %, by the ratio of the capacity to the
        largest need. One and a half times the need wastes 12 %, since the next sizes are a half
        and a third of it; ten times the need wastes 2.5 %. With no room above the need (1, in the
        data but not drawn) there is hardly a choice: the chosen size has 8 divisors and is ten
        times too large, far worse than halving. The measured values use random needs that are
        uniform on a logarithmic scale.\
        """);
  }

  @Override
  protected void fill() {
    columns("memory, ladder, capacity, sizes, mean, worst, share in band");
    Chart chart =
        chart(
            "Mean oversize of three kinds of ladders by memory",
            "Average oversize of the chosen size",
            Axis.log("capacity / largest need").between(1.5, 32),
            Axis.linear("size / need").between(1, 1.5));
    Points divisors = chart.curve("best capacity, any divisor", 0);
    Points composite = chart.curve("next highly composite", 2);
    Points halves = chart.dashed("power of two, halving", 1);
    for (double memory : new double[] {1, 1.5, 2, 3, 4, 6, 8, 10, 16, 24, 32}) {
      CapacityPlan plan = CapacityPlan.of(KEYS, FPP, TOLERANCE, memory, Layout.Family.CLASSIC);
      row(memory, "any divisor", plan.fit(), divisors);
      row(memory, "highly composite", plan.highlyComposite(), composite);
      row(memory, "powers of two", plan.powersOfTwo(), halves);
      if (memory == CapacityPlan.MEMORY) {
        results(plan, "any-divisor", plan.fit());
        results(plan, "highly-composite", plan.highlyComposite());
        results(plan, "powers-of-two", plan.powersOfTwo());
      }
    }
    number("halving", "mean oversize of halving over whole octaves, 1/ln 2")
        .stated(1 / Math.log(2), 0.02)
        .formula(
            CapacityPlan.of(KEYS, FPP, TOLERANCE, Layout.Family.CLASSIC)
                .powersOfTwo()
                .meanOversize());
  }

  private void row(double memory, String ladder, LadderFit fit, Points points) {
    long[] sizes = FoldPlan.ladder(fit.capacity(), 1);
    row(
        memory,
        ladder,
        fit.capacity(),
        sizes.length,
        fit.meanOversize(),
        fit.worstOversize(),
        fit.bandShare());
    points.add(memory, fit.meanOversize());
  }

  private void results(CapacityPlan plan, String name, LadderFit fit) {
    long[] sizes = FoldPlan.ladder(fit.capacity(), 1);
    SplittableRandom random = new SplittableRandom(10);
    double range = Math.log((double) plan.largestNeed() / plan.smallestNeed());
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < NEEDS; i++) {
      double need = plan.smallestNeed() * Math.exp(range * random.nextDouble());
      int at = Arrays.binarySearch(sizes, (long) Math.ceil(need));
      double oversize = sizes[at >= 0 ? at : -at - 1] / need;
      sum += oversize;
      squares += oversize * oversize;
    }
    double mean = sum / NEEDS;
    double spread = DEVIATIONS * Math.sqrt((squares / NEEDS - mean * mean) / NEEDS);
    number("mean/" + name, "mean oversize, capacity " + fit.capacity())
        .formula(fit.meanOversize())
        .measured(mean, mean - spread, mean + spread, Result.ALPHA);
    number("worst/" + name, "worst oversize, capacity " + fit.capacity())
        .formula(fit.worstOversize());
  }
}
