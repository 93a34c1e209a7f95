package dev.bellows.bench;

import dev.bellows.bench.operations.PutLongs;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What this library sets out to reach, as ratios inside one run: theirs over ours. */
final class Targets {
  /** What is compared. */
  private enum Measure {
    TIME,
    BITS,
    RATE
  }

  /**
   * One target.
   *
   * @param theirs the contender beaten; null for the fastest other filter, Guava apart
   */
  private record Target(
      String what,
      Measure measure,
      String operation,
      Peer ours,
      String theirOperation,
      @Nullable Peer theirs,
      double atLeast) {}

  /** A target and what was seen; the ratio is null where the run did not measure it. */
  record Outcome(String what, double atLeast, Sample.@Nullable Estimate seen) {
    boolean met() {
      return seen != null && seen.value() >= atLeast;
    }

    String verdict() {
      return seen == null ? "not measured" : met() ? "met" : "missed";
    }
  }

  private static final String NO_GARBAGE = ".*(put|load|query)-(long|bytes).*";

  private static final List<Target> ALL = new ArrayList<>();

  static {
    time("query long 1e6, BLOCKED beside Guava", "query-long-half", Peer.BLOCKED, Peer.GUAVA, 8);
    fastfilter("query long 1e6, half hits, BLOCKED beside fastfilter", "query-long-half", 1);
    fastfilter("query long 1e6, all misses, BLOCKED beside fastfilter", "query-long-miss", 0.5);
    store("bits per key, BLOCKED beside fastfilter BlockedBloom", Measure.BITS, 1 / 0.92);
    store("fpp, BLOCKED beside fastfilter BlockedBloom", Measure.RATE, 1);
    time(
        "query long 1e8, BLOCKED beside Guava",
        "1e8-query-long-half",
        Peer.BLOCKED,
        Peer.GUAVA,
        4.5);
    across("query long 1e8, BLOCKED in batches beside Guava", Peer.GUAVA, 8);
    across(
        "query long 1e8, BLOCKED in batches beside fastfilter BlockedBloom",
        Peer.FASTFILTER_BLOCKED,
        1);
    time("load 1e6 longs, BLOCKED beside Guava", "load-long", Peer.BLOCKED, Peer.GUAVA, 20);
    fastfilter("load 1e6 longs, BLOCKED beside fastfilter", "load-long", 1 / 1.5);
    time("put long, one thread, BLOCKED beside Guava", "put-long", Peer.BLOCKED, Peer.GUAVA, 5);
    time(
        "put long, two threads, BLOCKED beside Guava",
        "threads-put-long",
        Peer.BLOCKED,
        Peer.GUAVA,
        5);
    time("query text, BLOCKED beside Guava", "query-text", Peer.BLOCKED, Peer.GUAVA, 3);
    time("query text, BLOCKED beside best other", "query-text", Peer.BLOCKED, null, 1.8);
    time("query byte[16], BLOCKED beside Guava", "query-bytes", Peer.BLOCKED, Peer.GUAVA, 6);
    time("query byte[16], BLOCKED beside best other", "query-bytes", Peer.BLOCKED, null, 3);
    time("query long 1e6, CLASSIC beside Guava", "query-long-half", Peer.CLASSIC, Peer.GUAVA, 4);
    time(
        "query long 1e6, CLASSIC beside fastfilter Bloom",
        "query-long-half",
        Peer.CLASSIC,
        Peer.FASTFILTER_BLOOM,
        1);
    for (String operation :
        List.of("query-long-half", "load-long", "1e8-query-long-half", "1e8-load-long")) {
      time("vectors, " + operation + " beside scalar", operation, Peer.VECTOR, Peer.BLOCKED, 2);
      time("vectors, " + operation + " beside best peer", operation, Peer.VECTOR, null, 1);
    }
    copied("union", 0.7);
    copied("fold", 0.7);
    copied("write", 0.35);
    copied("read", 0.35);
  }

  private Targets() {}

  private static void time(
      String what, String operation, Peer ours, @Nullable Peer theirs, double atLeast) {
    ALL.add(new Target(what, Measure.TIME, operation, ours, operation, theirs, atLeast));
  }

  private static void fastfilter(String what, String operation, double atLeast) {
    time(what + " BlockedBloom", operation, Peer.BLOCKED, Peer.FASTFILTER_BLOCKED, atLeast);
  }

  private static void across(String what, Peer theirs, double atLeast) {
    ALL.add(
        new Target(
            what,
            Measure.TIME,
            "1e8-batch-query-long",
            Peer.BLOCKED,
            "1e8-query-long-half",
            theirs,
            atLeast));
  }

  private static void store(String what, Measure measure, double atLeast) {
    ALL.add(new Target(what, measure, "", Peer.BLOCKED, "", Peer.FASTFILTER_BLOCKED, atLeast));
  }

  private static void copied(String operation, double atLeast) {
    ALL.add(
        new Target(
            operation + ", bytes moved per second beside a memory copy",
            Measure.TIME,
            operation,
            Peer.BLOCKED,
            "copy",
            Peer.MEMORY_COPY,
            atLeast));
  }

  /** Every target and what the run says of it. */
  static List<Outcome> outcomes(Run run) {
    return ALL.stream()
        .map(t -> new Outcome(t.what, t.atLeast, seen(run, t).orElse(null)))
        .toList();
  }

  /** The most bytes that a put or query of longs or byte[] of ours allocates; NaN without any. */
  static double garbage(Run run) {
    return run.scores().stream()
        .filter(s -> s.peer().library().equals("Bellows") && s.operation().matches(NO_GARBAGE))
        .mapToDouble(Score::garbage)
        .max()
        .orElse(Double.NaN);
  }

  private static Optional<Sample.Estimate> seen(Run run, Target target) {
    if (target.measure != Measure.TIME) {
      return stores(run, target);
    }
    Optional<Score> ours = run.score(target.operation, target.ours);
    Optional<Score> theirs =
        target.theirs == null
            ? run.bestOther(target.theirOperation, Peer.GUAVA)
            : run.score(target.theirOperation, target.theirs);
    return ours.flatMap(o -> theirs.map(t -> t.sample().ratioTo(o.sample())));
  }

  private static Optional<Sample.Estimate> stores(Run run, Target target) {
    Optional<Store> ours = run.store(Role.LONGS, target.ours, PutLongs.KEYS);
    Optional<Store> theirs =
        run.store(Role.LONGS, java.util.Objects.requireNonNull(target.theirs), PutLongs.KEYS);
    return ours.flatMap(
        o ->
            theirs.map(
                t ->
                    target.measure == Measure.BITS
                        ? exactly(t.bitsPerKey() / o.bitsPerKey())
                        : new Sample.Estimate(
                            t.fpp() / o.fpp(),
                            t.interval().low() / o.interval().high(),
                            t.interval().high() / o.interval().low())));
  }

  private static Sample.Estimate exactly(double value) {
    return new Sample.Estimate(value, value, value);
  }
}
