package dev.bellows.papers.folding;

import dev.bellows.Layout;
import dev.bellows.internal.math.SmoothNumbers;
import dev.bellows.internal.math.SmoothNumbers.Candidate;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.plan.FoldPlan;
import java.util.List;

/**
 * Folding paper, Figure 2: the sizes that keep the rate in a band, and the smooth numbers among
 * them.
 */
final class SizesForBand extends Item {
  private static final int HASHES = 2;
  private static final double FPP = 0.01;
  private static final double TOLERANCE = 0.005;
  private static final int SMOOTH = 7;
  private static final long CAPACITY = 720_720;
  private static final long[] KEYS = {20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000};
  private static final long DRAWN = 200;

  SizesForBand() {
    super(
        "000/figure-2",
        "Figure 2: filter sizes for a band of rates, k = 2",
        """
        Figure 2 of the Folding paper shows that many smooth numbers lie between the smallest and
        the largest size whose rate stays in a band; the text gives neither the band nor the values.
        The picture shows the band from 0.5 % to 1.5 % with k = 2 and the 7-smooth sizes in it. Eq.
        14 as printed gives an empty interval; the corrected one (F2) is [1531.3, 2727.7] for 100
        keys. Filters of both end sizes were simulated and have the rates of the ends of the band.\
        """);
  }

  @Override
  protected void fill() {
    columns("keys, low, high, smooth sizes, divisors of 720720");
    Chart chart =
        chart(
            "Sizes between the two ends of the band, with the smooth numbers among them",
            "Sizes with a rate of 1 % ± 0.5 %, k = 2",
            Axis.log("keys").between(17, 230),
            Axis.log("bits").between(250, 6500));
    Points high = chart.curve("largest size", 1);
    Points low = chart.curve("smallest size", 0);
    Points smooth = chart.dots("7-smooth sizes between them", 2);
    Chart choice =
        chart(
            "How many sizes there are to choose from",
            "Sizes to choose from with a rate of 1 % ± 0.5 %",
            Axis.log("keys").between(17, 1200),
            Axis.linear("sizes").between(0, 90));
    Points smoothCount = choice.curve("7-smooth numbers", 2);
    Points divisorCount = choice.curve("divisors of 720720", 3);
    for (long keys : KEYS) {
      FoldPlan plan = FoldPlan.of(new Layout.Classic(HASHES), CAPACITY, keys, FPP, TOLERANCE);
      long from = (long) Math.ceil(plan.low());
      long to = (long) Math.floor(plan.high());
      List<Candidate> sizes = SmoothNumbers.candidates(from, to - from, SMOOTH);
      low.add(keys, plan.low());
      high.add(keys, plan.high());
      if (keys <= DRAWN) {
        sizes.forEach(size -> smooth.add(keys, size.number()));
      }
      smoothCount.add(keys, sizes.size());
      divisorCount.add(keys, plan.admissible().size());
      row(keys, plan.low(), plan.high(), sizes.size(), plan.admissible().size());
      number("smooth/keys=%d".formatted(keys), "7-smooth sizes from %d to %d".formatted(from, to))
          .formula(sizes.size())
          .counted(SmoothCounts.counted(from, to, SMOOTH));
    }
    ends();
  }

  /** The example of a hundred keys: the ends, and filters that have their sizes. */
  private void ends() {
    long keys = 100;
    FoldPlan.Bounds bounds = FoldPlan.bounds(new Layout.Classic(HASHES), keys, FPP, TOLERANCE);
    number("low/keys=100", "smallest size for 100 keys; printed: Eq. 14 as it stands")
        .stated(PrintedFormulas.sizeAt(keys, HASHES, FPP + TOLERANCE, TOLERANCE), 0.01)
        .formula(bounds.low())
        .erratum("F2");
    number("high/keys=100", "largest size for 100 keys; printed: Eq. 14 as it stands")
        .stated(PrintedFormulas.sizeAt(keys, HASHES, FPP - TOLERANCE, TOLERANCE), 0.01)
        .formula(bounds.high())
        .erratum("F2");
    for (long size : new long[] {(long) Math.ceil(bounds.low()), (long) bounds.high()}) {
      Measured simulation = Simulation.bloom(size, HASHES, keys, 4000, 100);
      number("rate/bits=%d".formatted(size), "rate at an end of the interval")
          .stated(size < 2000 ? FPP + TOLERANCE : FPP - TOLERANCE, 2e-5)
          .formula(Simulation.expected(size, keys, HASHES))
          .measured(simulation);
    }
  }
}
