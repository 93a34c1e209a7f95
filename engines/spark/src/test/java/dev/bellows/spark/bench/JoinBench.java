package dev.bellows.spark.bench;

import dev.bellows.spark.BloomJoin;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/** Joins without a filter, with Spark's runtime filter and with {@code BloomJoin}. */
final class JoinBench {
  private static final String RUNTIME_FILTER = "spark.sql.optimizer.runtime.bloomFilter.";
  private static final String MIN_ROWS_PER_KEY = "spark.bellows.join.minRowsPerKey";
  private static final Column SUM = functions.expr("sum(amount + length(payload) + length(name))");

  /** What filters the large side. */
  private enum Filter {
    NONE("none"),
    RUNTIME("Spark's runtime filter"),
    BLOOM_JOIN("BloomJoin"),
    ALWAYS("BloomJoin, told to filter always");

    final String words;

    Filter(String words) {
      this.words = words;
    }
  }

  private final Measuring measuring;

  JoinBench(Measuring measuring) {
    this.measuring = measuring;
  }

  private Dataset<Row> large(long rows, long keys) {
    return measuring
        .spark
        .range(0, rows, 1, 64)
        .selectExpr(
            "id %% %d AS key".formatted(keys),
            "concat('row ', id) AS payload",
            "id % 97 AS amount");
  }

  /** Spark injects its filter only where a condition makes the small side small. */
  private Dataset<Row> small(long rows, long distance) {
    return measuring
        .spark
        .range(0, 2 * rows, 1, 4)
        .where("id % 2 = 0")
        .selectExpr("id div 2 * %d AS key".formatted(distance), "concat('name ', id) AS name");
  }

  /** One row in a thousand has a partner. */
  List<BenchReport.Join> selective(long rows, int rounds) throws Exception {
    Dataset<Row> large = large(rows, rows);
    Dataset<Row> small = small(Math.max(1, rows / 1000), 1000);
    List<BenchReport.Join> table = new ArrayList<>();
    for (boolean broadcast : new boolean[] {false, true}) {
      measuring
          .spark
          .conf()
          .set("spark.sql.autoBroadcastJoinThreshold", broadcast ? "100MB" : "-1");
      String name = broadcast ? "broadcast join" : "sort-merge join";
      for (Filter filter : List.of(Filter.NONE, Filter.RUNTIME, Filter.BLOOM_JOIN)) {
        if (!broadcast || filter != Filter.RUNTIME) {
          table.add(run(name, filter, large, small, filter == Filter.NONE ? 1 : rounds));
        }
      }
    }
    return table;
  }

  /** Four rows for a key, and every second has a partner. */
  List<BenchReport.Join> unselective(long keys) throws Exception {
    measuring.spark.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    Dataset<Row> large = large(4 * keys, 2 * keys);
    Dataset<Row> small = small(keys, 1);
    List<BenchReport.Join> table = new ArrayList<>();
    for (Filter filter : Filter.values()) {
      table.add(run("sort-merge join", filter, large, small, 1));
    }
    return table;
  }

  private BenchReport.Join run(
      String name, Filter filter, Dataset<Row> large, Dataset<Row> small, int rounds)
      throws Exception {
    var conf = measuring.spark.conf();
    conf.set(RUNTIME_FILTER + "enabled", filter == Filter.RUNTIME);
    conf.set(RUNTIME_FILTER + "applicationSideScanSizeThreshold", "0");
    conf.set(RUNTIME_FILTER + "creationSideThreshold", "10GB");
    if (filter == Filter.ALWAYS) {
      conf.set(MIN_ROWS_PER_KEY, 0);
    } else {
      conf.unset(MIN_ROWS_PER_KEY);
    }
    boolean bellows = filter == Filter.BLOOM_JOIN || filter == Filter.ALWAYS;
    List<Measuring.Run<Long>> runs = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      runs.add(
          measuring.measure(
              name + ", filter: " + filter.words,
              () -> {
                Dataset<Row> sum =
                    (bellows ? BloomJoin.prefilter(large, small, "key") : large)
                        .join(small, "key")
                        .agg(SUM);
                requireFilter(filter, sum);
                return sum.head().getLong(0);
              }));
    }
    Measuring.Run<Long> last = runs.get(rounds - 1);
    return new BenchReport.Join(
        name,
        filter.words,
        Measuring.seconds(runs),
        Measuring.cpuSeconds(runs),
        last.shuffleBytes(),
        last.result());
  }

  /** Spark's filter is in the plan exactly where it is compared. */
  private static void requireFilter(Filter filter, Dataset<Row> query) {
    String plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) query)
            .queryExecution()
            .optimizedPlan()
            .toString();
    if (plan.contains("bloom_filter_agg") != (filter == Filter.RUNTIME)) {
      throw new IllegalStateException(filter + " is not what this plan does: " + plan);
    }
  }
}
