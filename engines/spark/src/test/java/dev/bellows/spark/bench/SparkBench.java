package dev.bellows.spark.bench;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Bellows compared with what Spark has itself: {@code mvn -B -pl engines/spark -am test
 * -Pspark-bench}. Not part of the tests: its name does not end in Test.
 */
class SparkBench {
  private static final long ROWS = Long.getLong("bench.rows", 1_000_000);
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);

  @Test
  void run() throws Exception {
    Measuring measuring = new Measuring();
    AggregateBench aggregates = new AggregateBench(measuring, ROWS);
    JoinBench joins = new JoinBench(measuring);
    BenchReport report =
        new BenchReport(
            ROWS,
            ROWS / 25,
            aggregates.scanSeconds(),
            aggregates.run(ROUNDS),
            aggregates.sizes(10_000, ROWS / 300, ROWS / 25, ROWS / 2),
            aggregates.asked(ROWS / 5000),
            joins.selective(ROWS, ROUNDS),
            ROWS / 10,
            joins.unselective(ROWS / 10),
            ROWS / 250,
            new MemoryBench(ROWS / 250).run());
    report.write(Path.of(System.getProperty("bench.out", "target/spark-bench")));
    measuring.spark.stop();
  }
}
