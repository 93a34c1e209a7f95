package dev.bellows.bench.operations;

import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import dev.bellows.bench.peers.WholeFilter;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What touches all bits of filters for fifty million keys, 60 MB and up: more than caches hold. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init")
public class WholeFilters {
  public static final long KEYS = 50_000_000;

  @Param("BLOCKED")
  public Peer peer;

  @Param("UNION")
  public Role role;

  private WholeFilter filter;

  @Setup
  public void fill() {
    filter = peer.whole(role, KEYS);
  }

  @Benchmark
  public Object union() throws IOException {
    return filter.union();
  }

  @Benchmark
  public Object intersection() throws IOException {
    return filter.intersection();
  }

  @Benchmark
  public Object fold() {
    return filter.fold();
  }

  @Benchmark
  public Object write() throws IOException {
    return filter.write();
  }

  @Benchmark
  public Object read() throws IOException {
    return filter.read();
  }

  @Benchmark
  public Object copy() {
    return filter.copy();
  }
}
