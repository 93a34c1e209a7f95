package dev.bellows.bench.operations;

import dev.bellows.bench.peers.Contender;
import dev.bellows.bench.peers.MemoryStream;
import dev.bellows.bench.peers.Role;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Operations on all bits of filters for fifty million keys, 60 MB and more, which exceed the
 * caches.
 */
@Warmup(iterations = 3, time = 150, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 150, timeUnit = TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init")
public class WholeFilters extends PeerBenchmark {
  /** The keys that the filters are made for. */
  public static final long KEYS = 50_000_000;

  /** The operation of the contender. */
  @Param("UNION")
  public Role role;

  private Contender filter;
  private Contender other;
  private MemoryStream memory;
  private byte[] bytes;

  /** Makes two filters with some keys in them, and the bytes of the first to be read. */
  @Setup
  public void fill() throws IOException {
    filter = peer.make(role, KEYS);
    other = peer.make(role, KEYS);
    filter.fillWith(other, KEYS);
    if (role == Role.WRITE || role == Role.READ) {
      memory = new MemoryStream(filter.bits());
      bytes = filter.write(memory) instanceof byte[] array ? array : memory.bytes();
    }
  }

  /** Returns the union of both, in place where the library does so. */
  @Benchmark
  public Object union() throws Exception {
    return filter.union(other);
  }

  @Benchmark
  public Object intersection() throws Exception {
    return filter.intersection(other);
  }

  /** Returns the filter folded to half its size. */
  @Benchmark
  public Object fold() {
    return filter.fold();
  }

  /** Writes its bytes into existing memory. */
  @Benchmark
  public Object write() throws IOException {
    memory.reset();
    return filter.write(memory);
  }

  /** Returns the filter from its bytes. */
  @Benchmark
  public Object read() throws IOException {
    return filter.read(bytes);
  }

  @Benchmark
  public Object copy() {
    return filter.copy();
  }
}
