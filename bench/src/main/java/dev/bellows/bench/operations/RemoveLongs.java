package dev.bellows.bench.operations;

import dev.bellows.bench.peers.Keys;
import dev.bellows.bench.peers.LongsFilter;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A million keys out of a counting filter that holds them; the time is per key. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init")
public class RemoveLongs {
  @Param("BLOCKED")
  public Peer peer;

  @Param("COUNTING")
  public Role role;

  private long[] keys;
  private LongsFilter filter;

  @Setup(Level.Trial)
  public void draw() {
    keys = Keys.longs(PutLongs.KEYS);
  }

  @Setup(Level.Invocation)
  public void fill() {
    filter = peer.longs(role, PutLongs.KEYS);
    filter.load(keys);
    filter.loaded();
  }

  @Benchmark
  @OperationsPerInvocation(PutLongs.KEYS)
  public LongsFilter remove() {
    for (long key : keys) {
      filter.remove(key);
    }
    return filter;
  }
}
