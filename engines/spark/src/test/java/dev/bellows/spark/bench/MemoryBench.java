package dev.bellows.spark.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The smallest heap with which {@link MemoryQuery} completes, found by bisection. */
final class MemoryBench {
  private static final int STEP_MB = 50;
  private static final int LEAST_MB = 450; // Spark itself refuses less
  private static final int MOST_MB = 1250;
  private static final int PATIENCE_MINUTES = 2;

  private final long keys;

  MemoryBench(long keys) {
    this.keys = keys;
  }

  List<BenchReport.Memory> run() throws Exception {
    List<BenchReport.Memory> table = new ArrayList<>();
    for (String aggregate : List.of("bellows", "spark")) {
      table.add(least(aggregate));
    }
    return table;
  }

  private BenchReport.Memory least(String aggregate) throws Exception {
    int fails = LEAST_MB - STEP_MB;
    int passes = MOST_MB;
    double seconds = seconds(aggregate, passes);
    while (passes - fails > STEP_MB) {
      int middle = (fails + passes) / 2 / STEP_MB * STEP_MB;
      double taken = seconds(aggregate, middle);
      if (Double.isNaN(taken)) {
        fails = middle;
      } else {
        passes = middle;
        seconds = taken;
      }
    }
    if (Double.isNaN(seconds)) {
      throw new IllegalStateException("%s fails with -Xmx%dm".formatted(aggregate, MOST_MB));
    }
    return new BenchReport.Memory(aggregate, passes, seconds);
  }

  /** The wall time with a heap, NaN where it does not suffice. */
  private double seconds(String aggregate, int megabytes) throws Exception {
    long start = System.nanoTime();
    boolean passed = passes(aggregate, megabytes);
    double taken = (System.nanoTime() - start) / 1e9;
    System.err.printf("%s with -Xmx%dm: %s, %.1f s%n", aggregate, megabytes, passed, taken);
    return passed ? taken : Double.NaN;
  }

  private boolean passes(String aggregate, int megabytes) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens"))
            .toList());
    command.add("-Xmx" + megabytes + "m");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(MemoryQuery.class.getName(), aggregate, "" + keys));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0;
    } finally {
      process.destroyForcibly();
    }
  }
}
