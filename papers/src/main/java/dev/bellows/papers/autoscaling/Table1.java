package dev.bellows.papers.autoscaling;

import static dev.bellows.papers.autoscaling.Setting.BITS;
import static dev.bellows.papers.autoscaling.Setting.HASHES;

import dev.bellows.internal.rates.DistinctRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.baseline.RebuiltBloomFilter;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.plan.ThresholdPlan;
import java.util.Arrays;

/** The setup of the comparison: what is fixed, and what each filter changes as keys arrive. */
public final class Table1 implements Item {
  @Override
  public String id() {
    return "004/table-1";
  }

  @Override
  public String title() {
    return "Table 1: the setup, and how often the optimised filter is built";
  }

  @Override
  public String paragraph() {
    return "Four filters of 10 000 positions take 50 to 5000 keys, in steps of 50. The optimised filter"
        + " follows its keys with k = (m/n) ln 2, from 139 down to 1, and must be built from all its"
        + " keys whenever k changes: 23 times with the first build, so it is rebuilt 22 times (A9). A"
        + " real one was grown through all sizes and its builds counted. The others keep k = 100; the"
        + " autoscaling filter moves theta and T instead, which costs no rebuilding.";
  }

  @Override
  public Outcome compute() {
    Outcome outcome = new Outcome();
    outcome.columns("n", "optimisedK", "builds", "theta", "T");
    RebuiltBloomFilter rebuilt = new RebuiltBloomFilter((int) BITS, 1);
    double[] keys = Figure4.sizes().asDoubleStream().toArray();
    double[] hashes = new double[keys.length];
    double[] theta = new double[keys.length];
    double[] decision = new double[keys.length];
    for (int i = 0; i < keys.length; i++) {
      long n = (long) keys[i];
      rebuilt.growTo(n);
      ThresholdPlan plan = Figure4.plan(n);
      hashes[i] = DistinctRates.roundedHashes(BITS, n);
      theta[i] = plan.theta();
      decision[i] = plan.decision();
      outcome.row(n, (int) hashes[i], rebuilt.builds(), plan.theta(), plan.decision());
    }
    long different = Arrays.stream(hashes).distinct().count();
    results(outcome, keys, hashes);
    outcome.add(
        Result.of(id() + "/optimised/builds", "builds of the optimised filter")
            .printed("23")
            .formula(different)
            .counted(rebuilt.builds())
            .build());
    outcome.add(
        Result.of(
                id() + "/optimised/rebuilt",
                "of these after the first, \"number of times rebuilt\"")
            .printed(23, 0)
            .formula(different - 1)
            .counted(rebuilt.builds() - 1)
            .erratum("A9")
            .build());
    double[] fixed = new double[keys.length];
    Arrays.fill(fixed, HASHES);
    return outcome.picture(
        "The optimised k falls from 139 to 1 in 23 steps; theta rises instead to 48",
        Chart.of(
                "What changes as keys arrive, m = 10,000",
                Axis.linear("keys").between(0, 5000),
                Axis.log("k, theta, T").between(1, 200))
            .steps("k of the optimised filter", 2, keys, hashes)
            .dashed("k = 100 of the others", 6, keys, fixed)
            .steps("theta", 0, keys, theta)
            .steps("T", 3, keys, decision)
            .toSvg());
  }

  private void results(Outcome outcome, double[] keys, double[] hashes) {
    double most = Arrays.stream(hashes).max().orElseThrow();
    double least = Arrays.stream(hashes).min().orElseThrow();
    outcome.add(number("m", "filter length, all four", "10000", BITS));
    outcome.add(number("n/least", "fewest keys", "50", keys[0]));
    outcome.add(number("n/most", "most keys", "5000", keys[keys.length - 1]));
    outcome.add(number("n/step", "step", "50", keys[1] - keys[0]));
    outcome.add(number("k", "k of RBF, ABF and nonoptimised BF", "100", HASHES));
    outcome.add(number("builds", "builds of RBF, ABF and nonoptimised BF", "1", 1));
    outcome.add(number("optimised/k/least", "least k of the optimised filter", "1", least));
    outcome.add(number("optimised/k/most", "its greatest k", "139", most));
    outcome.add(
        Result.of(id() + "/optimised/k/more", "hashes more than the others, \"40 %\" in the text")
            .printed(0.4, 0.01)
            .formula(most / HASHES - 1)
            .build());
  }

  private Result number(String place, String what, String printed, double formula) {
    return Result.of(id() + "/" + place, what).printed(printed).formula(formula).build();
  }
}
