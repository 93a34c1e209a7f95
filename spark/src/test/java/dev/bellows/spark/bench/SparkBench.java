package dev.bellows.spark.bench;

import dev.bellows.BloomFilter;
import dev.bellows.spark.BellowsExtensions;
import dev.bellows.spark.BloomJoin;
import dev.bellows.spark.LocalSpark;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.BloomFilterAggregate;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;

/**
 * {@code bellows_agg} beside Spark's own {@code bloom_filter_agg}, told the right size and wrong
 * ones, and a join with and without {@code BloomJoin}: {@code mvn -B -pl spark -am test
 * -Pspark-bench}. Not part of the tests: its name does not end in Test.
 */
class SparkBench {
  private static final long ROWS = Long.getLong("bench.rows", 1_000_000);
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);
  private static final long KEYS = ROWS / 25;
  private static final double FPP = 0.01;
  private static final int ABSENT_KEYS = 2_000_000;

  private final AtomicLong shuffled = new AtomicLong();
  private final AtomicLong cpuNanos = new AtomicLong();
  private final SparkSession spark = session();

  private SparkSession session() {
    LocalSpark.stop();
    SparkSession session =
        SparkSession.builder()
            .master("local[" + Runtime.getRuntime().availableProcessors() + "]")
            .appName("bellows bench")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", 16)
            .config("spark.sql.extensions", BellowsExtensions.class.getName())
            .config("spark.sql.optimizer.runtime.bloomFilter.maxNumItems", 1L << 40)
            .config("spark.sql.optimizer.runtime.bloomFilter.maxNumBits", 1L << 33)
            .getOrCreate();
    session
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.taskMetrics() != null) {
                  shuffled.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
                  cpuNanos.addAndGet(end.taskMetrics().executorCpuTime());
                }
              }
            });
    return session;
  }

  /** Keys at a power law, every one at least once, over 400 tasks of three very unlike sizes. */
  private Dataset<Row> rows(long rows) {
    long half = rows / 2;
    long most = rows / 10 * 8;
    String draw = "shiftrightunsigned(xxhash64(id), 11) * 1.1102230246251565E-16D";
    return spark
        .range(0, half, 1, 16)
        .union(spark.range(half, most, 1, 64))
        .union(spark.range(most, rows, 1, 320))
        .toDF("id")
        .selectExpr("id", draw + " AS u")
        .selectExpr(
            "if(id %% 25 = 0, id div 25, cast(%d * u * u * u * u AS BIGINT)) AS key"
                .formatted(rows / 25));
  }

  /** What one run gave: wall time, its tasks' processor time and the bytes they shuffled. */
  private record Measured<T>(T result, double seconds, double cpuSeconds, long shuffleBytes) {}

  private <T> Measured<T> measured(Callable<T> job) throws Exception {
    System.gc();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    shuffled.set(0);
    cpuNanos.set(0);
    long start = System.nanoTime();
    T result = job.call();
    double seconds = (System.nanoTime() - start) / 1e9;
    spark.sparkContext().listenerBus().waitUntilEmpty();
    return new Measured<>(result, seconds, cpuNanos.get() / 1e9, shuffled.get());
  }

  private static Column bellows() {
    return functions.expr("bellows_agg(key, " + FPP + ")");
  }

  /** Spark's aggregate, told a number of keys and the bits they need at the rate. */
  private static Column sparks(long keys) {
    long bits = (long) (-keys * Math.log(FPP) / (Math.log(2) * Math.log(2)));
    Expression key = ExpressionUtils.expression(functions.col("key"));
    return ExpressionUtils.column(
        new BloomFilterAggregate(
            key,
            ExpressionUtils.expression(functions.lit(keys)),
            ExpressionUtils.expression(functions.lit(bits))));
  }

  private byte[] built(long rows, Column aggregate) {
    return rows(rows).agg(aggregate).head().getAs(0);
  }

  private static LongPredicate reader(boolean ours, byte[] bytes) throws IOException {
    if (ours) {
      return BloomFilter.fromBytes(bytes)::mightContain;
    }
    return org.apache.spark.util.sketch.BloomFilter.readFrom(new ByteArrayInputStream(bytes))
        ::mightContainLong;
  }

  private static double measuredFpp(LongPredicate filter) {
    int passed = 0;
    for (long i = 0; i < ABSENT_KEYS; i++) {
      passed += filter.test(KEYS + i) ? 1 : 0;
    }
    return (double) passed / ABSENT_KEYS;
  }

  private record Contender(String name, Column aggregate, boolean ours) {}

  private List<BenchReport.Aggregate> aggregates() throws Exception {
    List<Contender> contenders =
        List.of(
            new Contender("Bellows, told nothing", bellows(), true),
            new Contender("Spark, told the right size", sparks(KEYS), false),
            new Contender("Spark, told a tenth", sparks(KEYS / 10), false),
            new Contender("Spark, told ten times", sparks(KEYS * 10), false));
    List<List<Measured<byte[]>>> runs = new ArrayList<>();
    for (Contender contender : contenders) {
      built(Math.min(ROWS, 2_000_000), contender.aggregate); // warm up
      runs.add(new ArrayList<>());
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < contenders.size(); i++) {
        Column aggregate = contenders.get(i).aggregate;
        runs.get(i).add(measured(() -> built(ROWS, aggregate)));
        progress(contenders.get(i).name, runs.get(i).get(round));
      }
    }
    List<BenchReport.Aggregate> rows = new ArrayList<>();
    for (int i = 0; i < contenders.size(); i++) {
      Measured<byte[]> last = runs.get(i).get(ROUNDS - 1);
      rows.add(
          new BenchReport.Aggregate(
              contenders.get(i).name,
              runs.get(i).stream().map(Measured::seconds).sorted().toList(),
              runs.get(i).stream().map(Measured::cpuSeconds).sorted().toList(),
              last.shuffleBytes,
              last.result.length,
              measuredFpp(reader(contenders.get(i).ours, last.result))));
    }
    return rows;
  }

  private List<BenchReport.Join> joins() throws Exception {
    long few = Math.max(1, ROWS / 1000);
    Dataset<Row> large =
        spark
            .range(0, ROWS, 1, 64)
            .selectExpr("id AS key", "concat('row ', id) AS payload", "id % 97 AS amount");
    Dataset<Row> small =
        spark.range(0, few, 1, 4).selectExpr("id * 1000 AS key", "concat('name ', id) AS name");
    Column sum = functions.expr("sum(amount + length(payload) + length(name))");
    List<BenchReport.Join> rows = new ArrayList<>();
    for (boolean broadcast : new boolean[] {false, true}) {
      spark.conf().set("spark.sql.autoBroadcastJoinThreshold", broadcast ? "100MB" : "-1");
      for (boolean prefilter : new boolean[] {false, true}) {
        List<Double> seconds = new ArrayList<>();
        List<Double> cpuSeconds = new ArrayList<>();
        Measured<Long> last = null;
        for (int round = 0; round < ROUNDS; round++) {
          last =
              measured(
                  () ->
                      (prefilter ? BloomJoin.prefilter(large, small, "key") : large)
                          .join(small, "key")
                          .agg(sum)
                          .head()
                          .getLong(0));
          seconds.add(last.seconds);
          cpuSeconds.add(last.cpuSeconds);
          progress("join, broadcast " + broadcast + ", prefilter " + prefilter, last);
        }
        rows.add(
            new BenchReport.Join(
                broadcast ? "broadcast join" : "sort-merge join",
                prefilter,
                seconds.stream().sorted().toList(),
                cpuSeconds.stream().sorted().toList(),
                last.shuffleBytes,
                last.result));
      }
    }
    return rows;
  }

  private static void progress(String what, Measured<?> run) {
    System.err.printf(
        "%s: %.1f s, tasks %.1f s, shuffle %.1f MB%n",
        what, run.seconds, run.cpuSeconds, run.shuffleBytes / 1e6);
  }

  @Test
  void run() throws Exception {
    measured(() -> rows(ROWS).agg(functions.max("key")).head());
    double scan = measured(() -> rows(ROWS).agg(functions.max("key")).head()).seconds;
    BenchReport report = new BenchReport(ROWS, KEYS, FPP, ABSENT_KEYS, scan, aggregates(), joins());
    Path out = Path.of(System.getProperty("bench.out", "target/spark-bench"));
    report.write(out);
    spark.stop();
  }
}
