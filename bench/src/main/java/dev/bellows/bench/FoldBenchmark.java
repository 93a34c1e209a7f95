package dev.bellows.bench;

import dev.bellows.BloomFilter;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Folding a filter of about 1 GiB beside a copy of the same bytes. A copy reads and writes 2 GiB
 * per call, a fold by f reads 1 GiB and writes 1/f of it: compare bytes moved per second.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 4)
@Measurement(iterations = 8)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx8g", "-Xms8g", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"})
public class FoldBenchmark {
  /** 512 * 16,777,200 bits = 1.0 GiB less 1024 bytes; 16,777,200 = 2^4 3 5^2 11 31 41. */
  private static final long BITS = 512L * 16_777_200;

  @Param({"2", "3", "8", "30"})
  long factor;

  private BloomFilter filter;
  private long[] words;

  @Setup
  public void fill() {
    filter = BloomFilter.builder().bits(BITS).hashes(8).build();
    for (long i = 0; i < 1_000_000; i++) {
      filter.put(i);
    }
    words = new long[(int) (BITS / 64)];
    Arrays.fill(words, 42);
  }

  @Benchmark
  public BloomFilter fold() {
    return filter.foldBy(factor);
  }

  /** The floor: the same bytes copied to fresh memory. */
  @Benchmark
  public long[] copy() {
    return words.clone();
  }
}
