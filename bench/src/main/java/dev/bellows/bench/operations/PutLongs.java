package dev.bellows.bench.operations;

import dev.bellows.bench.peers.Keys;
import dev.bellows.bench.peers.LongsFilter;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A million keys into a fresh filter, its allocation included; the time is per key. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init")
public class PutLongs {
  public static final int KEYS = 1_000_000;

  @Param("BLOCKED")
  public Peer peer;

  @Param("LONGS")
  public Role role;

  private long[] keys;

  @Setup
  public void draw() {
    keys = Keys.longs(KEYS);
  }

  /** Key by key, as any thread may. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public LongsFilter put() {
    LongsFilter filter = peer.longs(role, KEYS);
    for (long key : keys) {
      filter.put(key);
    }
    return filter;
  }

  /** By one owner. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public LongsFilter load() {
    LongsFilter filter = peer.longs(role, KEYS);
    filter.load(keys);
    filter.loaded();
    return filter;
  }

  /** An array at once, as any thread may. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public LongsFilter putBatch() {
    LongsFilter filter = peer.longs(role, KEYS);
    filter.putBatch(keys);
    return filter;
  }
}
