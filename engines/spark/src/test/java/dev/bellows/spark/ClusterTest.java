package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A real cluster on loopback: a master, two workers and their executors as processes. */
@Tag("engines")
class ClusterTest {
  private static final int TASKS = 30;
  private static final int KEYS = 30_000;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path home;

  private static StandaloneCluster cluster;
  private static SparkSession spark;

  @BeforeAll
  static void start() throws Exception {
    LocalSpark.stop();
    cluster = StandaloneCluster.start(home);
    spark =
        SparkSession.builder()
            .master(cluster.url())
            .appName("bellows cluster")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.executor.memory", "500m")
            .config("spark.executor.cores", 1)
            .config("spark.executor.extraClassPath", cluster.folders())
            .config("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1")
            .config("spark.scheduler.minRegisteredResourcesRatio", 1)
            .config("spark.sql.extensions", BellowsExtensions.class.getName())
            .config("spark.sql.warehouse.dir", home.toString())
            .getOrCreate();
  }

  @AfterAll
  static void end() {
    try {
      if (spark != null) {
        spark.stop();
      }
    } finally {
      if (cluster != null) {
        cluster.close();
      }
    }
  }

  /** Ends one executor's process once a few tasks are done. */
  private static final class Killer extends SparkListener {
    final AtomicInteger done = new AtomicInteger();
    final AtomicInteger doneAtDeath = new AtomicInteger(-1);
    final AtomicBoolean removed = new AtomicBoolean();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      if (done.incrementAndGet() >= 6 && doneAtDeath.compareAndSet(-1, done.get())) {
        cluster.executors().get(0).destroyForcibly();
      }
    }

    @Override
    public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
      removed.set(true);
    }
  }

  @Test
  void aKilledExecutorLeavesNoTraceInTheFilter() throws Exception {
    Killer killer = new Killer();
    spark.sparkContext().addSparkListener(killer);
    // every task sleeps, so that the executor dies while there is work left
    byte[] bytes =
        spark
            .sql(
                "SELECT bellows_agg(concat('key ', id), 0.001) FROM range(0, %d, 1, %d)"
                        .formatted(KEYS, TASKS)
                    + " WHERE id %% %d <> 0 OR reflect('java.lang.Thread', 'sleep', 250L) <> ''"
                        .formatted(KEYS / TASKS))
            .head()
            .getAs(0);
    assertThat(killer.doneAtDeath.get()).isBetween(6, TASKS - 1);
    assertThat(killer.removed).isTrue();
    assertThat(killer.done.get()).as("tasks with those done twice").isGreaterThan(TASKS);

    BloomFilter filter = BloomFilter.fromBytes(bytes);
    BloomFilter java = BloomFilter.builder().bits(filter.bits()).hashes(filter.hashes()).build();
    for (int i = 0; i < KEYS; i++) {
      java.put("key " + i);
    }
    assertThat(filter).isEqualTo(java);
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(0.001);
  }

  @Test
  void everyExecutorReadsTheFilterOfAJoinOnce() {
    Dataset<Row> small = spark.sql("SELECT id * 100 AS k, 'vip' AS name FROM range(0, 1000)");
    Dataset<Row> large = spark.sql("SELECT id AS k FROM range(0, 200000, 1, 12)");
    Dataset<Row> likely = BloomJoin.prefilter(large, small, "k");
    assertThat(likely.count()).isBetween(1000L, 5000L);
    assertThat(likely.join(small, "k").count()).isEqualTo(1000);
    Row reads =
        spark
            .sql(
                "SELECT max(r) FROM (SELECT cast(reflect('dev.bellows.spark.internal.SharedFilter',"
                    + " 'reads') AS INT) AS r FROM range(0, 12, 1, 12))")
            .head();
    assertThat(reads.getInt(0)).isEqualTo(1);
  }
}
