package dev.bellows.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a change of core did to the times of this library's filters: forks of two jars, one built
 * before the change and one after it, take turns in one run.
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

  private final List<Path> jars;
  private final Map<Fork, List<List<Fork.Result>>> results = new LinkedHashMap<>();

  private BeforeAfter(Path before, Path after) {
    this.jars = List.of(before, after);
  }

  /** Measures and prints a table. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 3) {
      OUT.println("before.jar after.jar PASSES [OPERATION...]");
      return;
    }
    BeforeAfter comparison = new BeforeAfter(jar(arguments[0]), jar(arguments[1]));
    Set<Operation> operations = new LinkedHashSet<>();
    for (int i = 3; i < arguments.length; i++) {
      operations.addAll(Operations.named(false, arguments[i]));
    }
    if (operations.isEmpty()) {
      operations.addAll(Operations.all(false));
    }
    comparison.measure(operations, Integer.parseInt(arguments[2]));
    OUT.println(comparison.table(operations).markdown());
  }

  private static Path jar(String name) {
    Path jar = Path.of(name).toAbsolutePath();
    if (!Files.isReadable(jar)) {
      throw new IllegalArgumentException("no jar is readable at " + jar);
    }
    return jar;
  }

  private void measure(Set<Operation> operations, int passes) throws IOException {
    for (Operation operation : operations) {
      for (Fork fork : operation.forks()) {
        if (fork.peer().ours()) {
          results.put(fork, List.of(new ArrayList<>(), new ArrayList<>()));
        }
      }
    }
    try (Forks runner = new Forks()) {
      for (int pass = 0; pass < passes; pass++) {
        for (Fork fork : results.keySet()) {
          for (int turn = 0; turn < jars.size(); turn++) {
            run(runner, fork, (pass + turn) % jars.size());
          }
        }
        System.err.printf("bellows: pass %d of %d is done%n", pass + 1, passes);
      }
    }
  }

  private void run(Forks runner, Fork fork, int jar) throws IOException {
    try {
      results.get(fork).get(jar).add(runner.run(fork, jars.get(jar)));
    } catch (Forks.Failure e) {
      System.err.println("bellows: " + jars.get(jar) + ": " + e.getMessage());
    }
  }

  /** Times as everywhere: the median of the least times of the forks, in brackets its interval. */
  private Table table(Set<Operation> operations) {
    Table table = new Table("", "before ns", "after ns", "after / before");
    for (Operation operation : operations) {
      for (Fork fork : operation.forks()) {
        List<List<Fork.Result>> both = results.get(fork);
        if (both != null && both.stream().noneMatch(List::isEmpty)) {
          Sample before = sample(operation, both.get(0));
          Sample after = sample(operation, both.get(1));
          table.row(
              operation.title() + ", " + fork.peer().label(),
              Pages.interval(before.typicalEstimate()),
              Pages.interval(after.typicalEstimate()),
              Pages.interval(after.ratioTo(before)));
        }
      }
    }
    return table;
  }

  private static Sample sample(Operation operation, List<Fork.Result> forked) {
    return new Sample(forked.stream().map(operation::nanos).toList());
  }
}
