package dev.bellows.bench.operations;

import dev.bellows.bench.peers.BenchKeys;
import dev.bellows.bench.peers.Contender;
import dev.bellows.bench.peers.Role;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Puts a million keys into a new filter, including its allocation; the time is per key. */
@SuppressWarnings("NullAway.Init")
public class PutLongs extends PeerBenchmark {
  public static final int KEYS = 1_000_000;

  @Param("LONGS")
  public Role role;

  private long[] keys;

  @Setup
  public void draw() {
    keys = BenchKeys.longs(KEYS);
  }

  /** Key by key, as from any thread. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public Contender put() {
    Contender filter = peer.make(role, KEYS);
    for (long key : keys) {
      filter.put(key);
    }
    return filter;
  }

  /** By one owner. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public Contender load() {
    Contender filter = peer.make(role, KEYS);
    filter.load(keys);
    filter.loaded();
    return filter;
  }

  /** A whole array in one call, as from any thread. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public Contender putBatch() {
    Contender filter = peer.make(role, KEYS);
    filter.putBatch(keys);
    return filter;
  }
}
