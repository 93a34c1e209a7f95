package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.KeyFilter;
import dev.bellows.ScalableBloomFilter;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A query, one by one, half hits, of a filter that grew from 1000 keys beside a pre-sized one. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-Xmx8g")
public class ScalableBenchmark {
  private static final double FPP = 0.004;
  private static final int QUERIES = 1 << 20;

  /** What is asked. */
  public enum Size {
    PRESIZED,
    GROWN
  }

  @Param Size size;

  @Param({"1000000", "10000000", "100000000"})
  int keys;

  private KeyFilter filter;
  private final long[] queries = new long[QUERIES];
  private int next;

  /** Fills the filter and draws the queries. */
  @Setup(Level.Trial)
  public void fill() {
    filter =
        size == Size.PRESIZED ? BloomFilter.create(keys, FPP) : ScalableBloomFilter.create(FPP);
    for (long key = 0; key < keys; key++) {
      filter.put(key);
    }
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < QUERIES; i++) {
      queries[i] = random.nextBoolean() ? random.nextLong(keys) : -1 - random.nextLong(1L << 40);
    }
  }

  /** One query. */
  @Benchmark
  public boolean query() {
    next = (next + 1) & (QUERIES - 1);
    return filter.mightContain(queries[next]);
  }
}
