package dev.bellows.bench;

import dev.bellows.bench.operations.LargeFilter;
import dev.bellows.bench.operations.LargeFilter.Kind;
import dev.bellows.bench.operations.PutLongs;
import dev.bellows.bench.operations.ThreadedPut;
import dev.bellows.bench.operations.WholeFilters;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;

/**
 * Something that is measured for several contenders.
 *
 * @param name its name for {@code --only}
 * @param title what it is, for a reader
 * @param role what the contenders are in it
 * @param unit what its time is for
 * @param kind the kind of iterations that count, where a fork has several; else null
 * @param trials a trial for each contender, the first of which the others are compared with
 */
record Operation(
    String name, String title, Role role, Unit unit, @Nullable Kind kind, List<Trial> trials) {
  /** What a time is for. */
  enum Unit {
    /** One key. */
    KEY(0),
    /** The bytes that are read and written: all of one filter, and of one more. */
    COPIED(2),
    /** Two filters read, one written. */
    MERGED(3),
    /** One filter read, half of one written. */
    HALVED(1.5);

    private final double stores;

    Unit(double stores) {
      this.stores = stores;
    }

    /** Nanoseconds per key or per KiB moved. */
    double scaled(double nanos, long bits) {
      return this == KEY ? nanos : nanos / (stores * bits / 8 / 1024);
    }
  }

  /** Returns the contenders. */
  List<Peer> peers() {
    return trials.stream().map(Trial::peer).toList();
  }

  /** Returns the keys of the filter. */
  long keys() {
    Class<?> benchmark = trials.get(0).benchmark();
    if (benchmark == ThreadedPut.class) {
      return ThreadedPut.KEYS;
    }
    return benchmark == WholeFilters.class
        ? WholeFilters.KEYS
        : kind == null ? PutLongs.KEYS : LargeFilter.KEYS;
  }

  /** Returns how a contender did in these forks, whose filters have this many bits. */
  Score score(Peer peer, List<BenchmarkResult> forks, long bits) {
    List<List<Double>> times =
        forks.stream()
            .map(fork -> Arrays.stream(nanos(fork)).mapToObj(n -> unit.scaled(n, bits)).toList())
            .toList();
    double bytes =
        iterations(forks.get(forks.size() - 1), kind).stream()
            .mapToDouble(i -> second(i, "gc.alloc.rate.norm"))
            .min()
            .orElseThrow();
    Double own =
        switch (trials.get(0).method()) {
          case "query", "queryBatch", "step" -> bytes;
          case "put", "load", "putBatch" -> Math.max(0, bytes - bits / 8.0 / keys()); // its filter
          default -> null;
        };
    return new Score(name, peer, own, times);
  }

  /** Nanoseconds, per key or per whole filter, of the iterations of a fork that count. */
  double[] nanos(BenchmarkResult fork) {
    double[] nanos =
        iterations(fork, kind).stream().mapToDouble(i -> i.getPrimaryResult().getScore()).toArray();
    return kind == Kind.FILL ? new double[] {Arrays.stream(nanos).average().orElseThrow()} : nanos;
  }

  /** Returns the iterations of a kind, or all of them. */
  static List<IterationResult> iterations(BenchmarkResult fork, @Nullable Kind kind) {
    List<IterationResult> all = List.copyOf(fork.getIterationResults());
    return IntStream.range(0, all.size())
        .filter(i -> kind == null || kind == Kind.of(i))
        .mapToObj(all::get)
        .toList();
  }

  /** Returns a secondary result of JMH; NaN if it has none of this name. */
  static double second(IterationResult iteration, String name) {
    Result<?> result = iteration.getSecondaryResults().get(name);
    return result == null ? Double.NaN : result.getScore();
  }
}
