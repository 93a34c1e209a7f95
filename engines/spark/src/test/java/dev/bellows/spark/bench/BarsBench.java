package dev.bellows.spark.bench;

import dev.bellows.spark.BloomJoin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.spark.package$;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;

/**
 * Whether a filter pays off: joins that drop nothing and nearly everything, and filters of distinct
 * and of repeated keys, each next to what Spark has itself. The contenders alternate, in another
 * order in every round, and are compared by the processor time of their tasks. {@code mvn -B -pl
 * spark -am test -Pspark-bench -Dtest=BarsBench -Dbench.rows=30000000} writes {@code
 * docs/bench/spark-bars.md}.
 */
class BarsBench {
  private static final long ROWS = Long.getLong("bench.rows", 1_000_000);
  private static final int ROUNDS = Integer.getInteger("bars.rounds", 5);
  private static final int ROWS_PER_KEY = 30;
  private static final String RUNTIME_FILTER = "spark.sql.optimizer.runtime.bloomFilter.";

  /** Two-sided 95 % points of Student's t for 1, 2, ... degrees of freedom. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262
  };

  private final Measuring measuring = new Measuring();
  private final StringBuilder page = new StringBuilder();

  private record Contender(String name, Callable<?> job) {}

  @Test
  void run() throws Exception {
    long keys = Math.max(1, ROWS / ROWS_PER_KEY);
    page.append(
        text(
            """
            # When a filter pays on Spark

            Spark %s in local mode, Java %s, %d processors, %s. Made by `BarsBench`: %d rounds after one to warm up, in which the contenders alternate.
            Times are the processor time of all tasks, their mean with a 95 %% interval (Student's t); ratios are means of the ratios within a round, with their interval.
            """,
            package$.MODULE$.SPARK_VERSION(),
            System.getProperty("java.version"),
            Runtime.getRuntime().availableProcessors(),
            LocalDate.now(ZoneOffset.UTC),
            ROUNDS));
    for (int droppedPercent : new int[] {0, 95}) {
      table(
          "A join of %,d rows with %,d rows that drops %d %%".formatted(ROWS, keys, droppedPercent),
          joins(ROWS, keys, droppedPercent));
    }
    long distinct = Math.max(1, ROWS / 10);
    table("A filter of %,d distinct keys".formatted(distinct), aggregates(distinct, distinct));
    table(
        "A filter of %,d keys in %,d rows".formatted(distinct / 25, distinct),
        aggregates(distinct, distinct / 25));
    Path out = Path.of(System.getProperty("bench.out", "target/spark-bench") + "-bars.md");
    Files.createDirectories(out.toAbsolutePath().getParent());
    Files.writeString(out, page);
    measuring.spark.stop();
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  private List<Contender> joins(long rows, long keys, int droppedPercent) {
    measuring.spark.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
    long allKeys = keys * 100 / (100 - droppedPercent);
    Dataset<Row> large =
        measuring
            .spark
            .range(0, rows, 1, 16)
            .selectExpr(
                "id %% %d AS key".formatted(allKeys),
                "concat('row ', id) AS payload",
                "id % 97 AS amount");
    Dataset<Row> small =
        measuring
            .spark
            .range(0, 2 * keys, 1, 4)
            .where("id % 2 = 0") // Spark filters only if a condition makes this side small
            .selectExpr("id div 2 AS key", "concat('name ', id) AS name");
    Column sum = functions.expr("sum(amount + length(payload) + length(name))");
    return List.of(
        new Contender("no filter", () -> filtered(false, large.join(small, "key"), sum)),
        new Contender(
            "Spark's runtime filter", () -> filtered(true, large.join(small, "key"), sum)),
        new Contender(
            "BloomJoin", () -> filtered(false, BloomJoin.join(large, small, "inner", "key"), sum)));
  }

  private long filtered(boolean bySpark, Dataset<Row> joined, Column sum) {
    var conf = measuring.spark.conf();
    conf.set(RUNTIME_FILTER + "enabled", bySpark);
    conf.set(RUNTIME_FILTER + "applicationSideScanSizeThreshold", "0");
    conf.set(RUNTIME_FILTER + "creationSideThreshold", "10GB");
    return joined.agg(sum).head().getLong(0);
  }

  private List<Contender> aggregates(long rows, long keys) {
    Dataset<Row> column =
        measuring.spark.range(0, rows, 1, 8).selectExpr("id %% %d AS key".formatted(keys));
    return List.of(
        new Contender(
            "Spark, told the right size", () -> size(column, AggregateBench.sparks(keys))),
        new Contender("Bellows, told nothing", () -> size(column, AggregateBench.bellows())),
        new Contender(
            "Bellows, frozen",
            () ->
                size(
                    column,
                    functions.expr("bellows_frozen_agg(key, " + AggregateBench.FPP + ")"))));
  }

  private static long size(Dataset<Row> rows, Column aggregate) {
    byte[] filter = rows.agg(aggregate).head().getAs(0);
    return filter.length;
  }

  /** Measures contenders in turn; all but the size of filters must be the same result. */
  private void table(String title, List<Contender> contenders) throws Exception {
    List<List<Double>> seconds = new ArrayList<>();
    List<Object> results = new ArrayList<>();
    for (Contender contender : contenders) {
      seconds.add(new ArrayList<>());
      results.add(contender.job.call());
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < contenders.size(); i++) {
        int next = (i + round) % contenders.size();
        seconds
            .get(next)
            .add(
                measuring
                    .measure(contenders.get(next).name, contenders.get(next).job)
                    .cpuSeconds());
      }
    }
    boolean isJoin = results.stream().distinct().count() == 1;
    page.append("\n## ").append(title).append("\n\n");
    page.append("| | processor time | of the first |")
        .append(isJoin ? "" : " filter |")
        .append('\n');
    page.append("|---|---|---|").append(isJoin ? "" : "---|").append('\n');
    for (int i = 0; i < contenders.size(); i++) {
      List<Double> ratios = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        ratios.add(seconds.get(i).get(round) / seconds.get(0).get(round));
      }
      page.append(
          text(
              "| %s | %s s | %s |",
              contenders.get(i).name, interval(seconds.get(i)), interval(ratios)));
      page.append(isJoin ? "\n" : text(" %.2f MB |%n", (Long) results.get(i) / 1e6));
    }
  }

  private static String interval(List<Double> values) {
    double mean = values.stream().mapToDouble(x -> x).average().orElseThrow();
    double squares = values.stream().mapToDouble(x -> (x - mean) * (x - mean)).sum();
    double half =
        STUDENT[values.size() - 2] * Math.sqrt(squares / (values.size() - 1) / values.size());
    return text("%.2f ± %.2f", mean, half);
  }
}
