package dev.bellows.bench;

import dev.bellows.bench.operations.LargeFilter;
import dev.bellows.bench.operations.LargeFilter.Kind;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that is measured for several contenders.
 *
 * @param name what {@code --only} knows it by
 * @param title what it is, for a reader
 * @param role what the contenders are in it
 * @param keys the keys of the filter
 * @param unit what its time is for
 * @param garbage what its allocations say
 * @param kind the kind of iterations that count, where a fork has several; else null
 * @param forks a fork for each contender
 */
record Operation(
    String name,
    String title,
    Role role,
    long keys,
    Unit unit,
    Garbage garbage,
    @Nullable Kind kind,
    List<Fork> forks) {
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

  /** What the bytes allocated per operation are. */
  enum Garbage {
    /** All of them the operation's. */
    ITS_OWN,
    /** The operation's and the filter. */
    WITH_STORE,
    /** Unknown. */
    UNKNOWN
  }

  /** The contender all others are compared with. */
  Peer reference() {
    return forks.get(0).peer();
  }

  /** The contenders. */
  List<Peer> peers() {
    return forks.stream().map(Fork::peer).toList();
  }

  /** Nanoseconds, per key or per KiB moved, of the iterations that count. */
  double[] scores(Fork.Result result, long bits) {
    return Arrays.stream(nanos(result)).map(score -> unit.scaled(score, bits)).toArray();
  }

  /** Nanoseconds, per key or per whole filter, of the iterations that count. */
  double[] nanos(Fork.Result result) {
    double[] nanos = result.scores(this::counts);
    return kind == Kind.FILL ? new double[] {Arrays.stream(nanos).average().orElseThrow()} : nanos;
  }

  /** Bytes allocated per operation, the filter apart, or NaN. */
  double garbage(Fork.Result result, long bits) {
    double bytes = result.bytes(this::counts);
    return switch (garbage) {
      case ITS_OWN -> bytes;
      case WITH_STORE -> Math.max(0, bytes - bits / 8.0 / keys);
      case UNKNOWN -> Double.NaN;
    };
  }

  private boolean counts(int iteration) {
    return kind == null || kind == Kind.of(iteration);
  }

  /** Whether it is about a hundred million keys. */
  boolean large() {
    return keys == LargeFilter.KEYS;
  }
}
