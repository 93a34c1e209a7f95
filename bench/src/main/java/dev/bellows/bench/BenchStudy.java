package dev.bellows.bench;

import dev.bellows.bench.operations.LargeFilter;
import dev.bellows.bench.operations.LargeFilter.Kind;
import dev.bellows.bench.operations.WholeFilters;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import dev.bellows.cli.verbs.Study;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Measures the operations: pass by pass, and every contender once per pass, so that other load on
 * the machine affects all of them equally.
 */
public final class BenchStudy implements Study {
  /**
   * The time after which a quick run starts no more forks, so that it ends within three minutes.
   */
  private static final long QUICK_NANOS = 150_000_000_000L;

  @Override
  public String verb() {
    return "bench";
  }

  @Override
  public Report run(Request request, Steps steps) throws IOException {
    String only = request.only();
    if (only != null
        && DurableStudy.TABLES.stream().anyMatch(name -> name.startsWith(only))
        && Operations.all(request.quick()).stream().noneMatch(o -> o.name().startsWith(only))) {
      String tables = DurableStudy.run(only, request.quick());
      return new Report(Map.of("tables", tables.lines().toList()), tables, true);
    }
    List<Operation> operations = Operations.named(request.quick(), only);
    List<Trial> order = order(operations, request.quick());
    System.err.printf(
        "bellows: %d forks one after the other, about %.0f minutes%n",
        order.size(), Math.ceil(order.stream().mapToDouble(Trial::seconds).sum() / 60));
    steps.total(order.size());
    Map<Trial, List<BenchmarkResult>> results = new LinkedHashMap<>();
    List<String> troubles = new ArrayList<>();
    long begun = System.nanoTime();
    int done = 0;
    for (Trial trial : order) {
      if (request.quick() && System.nanoTime() - begun > QUICK_NANOS) {
        troubles.add(
            "the machine was too busy for %d of %d forks within three minutes"
                .formatted(order.size() - done, order.size()));
        break;
      }
      done++;
      List<BenchmarkResult> forks = results.computeIfAbsent(trial, t -> new ArrayList<>());
      try {
        forks.add(trial.run());
      } catch (RunnerException e) {
        troubles.add(trial.describe(e));
      }
      steps.done(trial.toString());
    }
    boolean complete = results.values().stream().noneMatch(List::isEmpty);
    results.values().removeIf(List::isEmpty);
    Run run = gather(operations, results, request.quick());
    if (request.out() != null) {
      RunFolder.write(request.out(), run, request.only() == null);
    }
    troubles.forEach(trouble -> System.err.println("bellows: " + trouble));
    return new Report(run.fields(), new RunPages(run).text(), complete);
  }

  /** The forks of all passes, each trial as often as it is run. */
  static List<Trial> order(List<Operation> operations, boolean quick) {
    Set<Trial> trials = new LinkedHashSet<>();
    operations.forEach(operation -> trials.addAll(operation.trials()));
    List<Trial> order = new ArrayList<>(trials);
    if (!quick) {
      trials.stream().filter(trial -> trial.passes() > 1).forEach(order::add);
    }
    return order;
  }

  private static Run gather(
      List<Operation> operations, Map<Trial, List<BenchmarkResult>> results, boolean quick)
      throws IOException {
    Map<List<Object>, Store> stores = new LinkedHashMap<>();
    List<Score> scores = new ArrayList<>();
    for (Operation operation : operations) {
      for (Trial trial : operation.trials()) {
        List<BenchmarkResult> forks = results.get(trial);
        if (forks != null) {
          Store store =
              stores.computeIfAbsent(
                  List.of(operation.role(), trial.peer(), operation.keys()),
                  key -> store(operation, trial.peer(), forks));
          scores.add(operation.score(trial.peer(), forks, store.bits()));
        }
      }
    }
    return new Run(
        LocalDate.now().toString(),
        quick,
        Machine.facts(),
        Machine.versions(),
        scores,
        List.copyOf(stores.values()));
  }

  /** A large filter's rate comes from the forks that queried absent keys. */
  private static Store store(Operation operation, Peer peer, List<BenchmarkResult> forks) {
    Role role = operation.role();
    if (operation.keys() == WholeFilters.KEYS) {
      return new Store(
          role, peer, operation.keys(), peer.make(role, WholeFilters.KEYS).bits(), 0, 0);
    }
    if (operation.kind() == null) {
      return Store.measured(peer, role, Math.toIntExact(operation.keys()));
    }
    List<IterationResult> misses =
        forks.stream().flatMap(fork -> Operation.iterations(fork, Kind.MISS).stream()).toList();
    double found = misses.stream().mapToDouble(i -> Operation.second(i, "found")).sum();
    long bits = (long) Operation.second(misses.get(misses.size() - 1), "bits");
    long asked = peer.floor() ? 0 : (long) LargeFilter.STEP * misses.size();
    return new Store(role, peer, operation.keys(), bits, (long) found, asked);
  }
}
