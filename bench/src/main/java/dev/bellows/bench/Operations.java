package dev.bellows.bench;

import dev.bellows.bench.Fork.Pace;
import dev.bellows.bench.Operation.Garbage;
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
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The catalogue of operations. */
final class Operations {
  /** The contenders of a quick look. */
  private static final Set<Peer> QUICK =
      EnumSet.of(
          Peer.BLOCKED,
          Peer.CLASSIC,
          Peer.GUAVA,
          Peer.FASTFILTER_BLOOM,
          Peer.FASTFILTER_BLOCKED,
          Peer.MEMORY_COPY);

  /** What a quick look leaves out, besides a hundred million keys and the rarer filters. */
  private static final Set<String> NOT_QUICK =
      Set.of(
          "batch-put-long",
          "query-long-5",
          "query-long-95",
          "put-text",
          "put-bytes",
          "intersection");

  /** The contenders whose branches are looked at with few and with most keys present. */
  private static final Set<Peer> BRANCHING =
      EnumSet.of(
          Peer.BLOCKED, Peer.CLASSIC, Peer.GUAVA, Peer.FASTFILTER_BLOOM, Peer.FASTFILTER_BLOCKED);

  private static final Predicate<Peer> ALL = peer -> true;

  private final List<Operation> list = new ArrayList<>();

  private Operations() {
    put("put-long", "put, longs, one by one, 1e6", Role.LONGS, "put", ALL);
    put("load-long", "load, longs, single owner, 1e6", Role.LONGS, "load", ALL);
    put("batch-put-long", "put, longs, in batches, 1e6", Role.LONGS, "putBatch", Peer::batches);
    add(
        "threads-put-long",
        "put, longs, two threads at once, 4e6",
        Role.LONGS,
        4 << 20,
        Garbage.WITH_STORE,
        Peer::threadSafe,
        peer ->
            new Fork(ThreadedPut.class, "put", peer, Map.of(), ThreadedPut.THREADS, Pace.SHOTS));
    for (Mix mix : Mix.values()) {
      query(
          "query-long-" + mix.word(),
          "query, longs, " + mix.phrase() + ", 1e6",
          Role.LONGS,
          mix,
          "query",
          mix == Mix.FEW || mix == Mix.MOST ? BRANCHING::contains : ALL);
    }
    query(
        "batch-query-long",
        "query, longs, half hits, in batches, 1e6",
        Role.LONGS,
        Mix.HALF,
        "queryBatch",
        Peer::batches);
    for (Role role : List.of(Role.TEXTS, Role.BYTES)) {
      String keys = role == Role.TEXTS ? "text of 20 to 40 characters" : "byte[16]";
      String word = role == Role.TEXTS ? "text" : "bytes";
      keyed("put-" + word, "put, " + keys + ", 1e6", role, "put", Garbage.WITH_STORE);
      keyed("query-" + word, "query, " + keys + ", half hits, 1e6", role, "query", Garbage.ITS_OWN);
    }
    large("1e8-put-long", "put, longs, one by one, 1e8", Role.LONGS, Kind.FILL, false, ALL);
    large("1e8-load-long", "load, longs, single owner, 1e8", Role.LONGS, Kind.FILL, true, ALL);
    large("1e8-query-long-miss", "query, longs, all misses, 1e8", Role.LONGS, Kind.MISS, true, ALL);
    large("1e8-query-long-half", "query, longs, half hits, 1e8", Role.LONGS, Kind.HALF, true, ALL);
    large("1e8-query-long-hit", "query, longs, all hits, 1e8", Role.LONGS, Kind.HIT, true, ALL);
    large(
        "1e8-batch-query-long",
        "query, longs, half hits, in batches, 1e8",
        Role.LONGS,
        Kind.BATCH,
        true,
        Peer::batches);
    whole("union", "union of two filters, 60 MB each", Role.UNION, Unit.MERGED);
    whole("intersection", "intersection of two filters", Role.INTERSECTION, Unit.MERGED);
    whole("fold", "fold to half the size", Role.FOLD, Unit.HALVED);
    whole("write", "write to memory", Role.WRITE, Unit.COPIED);
    whole("read", "read from memory", Role.READ, Unit.COPIED);
    whole("copy", "copy", Role.COPY, Unit.COPIED);
    put("counting-put", "put into counters, 1e6", Role.COUNTING, "put", ALL);
    add(
        "counting-remove",
        "remove from counters, 1e6",
        Role.COUNTING,
        PutLongs.KEYS,
        Garbage.UNKNOWN,
        ALL,
        peer -> fork(RemoveLongs.class, "remove", peer, Role.COUNTING));
    query(
        "counting-query",
        "query of counters, half hits, 1e6",
        Role.COUNTING,
        Mix.HALF,
        "query",
        ALL);
    put("scalable-put", "put, filters that grow, to 1e6", Role.GROWING, "put", ALL);
    query(
        "scalable-query", "query, filters that grew to 1e6", Role.GROWING, Mix.HALF, "query", ALL);
    large(
        "1e8-scalable-query-miss",
        "query, filters that grew to 1e8, all misses",
        Role.GROWING,
        Kind.MISS,
        true,
        Peer::ours);
    large(
        "1e8-scalable-query-half",
        "query, filters that grew to 1e8, half hits",
        Role.GROWING,
        Kind.HALF,
        true,
        Peer::ours);
    query("partition-query", "query, 1e6 ids", Role.IDS, Mix.HALF, "query", ALL);
    query(
        "autoscaling-query",
        "query, 1e6 keys in 2^27 counters with 20 hashes",
        Role.THRESHOLDS,
        Mix.HALF,
        "query",
        ALL);
    query("range-query", "query of a range of numbers", Role.RANGES, Mix.MISS, "query", ALL);
    put("elastic-put", "put, rate held in a band, to 1e6", Role.ELASTIC, "put", ALL);
  }

  /** All operations and contenders, or those of a quick look. */
  static List<Operation> all(boolean quick) {
    List<Operation> all = new Operations().list;
    if (!quick) {
      return all;
    }
    List<Operation> few = new ArrayList<>();
    for (Operation each : all) {
      boolean special = each.role().overLongs() && each.role() != Role.LONGS;
      List<Fork> forks = each.forks().stream().filter(f -> QUICK.contains(f.peer())).toList();
      if (!each.large() && !special && !forks.isEmpty() && !NOT_QUICK.contains(each.name())) {
        few.add(
            new Operation(
                each.name(),
                each.title(),
                each.role(),
                each.keys(),
                each.unit(),
                each.garbage(),
                each.kind(),
                forks));
      }
    }
    return few;
  }

  /** Those whose names begin so; never none. */
  static List<Operation> named(boolean quick, @Nullable String only) {
    List<Operation> all = all(quick);
    List<Operation> chosen =
        all.stream().filter(each -> only == null || each.name().startsWith(only)).toList();
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "no %soperation begins with %s: there are %s"
              .formatted(
                  quick ? "quick " : "",
                  only,
                  String.join(", ", all.stream().map(Operation::name).toList())));
    }
    return chosen;
  }

  private void put(String name, String title, Role role, String method, Predicate<Peer> who) {
    add(
        name,
        title,
        role,
        PutLongs.KEYS,
        Garbage.WITH_STORE,
        who,
        peer -> fork(PutLongs.class, method, peer, role));
  }

  private void query(
      String name, String title, Role role, Mix mix, String method, Predicate<Peer> who) {
    add(
        name,
        title,
        role,
        PutLongs.KEYS,
        Garbage.ITS_OWN,
        who,
        peer -> fork(QueryLongs.class, method, peer, role, "mix", mix.name()));
  }

  private void keyed(String name, String title, Role role, String method, Garbage garbage) {
    add(
        name,
        title,
        role,
        PutLongs.KEYS,
        garbage,
        ALL,
        peer -> fork(KeyedKeys.class, method, peer, role));
  }

  private void large(
      String name, String title, Role role, Kind kind, boolean load, Predicate<Peer> who) {
    List<Fork> forks =
        peers(role, who)
            .map(
                peer ->
                    new Fork(
                        LargeFilter.class,
                        "step",
                        peer,
                        Map.of("role", role.name(), "load", String.valueOf(load && peer.batches())),
                        1,
                        Pace.LARGE))
            .toList();
    list.add(
        new Operation(name, title, role, LargeFilter.KEYS, Unit.KEY, Garbage.ITS_OWN, kind, forks));
  }

  private void whole(String name, String title, Role role, Unit unit) {
    List<Fork> forks =
        peers(role, ALL)
            .map(
                peer ->
                    new Fork(
                        WholeFilters.class, name, peer, Map.of("role", role.name()), 1, Pace.WHOLE))
            .toList();
    list.add(
        new Operation(name, title, role, WholeFilters.KEYS, unit, Garbage.UNKNOWN, null, forks));
  }

  private void add(
      String name,
      String title,
      Role role,
      long keys,
      Garbage garbage,
      Predicate<Peer> who,
      java.util.function.Function<Peer, Fork> fork) {
    List<Fork> forks = peers(role, who).map(fork).toList();
    list.add(new Operation(name, title, role, keys, Unit.KEY, garbage, null, forks));
  }

  private static java.util.stream.Stream<Peer> peers(Role role, Predicate<Peer> who) {
    return Arrays.stream(Peer.values()).filter(peer -> peer.plays(role)).filter(who);
  }

  private static Fork fork(Class<?> type, String method, Peer peer, Role role, String... more) {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("role", role.name());
    for (int i = 0; i < more.length; i += 2) {
      parameters.put(more[i], more[i + 1]);
    }
    boolean rare = role != Role.LONGS && !role.overObjects();
    return new Fork(type, method, peer, parameters, 1, rare ? Pace.RARE : Pace.SHORT);
  }
}
