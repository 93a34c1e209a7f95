package dev.bellows.bench;

import dev.bellows.bench.operations.LargeFilter;
import dev.bellows.bench.operations.ThreadedPut;
import dev.bellows.bench.operations.WholeFilters;
import dev.bellows.bench.peers.Peer;
import java.nio.file.Path;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One contender in one benchmark, which JMH runs in a fork; how long and how often it measures is
 * in the benchmark's annotations. Several operations may use the same trial.
 *
 * @param benchmark the class of the benchmark
 * @param method its method
 * @param peer the contender
 * @param parameters the other parameters
 */
record Trial(Class<?> benchmark, String method, Peer peer, Map<String, String> parameters) {
  private static final String CLASS_PATH = "java.class.path";

  static {
    System.setProperty("jmh.ignoreLock", "true");
    // a run that is interrupted leaves no fork behind
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () ->
                    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
  }

  /**
   * Runs one fork.
   *
   * @throws RunnerException if it gives no result; others may still do
   */
  BenchmarkResult run() throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + (benchmark.getName() + "." + method).replace(".", "\\.") + "$")
            .param("peer", peer.name())
            .forks(1)
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    parameters.forEach((name, value) -> options.param(name, value));
    return new Runner(options.build()).runSingle().getBenchmarkResults().iterator().next();
  }

  /** Runs one fork with the classes of another build, which has the same benchmarks. */
  BenchmarkResult run(Path jar) throws RunnerException {
    String own = System.getProperty(CLASS_PATH);
    System.setProperty(CLASS_PATH, jar.toString()); // JMH passes it to its forks
    try {
      return run();
    } finally {
      System.setProperty(CLASS_PATH, own);
    }
  }

  /** Describes a failure in one line: what JMH says, and what happened in the fork. */
  String describe(RunnerException e) {
    StringBuilder line = new StringBuilder(this + ": " + e.getMessage());
    if (e.getCause() != null) {
      for (Throwable inFork : e.getCause().getSuppressed()) {
        line.append(": ").append(inFork.getMessage());
      }
    }
    return line.toString();
  }

  /** Returns how often a full run repeats it: once where filling alone takes a minute. */
  int passes() {
    boolean slow = peer == Peer.HADOOP || peer == Peer.COMMONS;
    return slow && benchmark == LargeFilter.class ? 1 : 2;
  }

  /** About how many seconds a fork takes: a large filter is as slow as its contender's puts. */
  double seconds() {
    if (benchmark == LargeFilter.class) {
      return switch (peer) {
        case GUAVA, SPARK_V1, SPARK_V2 -> 45;
        case HADOOP, COMMONS, SCALABLE -> 75;
        default -> 15;
      };
    }
    return benchmark == ThreadedPut.class ? 5 : benchmark == WholeFilters.class ? 3.5 : 1.9;
  }

  @Override
  public String toString() {
    return peer.label() + ", " + benchmark.getSimpleName() + " " + method;
  }
}
