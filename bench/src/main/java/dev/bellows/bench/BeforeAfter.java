package dev.bellows.bench;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Measures how a change of core affects the times of this library's filters: forks of two jars,
 * built before and after the change, alternate in one run.
 *
 * <pre>
 * java -cp bench/target/launcher/bellows.jar dev.bellows.bench.BeforeAfter \
 *     before.jar after.jar 10 query-long load-long union
 * </pre>
 *
 * The number is that of the passes; the names begin the operations to compare, all if there are
 * none. In a pass each contender runs twice, and which jar goes first alternates.
 */
public final class BeforeAfter {
  private static final PrintStream OUT = System.out;

  private BeforeAfter() {}

  /** Measures and prints a table. */
  public static void main(String[] arguments) {
    if (arguments.length < 3) {
      OUT.println("before.jar after.jar PASSES [OPERATION...]");
      return;
    }
    List<Path> jars = List.of(jar(arguments[0]), jar(arguments[1]));
    Set<Operation> operations = new LinkedHashSet<>();
    Stream.of(arguments).skip(3).forEach(n -> operations.addAll(Operations.named(false, n)));
    if (operations.isEmpty()) {
      operations.addAll(Operations.all(false));
    }
    OUT.println(
        table(operations, measure(operations, jars, Integer.parseInt(arguments[2]))).markdown());
  }

  private static Path jar(String name) {
    Path jar = Path.of(name).toAbsolutePath();
    if (!Files.isReadable(jar)) {
      throw new IllegalArgumentException("no jar is readable at " + jar);
    }
    return jar;
  }

  private static Map<Trial, List<List<BenchmarkResult>>> measure(
      Set<Operation> operations, List<Path> jars, int passes) {
    Map<Trial, List<List<BenchmarkResult>>> results = new LinkedHashMap<>();
    operations.stream()
        .flatMap(operation -> operation.trials().stream())
        .filter(trial -> trial.peer().ours())
        .forEach(trial -> results.put(trial, List.of(new ArrayList<>(), new ArrayList<>())));
    for (int pass = 0; pass < passes; pass++) {
      for (Trial trial : results.keySet()) {
        for (int turn = 0; turn < jars.size(); turn++) {
          int jar = (pass + turn) % jars.size();
          try {
            results.get(trial).get(jar).add(trial.run(jars.get(jar)));
          } catch (RunnerException e) {
            System.err.println("bellows: " + jars.get(jar) + ": " + trial.describe(e));
          }
        }
      }
      System.err.printf("bellows: pass %d of %d is done%n", pass + 1, passes);
    }
    return results;
  }

  /** Times as everywhere: the median of the least times of the forks, in brackets its interval. */
  private static ResultTable table(
      Set<Operation> operations, Map<Trial, List<List<BenchmarkResult>>> results) {
    ResultTable table = new ResultTable("", "before ns", "after ns", "after / before");
    for (Operation operation : operations) {
      for (Trial trial : operation.trials()) {
        List<List<BenchmarkResult>> both = results.getOrDefault(trial, List.of(List.of()));
        if (both.stream().noneMatch(List::isEmpty)) {
          Sample before = new Sample(both.get(0).stream().map(operation::nanos).toList());
          Sample after = new Sample(both.get(1).stream().map(operation::nanos).toList());
          table.row(
              operation.title() + ", " + trial.peer().label(),
              RunPages.interval(before.typicalEstimate()),
              RunPages.interval(after.typicalEstimate()),
              RunPages.interval(after.ratioTo(before)));
        }
      }
    }
    return table;
  }
}
