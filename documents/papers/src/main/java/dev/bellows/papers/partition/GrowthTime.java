package dev.bellows.papers.partition;

import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;

/** Partition paper, Figure 2: the time of a query, as a ratio. */
final class GrowthTime extends Item {
  /** The true median lies outside the range of 31 repetitions with probability 2 / 2^31 < 1e-9. */
  private static final int REPETITIONS = 31;

  private static final int WARM_UP = 6;

  /** Enough queries that the tree is in the caches, as the list always is. */
  private static final int TREE_QUERIES = 200_000;

  GrowthTime() {
    super(
        "002/figure-2",
        "Figure 2: query time of DBF divided by that of the partition filter",
        """
        The Partition paper reports that a query to its tree is two orders of magnitude faster than
        a query to the list (DBF) at a million keys; its abstract says up to three. Times depend on
        the machine, so this page shows their ratio, in CPU time of the thread, for the structure
        as published (PUBLISHED) and for the one with exact leaves (EXACT_LEAVES). The value is the
        median of 31 repetitions, in which tree and list are queried in turn; half of the queries
        are for stored keys, and the interval is the range of all repetitions. The list queries up
        to 9,766 filters, the tree one leaf. The ratio is about 110 at a million keys, as reported.
        At ten million it is 400 to 530: the list is ten times longer, but the tree no longer fits
        into the caches, so three orders are not reached here. Below a few thousand keys there is
        no gain. Each repetition queries a tree 200,000 times, after a warm-up.\
        """,
        Pace.ALONE);
  }

  @Override
  protected void fill() {
    columns("keys, filters of DBF, structure, ns, DBF ns, ratio, lowest, highest");
    Chart chart =
        chart(
            "Query time of DBF divided by that of the partition filter, by the number of keys",
            "How many times longer a query to DBF takes",
            Axis.log("keys").between(7, 1.5e7),
            Axis.log("time of DBF / time of DPBF").between(0.05, 1e4));
    chart.dashed("equal", 6).level(1, 10, 1e7);
    chart.dashed("two orders of magnitude", 3).level(100, 10, 1e7);
    chart.dashed("three", 4).level(1000, 10, 1e7);
    List<Points> published =
        List.of(chart.curve("PUBLISHED", 2), chart.points("its repetitions", 2));
    List<Points> exact =
        List.of(chart.curve("EXACT_LEAVES", 0), chart.points("its repetitions", 0));
    for (int size : new int[] {10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000}) {
      long[] ids = GrowthWorkload.ids(GrowthWorkload.Spread.UNIFORM, size);
      DynamicBloomFilter list = GrowthWorkload.list(GrowthWorkload.plan(), ids);
      ratio(size, ids, list, Mode.PUBLISHED, published);
      ratio(size, ids, list, Mode.EXACT_LEAVES, exact);
    }
  }

  private void ratio(int size, long[] ids, DynamicBloomFilter list, Mode mode, List<Points> drawn) {
    DynamicPartitionBloomFilter tree = GrowthWorkload.partition(mode, ids);
    long[] treeQueries = GrowthWorkload.queries(ids, TREE_QUERIES);
    int listQueryCount = Math.max(200, Math.min(50_000, 1_000_000 / list.size()));
    long[] listQueries = GrowthWorkload.queries(ids, listQueryCount);
    double[] ofTree = new double[REPETITIONS];
    double[] ofList = new double[REPETITIONS];
    double[] ratio = new double[REPETITIONS];
    for (int i = -WARM_UP; i < REPETITIONS; i++) {
      double treeTime = nanos(tree::mightContainId, treeQueries);
      double listTime = nanos(list::mightContain, listQueries);
      if (i >= 0) {
        ofTree[i] = treeTime;
        ofList[i] = listTime;
        ratio[i] = listTime / treeTime;
      }
    }
    for (double[] times : new double[][] {ofTree, ofList, ratio}) {
      Arrays.sort(times);
    }
    int middle = REPETITIONS / 2;
    Measured median =
        new Measured(ratio[middle], ratio[0], ratio[REPETITIONS - 1], 2 / Math.pow(2, REPETITIONS));
    row(size, list.size(), mode.name(), ofTree[middle], ofList[middle], median);
    drawn.forEach(points -> points.add(size, median));
    String place = "%s/keys=%d".formatted(mode.word(), size);
    number(place, "time of DBF divided by that of " + mode.name() + ", median").measured(median);
    if (size == 1_000_000) {
      number(mode.word() + "/orders", "orders of magnitude at a million keys, " + mode.name())
          .printed(2, 0.5)
          .measured(
              Math.log10(median.value()),
              Math.log10(median.low()),
              Math.log10(median.high()),
              median.alpha());
    }
  }

  private static double nanos(LongPredicate filter, long[] queries) {
    long hits = 0;
    long start = GrowthWorkload.cpu();
    for (long id : queries) {
      hits += filter.test(id) ? 1 : 0;
    }
    long time = GrowthWorkload.cpu() - start;
    if (hits == 0) {
      throw new IllegalStateException("none of " + queries.length + " queries found a key");
    }
    return (double) time / queries.length;
  }
}
