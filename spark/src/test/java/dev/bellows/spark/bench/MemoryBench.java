package dev.bellows.spark.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The least heap with which {@link MemoryQuery} ends, found by halving. */
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
    for (String who : List.of("bellows", "spark")) {
      table.add(least(who));
    }
    return table;
  }

  private BenchReport.Memory least(String who) throws Exception {
    int fails = LEAST_MB - STEP_MB;
    int passes = MOST_MB;
    double seconds = seconds(who, passes);
    while (passes - fails > STEP_MB) {
      int middle = (fails + passes) / 2 / STEP_MB * STEP_MB;
      double taken = seconds(who, middle);
      if (Double.isNaN(taken)) {
        fails = middle;
      } else {
        passes = middle;
        seconds = taken;
      }
    }
    if (Double.isNaN(seconds)) {
      throw new IllegalStateException("%s fails with -Xmx%dm".formatted(who, MOST_MB));
    }
    return new BenchReport.Memory(who, passes, seconds);
  }

  /** The wall time with a heap, NaN where it does not suffice. */
  private double seconds(String who, int megabytes) throws Exception {
    long start = System.nanoTime();
    boolean passed = passes(who, megabytes);
    double taken = (System.nanoTime() - start) / 1e9;
    System.err.printf("%s with -Xmx%dm: %s, %.1f s%n", who, megabytes, passed, taken);
    return passed ? taken : Double.NaN;
  }

  private boolean passes(String who, int megabytes) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens"))
            .toList());
    command.add("-Xmx" + megabytes + "m");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(MemoryQuery.class.getName(), who, "" + keys));
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
