package dev.bellows.papers.partition;

import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionPlan;
import java.util.Arrays;

/** Partition paper, Figure 1: the rate over six decades of set sizes. */
final class GrowthRate extends Item {
  private static final int QUERIES = 4_000_000;

  GrowthRate() {
    super(
        "002/figure-1",
        "Figure 1: rate of the partition filter and of DBF, 10 to a million keys",
        """
        The Partition paper sets a threshold of 1e-4 but does not give its universe, depth and k;
        this page uses uniform ids from 2^30 in 2^20 units with k = 13. The partition filter (DPBF,
        as published) stays below the threshold at every size: its rate climbs until the leaves of a
        level are full, and falls again when they split; the formula is the average over its leaves
        (D11). Guo's list (DBF) exceeds the threshold as soon as it has a second, partly filled
        filter, and climbs by nearly 1e-4 with each further one; the formula is the corrected
        Theorem A.1 (D12). Where the tree's rate is far below the threshold, four million queries
        are too few to measure it; the number is then only computed.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    PartitionPlan plan = GrowthWorkload.plan();
    columns("keys, dpbf, dpbf measured, dbf, dbf measured, dbf filters");
    Chart chart =
        chart(
            "Rate over the number of keys: DBF climbs, DPBF stays below the threshold",
            "False positives while the set grows",
            Axis.log("keys").between(90, 1.2e6),
            Axis.log("rate").between(1e-8, 1));
    chart.dashed("threshold", 6).level(GrowthWorkload.FPP, 90, 1.2e6);
    Points listFormula = chart.curve("DBF formula", 1);
    Points listMeasured = chart.points("DBF measured", 1);
    Points treeFormula = chart.curve("DPBF formula", 0);
    Points treeMeasured = chart.points("DPBF measured", 0);
    for (int size : new int[] {10, 100, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000}) {
      long[] ids = distinct(GrowthWorkload.ids(GrowthWorkload.Spread.UNIFORM, size));
      DynamicBloomFilter list = GrowthWorkload.list(plan, ids);
      DynamicPartitionBloomFilter tree = GrowthWorkload.partition(Mode.PUBLISHED, ids);
      Arrays.sort(ids);
      double treeRate = StoredTree.of(tree).averageFpp(plan);
      Measured ofTree =
          Measured.of(GrowthWorkload.passed(tree::mightContainId, ids, QUERIES), QUERIES);
      number("dpbf/keys=%d".formatted(size), "mean rate over all absent ids")
          .formula(treeRate)
          .measured(ofTree);
      long listQueries = Math.min(QUERIES, 40_000_000L / list.size() / 10);
      double listRate = listRate(plan, ids);
      Measured ofList =
          Measured.of(GrowthWorkload.passed(list::mightContain, ids, listQueries), listQueries);
      number(
              "dbf/keys=%d".formatted(size),
              "rate of a list of " + Prose.plural(list.size(), "filter"))
          .formula(listRate)
          .measured(ofList)
          .erratum("D12");
      number(
              "dpbf-bound/keys=%d".formatted(size),
              "1 if the rate of the fullest leaf is at most 1e-4")
          .stated(1, 0)
          .counted(worst(tree, plan) <= GrowthWorkload.FPP * slack(plan) ? 1 : 0);
      row(ids.length, treeRate, ofTree.value(), listRate, ofList.value(), list.size());
      treeMeasured.add(size, ofTree);
      listMeasured.add(size, ofList);
    }
    for (double size = 10; size < 1.01e6; size *= Math.pow(10, 0.1)) {
      long[] ids = distinct(GrowthWorkload.ids(GrowthWorkload.Spread.UNIFORM, (int) size));
      treeFormula.add(size, TreeShape.of(plan, ids).averageFpp(plan));
      listFormula.add(size, listRate(plan, ids));
    }
  }

  private static double listRate(PartitionPlan plan, long[] ids) {
    return DynamicBloomFilter.fpp(ids.length, plan.unitKeys(), plan.unitBits(), plan.hashes());
  }

  private static double worst(DynamicPartitionBloomFilter tree, PartitionPlan plan) {
    return StoredTree.of(tree).leaves().stream()
        .mapToDouble(leaf -> BloomRates.fppClassic(plan.unitBits(), leaf.keys(), plan.hashes()))
        .max()
        .orElseThrow();
  }

  /** Returns how far the power form may exceed the rate of Eq. 1 (see errata D1 and C1). */
  private static double slack(PartitionPlan plan) {
    return 1 + plan.hashes() * (plan.hashes() + 1) / (4.0 * plan.unitBits());
  }

  /** Returns the ids without repetitions, in their own order. */
  private static long[] distinct(long[] ids) {
    return Arrays.stream(ids).distinct().toArray();
  }
}
