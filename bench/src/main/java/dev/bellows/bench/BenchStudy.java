package dev.bellows.bench;

import dev.bellows.bench.operations.LargeFilter;
import dev.bellows.bench.operations.LargeFilter.Kind;
import dev.bellows.bench.operations.WholeFilters;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import dev.bellows.cli.Study;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures the operations: pass by pass, and in a pass everybody once, so that other load on the
 * machine falls on all alike.
 */
public final class BenchStudy implements Study {
  /** When a quick look starts no more forks, so that it ends within three minutes. */
  private static final long QUICK_NANOS = 150_000_000_000L;

  @Override
  public String verb() {
    return "bench";
  }

  @Override
  public Report run(Request request, Steps steps) throws IOException {
    List<Operation> operations = Operations.named(request.quick(), request.only());
    List<Fork> order = order(operations, request.quick());
    announce(order);
    steps.total(order.size());
    Map<Fork, List<Fork.Result>> results = new LinkedHashMap<>();
    List<String> troubles = new ArrayList<>();
    long begun = System.nanoTime();
    int done = 0;
    try (Forks runner = new Forks()) {
      for (Fork fork : order) {
        if (request.quick() && System.nanoTime() - begun > QUICK_NANOS) {
          break;
        }
        done++;
        try {
          results.computeIfAbsent(fork, f -> new ArrayList<>()).add(runner.run(fork));
        } catch (Forks.Failure e) {
          troubles.add(e.getMessage());
        }
        steps.done(fork.toString());
      }
    }
    Run run = gather(operations, results, request.quick());
    if (done < order.size()) {
      troubles.add(
          "the machine was too busy for %d of %d forks within three minutes"
              .formatted(order.size() - done, order.size()));
    }
    if (request.out() != null) {
      Folder.write(request.out(), run, request.only() == null);
    }
    for (String trouble : troubles) {
      System.err.println("bellows: " + trouble);
    }
    return new Report(
        RunFile.fields(run),
        new Pages(run).text(),
        results.values().stream().noneMatch(List::isEmpty));
  }

  /** The forks of all passes, each as often as it is run. */
  static List<Fork> order(List<Operation> operations, boolean quick) {
    Set<Fork> forks = new LinkedHashSet<>();
    operations.forEach(operation -> forks.addAll(operation.forks()));
    List<Fork> order = new ArrayList<>();
    int passes = quick ? 1 : forks.stream().mapToInt(Fork::passes).max().orElse(0);
    for (int pass = 0; pass < passes; pass++) {
      for (Fork fork : forks) {
        if (pass < fork.passes()) {
          order.add(fork);
        }
      }
    }
    return order;
  }

  private static void announce(List<Fork> order) {
    double seconds = order.stream().mapToDouble(Fork::seconds).sum();
    System.err.printf(
        "bellows: %d forks one after the other, about %.0f minutes%n",
        order.size(), Math.ceil(seconds / 60));
  }

  private static Run gather(
      List<Operation> operations, Map<Fork, List<Fork.Result>> results, boolean quick)
      throws IOException {
    Map<List<Object>, Store> stores = new LinkedHashMap<>();
    List<Score> scores = new ArrayList<>();
    for (Operation operation : operations) {
      for (Fork fork : operation.forks()) {
        List<Fork.Result> forked = results.get(fork);
        if (forked == null || forked.isEmpty()) {
          continue;
        }
        Store store =
            stores.computeIfAbsent(
                List.of(operation.role(), fork.peer(), operation.keys()),
                key -> store(operation, fork.peer(), forked));
        List<double[]> times = new ArrayList<>();
        double garbage = Double.NaN;
        for (Fork.Result result : forked) {
          times.add(operation.scores(result, store.bits()));
          garbage = operation.garbage(result, store.bits());
        }
        scores.add(new Score(operation.name(), fork.peer(), new Sample(times), garbage));
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

  /** A large filter's rate comes from the forks that asked it for absent keys. */
  private static Store store(Operation operation, Peer peer, List<Fork.Result> forked) {
    Role role = operation.role();
    if (!operation.large()) {
      boolean whole = operation.keys() == WholeFilters.KEYS;
      return whole
          ? new Store(role, peer, operation.keys(), wholeBits(peer, role), 0, 0)
          : Store.measured(peer, role, Math.toIntExact(operation.keys()));
    }
    long found = 0;
    long asked = 0;
    long bits = 0;
    for (Fork.Result result : forked) {
      found += result.found(i -> Kind.of(i) == Kind.MISS);
      asked += LargeFilter.STEP * (long) result.scores(i -> Kind.of(i) == Kind.MISS).length;
      bits = result.lastBits(i -> Kind.of(i) == Kind.MISS);
    }
    return new Store(role, peer, operation.keys(), bits, found, peer.floor() ? 0 : asked);
  }

  private static long wholeBits(Peer peer, Role role) {
    return peer.whole(role, WholeFilters.KEYS).bits();
  }
}
