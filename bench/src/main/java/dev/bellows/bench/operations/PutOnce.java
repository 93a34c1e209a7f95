package dev.bellows.bench.operations;

import dev.bellows.BloomFilter;
import dev.bellows.bench.peers.BenchKeys;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of {@code putIfAbsent} compared with {@code put}: new keys into an empty filter, and the
 * same keys from every thread, so that they contend. The time is per key of one thread. It is not
 * an operation of the page, because no peer has it: {@code java -cp
 * bench/target/launcher/bellows.jar org.openjdk.jmh.Main PutOnce -t 1}, and {@code -t 2} for two
 * threads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 10)
@Fork(2)
@SuppressWarnings("NullAway.Init")
public class PutOnce {
  private static final int KEYS = 1 << 21;

  private final LongAdder told = new LongAdder();
  private BloomFilter filter;
  private boolean isExact;

  /** Makes the filter. */
  @Setup(Level.Iteration)
  public void empty() {
    filter = BloomFilter.create(KEYS, 0.01);
    told.reset();
    isExact = false;
  }

  /** No key may be reported as new twice. */
  @TearDown(Level.Iteration)
  public void check() {
    if (isExact && told.sum() > KEYS) {
      throw new IllegalStateException(told + " new keys of " + KEYS);
    }
  }

  /** The keys, in an order of each thread: two halves, the other one first in every second. */
  @State(Scope.Thread)
  public static class Part {
    private static final AtomicInteger NEXT = new AtomicInteger();
    private long[] keys;

    /** Draws them. */
    @Setup
    public void draw() {
      long[] all = BenchKeys.longs(0, KEYS);
      keys = new long[KEYS];
      int first = NEXT.getAndIncrement() % 2 * (KEYS / 2);
      for (int i = 0; i < KEYS; i++) {
        keys[i] = all[(first + i) % KEYS];
      }
    }
  }

  /** Without a lock: several threads may report the same key as new. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public long put(Part part) {
    long count = 0;
    for (long key : part.keys) {
      count += filter.put(key) ? 1 : 0;
    }
    told.add(count);
    return count;
  }

  /** Under a striped lock: exactly one thread reports it. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public long putIfAbsent(Part part) {
    isExact = true;
    long count = 0;
    for (long key : part.keys) {
      count += filter.putIfAbsent(key) ? 1 : 0;
    }
    told.add(count);
    return count;
  }
}
