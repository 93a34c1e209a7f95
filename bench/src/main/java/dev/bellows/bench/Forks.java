package dev.bellows.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs forks through JMH, which must not speak: what it says goes to a file. */
final class Forks implements AutoCloseable {
  private static final List<String> JVM =
      List.of("-Xms2g", "-Xmx8g", "-Xmn64m", "-XX:+UseG1GC", "-XX:-UsePerfData");

  private static final String CLASS_PATH = "java.class.path";

  private final Path log;
  private final Thread undertaker =
      new Thread(
          () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly));

  Forks() throws IOException {
    System.setProperty("jmh.ignoreLock", "true");
    log = Files.createTempFile("bellows-bench", ".log");
    Runtime.getRuntime().addShutdownHook(undertaker);
  }

  /** Runs one fork with the classes of a jar, which has the benchmarks of this one. */
  Fork.Result run(Fork fork, Path jar) throws IOException, Failure {
    String own = System.getProperty(CLASS_PATH);
    System.setProperty(CLASS_PATH, jar.toString()); // what JMH hands to its forks
    try {
      return run(fork);
    } finally {
      System.setProperty(CLASS_PATH, own);
    }
  }

  /** Runs one fork. */
  Fork.Result run(Fork fork) throws IOException, Failure {
    Fork.Pace pace = fork.pace();
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(fork.pattern())
            .param("peer", fork.peer().name())
            .threads(fork.threads())
            .forks(1)
            .warmupForks(0)
            .warmupIterations(pace.warmups)
            .measurementIterations(pace.iterations)
            .addProfiler(GCProfiler.class)
            .jvmArgs(JVM.toArray(String[]::new))
            .shouldFailOnError(false)
            .output(log.toString());
    if (pace.millis > 0) {
      options
          .warmupTime(TimeValue.milliseconds(pace.millis))
          .measurementTime(TimeValue.milliseconds(pace.millis));
    }
    fork.parameters().forEach((name, value) -> options.param(name, value));
    try {
      Collection<RunResult> results = new Runner(options.build()).run();
      if (results.size() == 1) {
        return result(results.iterator().next());
      }
    } catch (RunnerException e) {
      throw new Failure(fork + ": " + e.getMessage());
    }
    throw new Failure(fork + " failed: " + reason());
  }

  /** A fork that gave no result; others may still do. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    Failure(String message) {
      super(message);
    }
  }

  private static Fork.Result result(RunResult run) {
    List<IterationResult> iterations =
        run.getBenchmarkResults().stream().flatMap(b -> b.getIterationResults().stream()).toList();
    return new Fork.Result(
        iterations.stream().mapToDouble(i -> i.getPrimaryResult().getScore()).toArray(),
        iterations.stream().mapToDouble(i -> second(i, "gc.alloc.rate.norm")).toArray(),
        iterations.stream().mapToDouble(i -> second(i, "found")).toArray(),
        iterations.stream().mapToDouble(i -> second(i, "bits")).toArray());
  }

  private static double second(IterationResult iteration, String name) {
    for (var entry : iteration.getSecondaryResults().entrySet()) {
      if (entry.getKey().endsWith(name)) {
        Result<?> result = entry.getValue();
        return result.getScore();
      }
    }
    return Double.NaN;
  }

  /** The first line of the log that tells of an exception. */
  private String reason() throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains("Exception") || line.contains("Error"))
        .findFirst()
        .orElse("JMH does not say why");
  }

  @Override
  public void close() throws IOException {
    Runtime.getRuntime().removeShutdownHook(undertaker);
    Files.deleteIfExists(log);
  }
}
