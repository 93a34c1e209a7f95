package dev.bellows.spark.bench;

import dev.bellows.spark.BellowsExtensions;
import dev.bellows.spark.LocalSpark;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/** A session that measures what its jobs take. */
final class Measuring {
  private final AtomicLong shuffled = new AtomicLong();
  private final AtomicLong cpuNanos = new AtomicLong();
  final SparkSession spark;

  Measuring() {
    LocalSpark.stop();
    spark =
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
    spark
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
  }

  /** What one run gave: wall time, its tasks' processor time and the bytes they shuffled. */
  record Run<T>(T result, double seconds, double cpuSeconds, long shuffleBytes) {}

  <T> Run<T> measure(String name, Callable<T> job) throws Exception {
    System.gc();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    shuffled.set(0);
    cpuNanos.set(0);
    long start = System.nanoTime();
    T result = job.call();
    double seconds = (System.nanoTime() - start) / 1e9;
    spark.sparkContext().listenerBus().waitUntilEmpty();
    Run<T> run = new Run<>(result, seconds, cpuNanos.get() / 1e9, shuffled.get());
    System.err.printf(
        "%s: %.1f s, tasks %.1f s, shuffle %.2f MB%n",
        name, run.seconds, run.cpuSeconds, run.shuffleBytes / 1e6);
    return run;
  }

  static List<Double> seconds(List<? extends Run<?>> runs) {
    return runs.stream().map(Run::seconds).sorted().toList();
  }

  static List<Double> cpuSeconds(List<? extends Run<?>> runs) {
    return runs.stream().map(Run::cpuSeconds).sorted().toList();
  }
}
