package dev.bellows.bench.operations;

import dev.bellows.bench.peers.BenchKeys;
import dev.bellows.bench.peers.Contender;
import dev.bellows.bench.peers.Role;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A million keys out of a counting filter that holds them; the time is per key. */
@SuppressWarnings("NullAway.Init")
public class RemoveLongs extends PeerBenchmark {
  @Param("COUNTING")
  public Role role;

  private long[] keys;
  private Contender filter;

  @Setup(Level.Trial)
  public void draw() {
    keys = BenchKeys.longs(PutLongs.KEYS);
  }

  @Setup(Level.Invocation)
  public void fill() {
    filter = peer.make(role, PutLongs.KEYS);
    filter.load(keys);
    filter.loaded();
  }

  @Benchmark
  @OperationsPerInvocation(PutLongs.KEYS)
  public Contender remove() {
    for (long key : keys) {
      filter.remove(key);
    }
    return filter;
  }
}
