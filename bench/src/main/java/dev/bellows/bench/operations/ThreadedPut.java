package dev.bellows.bench.operations;

import dev.bellows.bench.peers.BenchKeys;
import dev.bellows.bench.peers.Contender;
import dev.bellows.bench.peers.Role;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Two threads put into one filter, each its own keys, and no key may be lost; the time is per key
 * of one thread, half of that per key of both.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@Threads(ThreadedPut.THREADS)
@Measurement(iterations = 8)
@SuppressWarnings("NullAway.Init")
public class ThreadedPut extends PeerBenchmark {
  /** The threads that put. */
  public static final int THREADS = 2;

  private static final int THREAD_KEYS = 1 << 21;

  /** The keys of all threads. */
  public static final long KEYS = (long) THREADS * THREAD_KEYS;

  private Contender filter;

  /** Creates the filter and queries it once, so that it exists before the threads start. */
  @Setup(Level.Iteration)
  public void empty() {
    filter = peer.make(Role.LONGS, KEYS);
    if (filter.mightContain(BenchKeys.mix(0))) {
      throw new IllegalStateException(peer + " finds a key before any was put");
    }
  }

  /** Looks for all keys. */
  @TearDown(Level.Iteration)
  public void check() {
    for (long i = 0; i < KEYS; i++) {
      if (!filter.mightContain(BenchKeys.mix(i))) {
        throw new IllegalStateException(peer + " lost key " + i + " of two threads");
      }
    }
  }

  /** A thread's keys. */
  @State(Scope.Thread)
  public static class Part {
    private static final AtomicInteger NEXT = new AtomicInteger();
    private long[] keys;

    @Setup
    public void draw() {
      keys = BenchKeys.longs((long) NEXT.getAndIncrement() % THREADS * THREAD_KEYS, THREAD_KEYS);
    }
  }

  @Benchmark
  @OperationsPerInvocation(THREAD_KEYS)
  public Contender put(Part part) {
    for (long key : part.keys) {
      filter.put(key);
    }
    return filter;
  }
}
