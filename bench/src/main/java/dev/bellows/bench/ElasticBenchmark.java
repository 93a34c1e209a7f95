package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.ElasticBloomFilter;
import dev.bellows.KeyFilter;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A put into an elastic filter, all resizes from empty to a million keys included. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ElasticBenchmark {
  private static final int KEYS = 1_000_000;
  private static final double FPP = 0.01;

  @Benchmark
  @OperationsPerInvocation(KEYS)
  public KeyFilter elastic() {
    return filled(ElasticBloomFilter.builder().keys(KEYS).fpp(FPP).tolerance(0.004).build());
  }

  /** The same capacity without a view: what the puts alone cost. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public KeyFilter capacityAlone() {
    long capacity = ElasticBloomFilter.builder().keys(KEYS).fpp(FPP).build().capacity();
    return filled(BloomFilter.builder().capacity(capacity).fpp(FPP).build());
  }

  private static KeyFilter filled(KeyFilter filter) {
    for (long key = 0; key < KEYS; key++) {
      filter.put(key);
    }
    return filter;
  }
}
