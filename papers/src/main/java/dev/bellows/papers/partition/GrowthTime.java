package dev.bellows.papers.partition;

import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.LongPredicate;

/** 002 Figure 2: the time of a query, as a ratio. */
final class GrowthTime extends Item {
  /** The true median lies outside all of 31 repetitions with a chance of 2 / 2^31 < 1e-9. */
  private static final int REPETITIONS = 31;

  private static final int WARM_UP = 6;

  /** Enough that the tree is in the caches, where the list, in which all is asked, always is. */
  private static final int TREE_QUERIES = 200_000;

  GrowthTime() {
    super(
        "002/figure-2",
        "Figure 2: query time of DBF over that of the partition filter",
        "The document reports that a query to its tree is two orders of magnitude faster than one to the"
            + " list at a million keys; its abstract says up to three. Times depend on the machine, so their"
            + " ratio is shown, of the thread's own CPU: the median of 31 repetitions in which both answer,"
            + " half of them for keys, with the range of all repetitions as interval. The list asks up to"
            + " 977 filters, the tree one: two orders at a million keys, and none below a thousand. The ratio"
            + " depends on the caches: the tree (EXACT_LEAVES) answers 200,000 queries at a time; asked a thousand"
            + " at a time, in turn with the list, it was cold and the ratio at a million keys was 45.",
        Pace.ALONE);
  }

  @Override
  protected void fill() {
    columns("keys, dpbf ns, dbf ns, ratio, lowest, highest");
    Points ratios = new Points();
    Result last = null;
    for (int size : new int[] {10, 100, 1000, 10_000, 100_000, 1_000_000}) {
      long[] ids = GrowthWorkload.ids(GrowthWorkload.Spread.UNIFORM, size);
      DynamicBloomFilter list = GrowthWorkload.list(ids);
      DynamicPartitionBloomFilter tree = GrowthWorkload.partition(Mode.EXACT_LEAVES);
      tree.putIds(ids);
      long[] treeQueries = GrowthWorkload.queries(ids, TREE_QUERIES);
      long[] listQueries =
          GrowthWorkload.queries(ids, Math.max(1000, Math.min(50_000, 1_000_000 / list.size())));
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
      double lowest = ratio[0];
      double highest = ratio[REPETITIONS - 1];
      last =
          number("keys=%d".formatted(size), "time of DBF over time of DPBF, median")
              .measured(ratio[middle], lowest, highest, 2 / Math.pow(2, REPETITIONS))
              .build();
      row(size, ofTree[middle], ofList[middle], ratio[middle], lowest, highest);
      ratios.add(size, ratio[middle], lowest, highest);
    }
    number("orders", "orders of magnitude between them at a million keys")
        .printed(2, 0.5)
        .measured(
            Math.log10(last.measured()),
            Math.log10(last.low()),
            Math.log10(last.high()),
            last.alpha());
    picture(
        "Query time of DBF over that of DPBF, by the number of keys",
        Chart.of(
                "How many times longer a query to DBF takes",
                Axis.log("keys").between(7, 1.5e6),
                Axis.log("time of DBF / time of DPBF").between(0.1, 1000))
            .dashed("equal", 6, Points.level(1, 10, 1e6))
            .dashed("two orders of magnitude", 3, Points.level(100, 10, 1e6))
            .curve("median", 1, ratios)
            .points("all repetitions", 1, ratios));
  }

  private static double nanos(LongPredicate filter, long[] queries) {
    long hits = 0;
    long start = cpu();
    for (long id : queries) {
      hits += filter.test(id) ? 1 : 0;
    }
    long time = cpu() - start;
    if (hits == 0) {
      throw new IllegalStateException("no query of " + queries.length + " was answered with yes");
    }
    return (double) time / queries.length;
  }

  /** Time of the thread's own, which other work on the machine disturbs less. */
  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
