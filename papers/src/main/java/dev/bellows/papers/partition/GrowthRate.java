package dev.bellows.papers.partition;

import dev.bellows.growth.DynamicPartitionBloomFilter;
import dev.bellows.growth.DynamicPartitionBloomFilter.Mode;
import dev.bellows.internal.rates.PartitionRates;
import dev.bellows.internal.rates.PartitionTree;
import dev.bellows.papers.Item;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.plan.PartitionPlan;
import java.util.Arrays;

/** 002 Figure 1: the rate over six decades of set sizes. */
final class GrowthRate implements Item {
  private static final int QUERIES = 1_000_000;

  @Override
  public String id() {
    return "002/figure-1";
  }

  @Override
  public String title() {
    return "Figure 1: rate of the partition filter and of DBF, 10 to a million keys";
  }

  @Override
  public String paragraph() {
    return "The document's threshold is 1e-4; its universe, depth and k are not given, so here are uniform"
        + " ids from 2^30 in 2^20 units with k = 13. The partition filter (DPBF, as published) stays"
        + " below the threshold at every size: its rate climbs until the leaves of a level are full, and"
        + " falls again when they split; the formula is the mean over its leaves (D11). Guo's"
        + " list (DBF) passes it as soon as it has a second filter that is partly full, and climbs"
        + " by nearly 1e-4 with each further one; the formula is the corrected Theorem A.1 (D12).";
  }

  @Override
  public boolean fast() {
    return false;
  }

  @Override
  public Outcome compute() {
    PartitionPlan plan = GrowthWorkload.plan();
    Outcome outcome =
        new Outcome()
            .columns("keys", "dpbf", "dpbf measured", "dbf", "dbf measured", "dbf filters");
    Points treeFormula = new Points();
    Points treeMeasured = new Points();
    Points listFormula = new Points();
    Points listMeasured = new Points();
    for (int size : new int[] {10, 100, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000}) {
      long[] ids = distinct(GrowthWorkload.ids(GrowthWorkload.Spread.UNIFORM, size));
      DynamicBloomFilter list = GrowthWorkload.list(ids);
      DynamicPartitionBloomFilter tree = GrowthWorkload.partition(Mode.PUBLISHED);
      tree.putIds(ids);
      Arrays.sort(ids);
      Result ofTree =
          Result.of("%s/dpbf/keys=%d".formatted(id(), size), "mean rate over all absent ids")
              .formula(
                  PartitionRates.averageFpp(
                      TreeShape.partition(plan),
                      StoredTree.of(tree),
                      plan.unitBits(),
                      plan.hashes()))
              .measured(GrowthWorkload.passed(tree::mightContainId, ids, QUERIES), QUERIES)
              .build();
      long listQueries = Math.min(QUERIES, 40_000_000L / list.size() / 10);
      Result ofList =
          Result.of(
                  "%s/dbf/keys=%d".formatted(id(), size),
                  "rate of a list of %d filters".formatted(list.size()))
              .formula(
                  PartitionRates.listFpp(
                      ids.length, plan.unitKeys(), plan.unitBits(), plan.hashes()))
              .measured(GrowthWorkload.passed(list::mightContain, ids, listQueries), listQueries)
              .erratum("D12")
              .build();
      outcome.add(ofTree).add(ofList);
      outcome.add(
          Result.of(
                  "%s/dpbf-bound/keys=%d".formatted(id(), size), "1 if the fullest leaf holds 1e-4")
              .printed(1, 0)
              .counted(worst(tree, plan) <= GrowthWorkload.FPP * slack(plan) ? 1 : 0)
              .build());
      outcome.row(
          ids.length,
          ofTree.formula(),
          ofTree.measured(),
          ofList.formula(),
          ofList.measured(),
          list.size());
      treeMeasured.add(size, ofTree.measured(), ofTree.low(), ofTree.high());
      listMeasured.add(size, ofList.measured(), ofList.low(), ofList.high());
    }
    for (double size = 10; size < 1.01e6; size *= Math.pow(10, 0.1)) {
      long[] ids = distinct(GrowthWorkload.ids(GrowthWorkload.Spread.UNIFORM, (int) size));
      treeFormula.add(size, treeRate(plan, ids));
      listFormula.add(
          size,
          PartitionRates.listFpp(ids.length, plan.unitKeys(), plan.unitBits(), plan.hashes()));
    }
    double[] across = {90, 1.2e6};
    return outcome.picture(
        "Rate over the number of keys: DBF climbs, DPBF stays below the threshold",
        Chart.of(
                "False positives while the set grows",
                Axis.log("keys").between(90, 1.2e6),
                Axis.log("rate").between(1e-8, 1))
            .dashed("threshold", 6, across, new double[] {GrowthWorkload.FPP, GrowthWorkload.FPP})
            .curve("DBF formula", 1, listFormula)
            .points("DBF measured", 1, listMeasured)
            .curve("DPBF formula", 0, treeFormula)
            .points("DPBF measured", 0, treeMeasured)
            .toSvg());
  }

  /** The mean rate of the tree that these ids make, from its shape alone. */
  private static double treeRate(PartitionPlan plan, long[] ids) {
    PartitionTree tree = TreeShape.of(plan, ids);
    return PartitionRates.averageFpp(
        TreeShape.partition(plan), tree, plan.unitBits(), plan.hashes());
  }

  private static double worst(DynamicPartitionBloomFilter tree, PartitionPlan plan) {
    return PartitionRates.worstFpp(StoredTree.of(tree), plan.unitBits(), plan.hashes());
  }

  /** By how much the power form may exceed the rate that Eq 1 sizes for (errata D1, C1). */
  private static double slack(PartitionPlan plan) {
    return 1 + plan.hashes() * (plan.hashes() + 1) / (4.0 * plan.unitBits());
  }

  /** The ids without repetitions, in their own order. */
  private static long[] distinct(long[] ids) {
    return Arrays.stream(ids).distinct().toArray();
  }
}
