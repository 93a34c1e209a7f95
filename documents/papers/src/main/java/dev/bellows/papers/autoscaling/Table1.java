package dev.bellows.papers.autoscaling;

import static dev.bellows.papers.autoscaling.Setting.BITS;
import static dev.bellows.papers.autoscaling.Setting.HASHES;

import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.papers.Item;
import dev.bellows.papers.baseline.RebuiltBloomFilter;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.Arrays;

/** The setup of the comparison: what is fixed, and what each filter changes as keys arrive. */
public final class Table1 extends Item {
  Table1() {
    super(
        "004/table-1",
        "Table 1: the setup, and how often the optimized filter is built",
        """
        Four filters of 10,000 positions take 50 to 5000 keys, in steps of 50. The optimized filter
        follows its keys with k = (m/n) ln 2, from 139 down to 1, and must be built again from all
        its keys whenever k changes: 23 builds including the first, so it is rebuilt 22 times (A9).
        A real filter was grown through all sizes and its builds were counted. The others keep k =
        100; the autoscaling filter changes theta and T instead, which requires no rebuild.\
        """);
  }

  @Override
  protected void fill() {
    columns("n, optimizedK, builds, theta, T");
    RebuiltBloomFilter rebuilt = new RebuiltBloomFilter((int) BITS, 1);
    Chart chart =
        chart(
            "The optimized k falls from 139 to 1 in 23 steps; theta rises instead to 48",
            "What changes as keys arrive, m = 10,000",
            Axis.linear("keys").between(0, 5000),
            Axis.log("k, theta, T").between(1, 200));
    Points hashes = chart.steps("k of the optimized filter", 2);
    Points fixed = chart.dashed("k = 100 of the others", 6);
    Points theta = chart.steps("theta", 0);
    Points decision = chart.steps("T", 3);
    for (long n : Figure4.sizes().toArray()) {
      rebuilt.growTo(n);
      ThresholdPlan plan = Figure4.plan(n);
      int best = RebuiltBloomFilter.hashesFor(BITS, n);
      hashes.add(n, best);
      fixed.add(n, HASHES);
      theta.add(n, plan.theta());
      decision.add(n, plan.decision());
      row(n, best, rebuilt.builds(), plan.theta(), plan.decision());
    }
    long different = Arrays.stream(hashes.ys()).distinct().count();
    results(hashes.ys());
    number("optimized/builds", "builds of the optimized filter")
        .printed("23")
        .formula(different)
        .counted(rebuilt.builds());
    number("optimized/rebuilt", "builds after the first, \"number of times rebuilt\"")
        .printed(23, 0)
        .formula(different - 1)
        .counted(rebuilt.builds() - 1)
        .erratum("A9");
  }

  private void results(double[] hashes) {
    double most = Arrays.stream(hashes).max().orElseThrow();
    double least = Arrays.stream(hashes).min().orElseThrow();
    number("optimized/k/least", "smallest k of the optimized filter").printed("1").formula(least);
    number("optimized/k/most", "its largest k").printed("139").formula(most);
    number("optimized/k/more", "share of additional hashes, \"40 %\" in the text")
        .printed(0.4, 0.01)
        .formula(most / HASHES - 1);
  }
}
