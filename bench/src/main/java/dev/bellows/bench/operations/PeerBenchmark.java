package dev.bellows.bench.operations;

import dev.bellows.bench.peers.Peer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A benchmark of one contender. Its annotations are the settings of every run: a fork measures six
 * iterations of a tenth of a second, unless the benchmark says otherwise, in a JVM with the same
 * flags for all. The young generation is small, so that contenders that allocate do not pay for the
 * first touch of fresh memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgs = {"-Xms2g", "-Xmx8g", "-Xmn64m", "-XX:+UseG1GC", "-XX:-UsePerfData"})
@SuppressWarnings("NullAway.Init")
public abstract class PeerBenchmark {
  /** The contender. */
  @Param("BLOCKED")
  public Peer peer;
}
