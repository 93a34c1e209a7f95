package dev.bellows.bench.operations;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.bench.peers.BenchKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of filling a filter in its file instead of on the heap, for a file that fits into the
 * page cache. It is not an operation of the page, because no peer has it: {@code java -cp
 * bench/target/launcher/bellows.jar org.openjdk.jmh.Main LoadFile}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
@SuppressWarnings("NullAway.Init")
public class LoadFile {
  private static final int KEYS = 1 << 22;

  /** 256 MiB: more than the caches of a processor. */
  private static final long BITS = 1L << 31;

  /** How keys choose bits. */
  @Param({"BLOCKED", "CLASSIC"})
  public Layout.Family layout;

  /** Where the bits are. */
  @Param({"heap", "file"})
  public String place;

  private long[] keys;
  private Path folder;
  private BloomFilter.Loader loader;

  /** Draws the keys. */
  @Setup
  public void draw() throws IOException {
    keys = BenchKeys.longs(0, KEYS);
    folder = Files.createTempDirectory("bellows");
  }

  /** Begins an empty filter. */
  @Setup(Level.Iteration)
  public void begin() throws IOException {
    BloomFilter.Builder builder = BloomFilter.builder().layout(layout).bits(BITS).hashes(6);
    loader = place.equals("heap") ? builder.loader() : builder.loader(folder.resolve("filter"));
  }

  /** Abandons it. */
  @TearDown(Level.Iteration)
  public void end() {
    loader.close();
  }

  /** Deletes what was made. */
  @TearDown
  public void sweep() throws IOException {
    Files.delete(folder);
  }

  /** Puts the keys in groups. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public BloomFilter.Loader put() {
    loader.putAll(keys);
    return loader;
  }
}
