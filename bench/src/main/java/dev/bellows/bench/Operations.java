package dev.bellows.bench;

import static dev.bellows.bench.peers.Role.BYTES;
import static dev.bellows.bench.peers.Role.COUNTING;
import static dev.bellows.bench.peers.Role.ELASTIC;
import static dev.bellows.bench.peers.Role.EXPIRING;
import static dev.bellows.bench.peers.Role.GROWING;
import static dev.bellows.bench.peers.Role.IDS;
import static dev.bellows.bench.peers.Role.LONGS;
import static dev.bellows.bench.peers.Role.RANGES;
import static dev.bellows.bench.peers.Role.STATIC;
import static dev.bellows.bench.peers.Role.TEXTS;
import static dev.bellows.bench.peers.Role.THRESHOLDS;

import dev.bellows.bench.Operation.Unit;
import dev.bellows.bench.operations.KeyedKeys;
import dev.bellows.bench.operations.LargeFilter;
import dev.bellows.bench.operations.LargeFilter.Kind;
import dev.bellows.bench.operations.Mix;
import dev.bellows.bench.operations.PutLongs;
import dev.bellows.bench.operations.QueryLongs;
import dev.bellows.bench.operations.RemoveLongs;
import dev.bellows.bench.operations.ThreadedPut;
import dev.bellows.bench.operations.WholeFilters;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The catalog of operations. */
final class Operations {
  /**
   * The contenders that are also measured with few and with most keys present, to see the effect of
   * branches.
   */
  private static final Set<Peer> BRANCHING =
      EnumSet.of(
          Peer.BLOCKED, Peer.CLASSIC, Peer.GUAVA, Peer.FASTFILTER_BLOOM, Peer.FASTFILTER_BLOCKED);

  /** What a quick run leaves out, in addition to a hundred million keys and the rarer filters. */
  private static final String NOT_QUICK =
      "batch-put-long|query-long-5|query-long-95|put-text|put-bytes|intersection";

  private static final Predicate<Peer> ALL = peer -> true;

  private final boolean quick;
  private final List<Operation> list = new ArrayList<>();

  private Operations(boolean quick) {
    this.quick = quick;
    put("put-long", "put, longs, one by one, 1e6", LONGS, "put", ALL);
    put("load-long", "load, longs, single owner, 1e6", LONGS, "load", ALL);
    put("batch-put-long", "put, longs, in batches, 1e6", LONGS, "putBatch", Peer::batches);
    add(
        "threads-put-long",
        "put, longs, two threads at once, 4e6",
        LONGS,
        Peer::threadSafe,
        peer -> new Trial(ThreadedPut.class, "put", peer, Map.of()));
    for (Mix mix : Mix.values()) {
      String title = "query, longs, " + mix.phrase() + ", 1e6";
      boolean few = mix == Mix.FEW || mix == Mix.MOST;
      query("query-long-" + mix.word(), title, LONGS, mix, few ? BRANCHING::contains : ALL);
    }
    batch("batch-query-long", "query, longs, half hits, in batches, 1e6", LONGS, Peer::batches);
    keyed("put-text", "put, text of 20 to 40 characters, 1e6", TEXTS, "put");
    keyed("query-text", "query, text of 20 to 40 characters, half hits, 1e6", TEXTS, "query");
    keyed("put-bytes", "put, byte[16], 1e6", BYTES, "put");
    keyed("query-bytes", "query, byte[16], half hits, 1e6", BYTES, "query");
    large("put-long", "put, longs, one by one, 1e8", LONGS, Kind.FILL, false, ALL);
    large("load-long", "load, longs, single owner, 1e8", LONGS, Kind.FILL, true, ALL);
    large("query-long-miss", "query, longs, all misses, 1e8", LONGS, Kind.MISS, true, ALL);
    large("query-long-half", "query, longs, half hits, 1e8", LONGS, Kind.HALF, true, ALL);
    large("query-long-hit", "query, longs, all hits, 1e8", LONGS, Kind.HIT, true, ALL);
    String batches = "query, longs, half hits, in batches, 1e8";
    large("batch-query-long", batches, LONGS, Kind.BATCH, true, Peer::batches);
    whole("union", "union of two filters, 60 MB each", Role.UNION, Unit.MERGED);
    whole("intersection", "intersection of two filters", Role.INTERSECTION, Unit.MERGED);
    whole("fold", "fold to half the size", Role.FOLD, Unit.HALVED);
    whole("write", "write to memory", Role.WRITE, Unit.COPIED);
    whole("read", "read from memory", Role.READ, Unit.COPIED);
    whole("copy", "copy", Role.COPY, Unit.COPIED);
    put("counting-put", "put into counters, 1e6", COUNTING, "put", ALL);
    add(
        "counting-remove",
        "remove from counters, 1e6",
        COUNTING,
        ALL,
        peer -> trial(RemoveLongs.class, "remove", peer, COUNTING));
    query("counting-query", "query of counters, half hits, 1e6", COUNTING, Mix.HALF, ALL);
    put("scalable-put", "put, filters that grow, to 1e6", GROWING, "put", ALL);
    query("scalable-query", "query, filters that grew to 1e6", GROWING, Mix.HALF, ALL);
    String grown = "query, filters that grew to 1e8, ";
    large("scalable-query-miss", grown + "all misses", GROWING, Kind.MISS, true, Peer::ours);
    large("scalable-query-half", grown + "half hits", GROWING, Kind.HALF, true, Peer::ours);
    query("partition-query", "query, 1e6 ids", IDS, Mix.HALF, ALL);
    String counters = "query, 1e6 keys in 2^27 counters with 20 hashes";
    query("autoscaling-query", counters, THRESHOLDS, Mix.HALF, ALL);
    query("range-query", "query of a range of numbers", RANGES, Mix.MISS, ALL);
    put("static-build", "build of a static filter, 1/256, 1e6", STATIC, "load", ALL);
    query("static-query", "query of a static filter, half hits, 1e6", STATIC, Mix.HALF, ALL);
    batch(
        "static-batch-query",
        "query of a static filter, half hits, in batches, 1e6",
        STATIC,
        peer -> peer.batches() || peer == Peer.FROZEN);
    put("window-put", "put, keys that expire, 1e6", EXPIRING, "put", ALL);
    query("window-query", "query, keys that expire, half hits, 1e6", EXPIRING, Mix.HALF, ALL);
    batch(
        "window-batch-query",
        "query, keys that expire, half hits, in batches, 1e6",
        EXPIRING,
        peer -> peer != Peer.BLOCKED_IN_TURN);
    put("elastic-put", "put, rate held in a band, to 1e6", ELASTIC, "put", ALL);
  }

  /** Returns all operations and contenders, or those of a quick look. */
  static List<Operation> all(boolean quick) {
    return new Operations(quick).list;
  }

  /** Those whose names begin so; never none. */
  static List<Operation> named(boolean quick, @Nullable String only) {
    List<Operation> all = all(quick);
    List<Operation> chosen =
        all.stream().filter(each -> only == null || each.name().startsWith(only)).toList();
    if (chosen.isEmpty()) {
      String names =
          Stream.concat(all.stream().map(Operation::name), DurableStudy.TABLES.stream())
              .collect(Collectors.joining(", "));
      throw new IllegalArgumentException(
          "no %soperation begins with %s: there are %s"
              .formatted(quick ? "quick " : "", only, names));
    }
    return chosen;
  }

  private void put(String name, String title, Role role, String method, Predicate<Peer> who) {
    add(name, title, role, who, peer -> trial(PutLongs.class, method, peer, role));
  }

  private void query(String name, String title, Role role, Mix mix, Predicate<Peer> who) {
    String asked = mix.name();
    add(name, title, role, who, p -> trial(QueryLongs.class, "query", p, role, "mix", asked));
  }

  private void batch(String name, String title, Role role, Predicate<Peer> who) {
    add(name, title, role, who, p -> trial(QueryLongs.class, "queryBatch", p, role, "mix", "HALF"));
  }

  private void keyed(String name, String title, Role role, String method) {
    add(name, title, role, ALL, peer -> trial(KeyedKeys.class, method, peer, role));
  }

  private void large(
      String name, String title, Role role, Kind kind, boolean load, Predicate<Peer> who) {
    Function<Peer, String> loads = peer -> String.valueOf(load && peer.batches());
    add(
        new Operation(
            "1e8-" + name,
            title,
            role,
            Unit.KEY,
            kind,
            trials(
                role,
                who,
                peer -> trial(LargeFilter.class, "step", peer, role, "load", loads.apply(peer)))));
  }

  private void whole(String name, String title, Role role, Unit unit) {
    Function<Peer, Trial> trial = peer -> trial(WholeFilters.class, name, peer, role);
    add(new Operation(name, title, role, unit, null, trials(role, ALL, trial)));
  }

  private void add(
      String name, String title, Role role, Predicate<Peer> who, Function<Peer, Trial> trial) {
    add(new Operation(name, title, role, Unit.KEY, null, trials(role, who, trial)));
  }

  private void add(Operation operation) {
    boolean rare = operation.role().overLongs() && operation.role() != LONGS;
    boolean slow = operation.kind() != null || operation.name().matches(NOT_QUICK);
    if (!operation.trials().isEmpty() && !(quick && (rare || slow))) {
      list.add(operation);
    }
  }

  /** Those of all contenders for the role, or of the ones in a quick run. */
  private List<Trial> trials(Role role, Predicate<Peer> who, Function<Peer, Trial> trial) {
    return Arrays.stream(Peer.values())
        .filter(peer -> peer.plays(role) && who.test(peer))
        .filter(peer -> !quick || BRANCHING.contains(peer) || peer == Peer.MEMORY_COPY)
        .map(trial)
        .toList();
  }

  private static Trial trial(Class<?> type, String method, Peer peer, Role role) {
    return new Trial(type, method, peer, Map.of("role", role.name()));
  }

  private static Trial trial(
      Class<?> type, String method, Peer peer, Role role, String name, String value) {
    return new Trial(type, method, peer, Map.of("role", role.name(), name, value));
  }
}
