package dev.bellows.spark.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The least heap with which {@link MemoryQuery} ends, found by halving. */
final class MemoryBench {
  private static final int STEP_MB = 50;
  private static final int LEAST_MB = 250;
  private static final int MOST_MB = 1600;
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
    double seconds = Double.NaN;
    while (passes - fails > STEP_MB) {
      int middle = (fails + passes) / 2 / STEP_MB * STEP_MB;
      long start = System.nanoTime();
      boolean passed = passes(who, middle);
      double taken = (System.nanoTime() - start) / 1e9;
      System.err.printf("%s with -Xmx%dm: %s, %.1f s%n", who, middle, passed, taken);
      if (passed) {
        passes = middle;
        seconds = taken;
      } else {
        fails = middle;
      }
    }
    return new BenchReport.Memory(who, passes, seconds);
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
