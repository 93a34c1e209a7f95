package dev.bellows.redis;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.KeyHasher;
import dev.bellows.Layout;
import dev.bellows.Membership;
import dev.bellows.TypedFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.io.FilterKind;
import dev.bellows.plan.BloomPlan;
import dev.bellows.redis.Wire.Command;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.scalable.ScalablePlan;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * A Bloom filter in a Redis or Valkey server, shared by any number of clients. Thread-safe. Once a
 * put has returned, every client finds the key, even while the filter is being folded, grown or
 * merged. There are no false negatives: a query that cannot be answered throws a {@link
 * SharedFilterException}.
 *
 * <p>All keys of a filter begin with {@code {name}}, so they are on the same node of a cluster. The
 * bits are strings of at most 8 MiB. Every string has its full length from the beginning, so it is
 * noticed if one of them is evicted or deleted.
 *
 * <p>A filter created with a {@link BloomPlan} keeps its size until it is folded; one created with
 * a {@link ScalablePlan} grows in levels, like a {@link dev.bellows.scalable.ScalableBloomFilter}.
 */
public final class SharedBloomFilter implements KeyFilter, Membership {
  private final StateAccess access;
  private final Puts puts;
  private final Queries questions;
  private final Transfers transfers;

  private SharedBloomFilter(StateAccess access) {
    this.access = access;
    this.puts = new Puts(access);
    this.questions = new Queries(access);
    this.transfers = new Transfers(access);
  }

  /** Creates a filter of fixed size. Throws if the name is already in use. */
  public static SharedBloomFilter create(RedisBits bits, String name, BloomPlan plan) {
    return create(bits, name, plan, HashScheme.DEFAULT);
  }

  /** Creates a filter of fixed size with this hash scheme. */
  public static SharedBloomFilter create(
      RedisBits bits, String name, BloomPlan plan, HashScheme scheme) {
    return new SharedBloomFilter(Creation.of(name, plan, scheme, 0).create(bits));
  }

  /** Creates a filter that grows. Throws if the name is already in use. */
  public static SharedBloomFilter create(RedisBits bits, String name, ScalablePlan plan) {
    return create(bits, name, plan, HashScheme.DEFAULT);
  }

  /** Creates a filter that grows, with this hash scheme. */
  public static SharedBloomFilter create(
      RedisBits bits, String name, ScalablePlan plan, HashScheme scheme) {
    return new SharedBloomFilter(Creation.of(name, plan, scheme).create(bits));
  }

  /** Creates a filter whose stripes have a given length. */
  static SharedBloomFilter create(
      RedisBits bits, String name, BloomPlan plan, HashScheme scheme, int stripeBytes) {
    return new SharedBloomFilter(Creation.of(name, plan, scheme, stripeBytes).create(bits));
  }

  /**
   * Opens the filter with this name. If another client died in the middle of an operation, this
   * completes its new level, ends its folding and deletes unused stripes.
   */
  public static SharedBloomFilter open(RedisBits bits, String name) {
    return new SharedBloomFilter(Creation.open(bits, name, null));
  }

  /**
   * Opens the filter with this name and hash scheme. This is required if keys are hashed with a
   * secret key; otherwise it verifies the scheme.
   */
  public static SharedBloomFilter open(RedisBits bits, String name, HashScheme scheme) {
    return new SharedBloomFilter(
        Creation.open(bits, name, Objects.requireNonNull(scheme, "scheme")));
  }

  /**
   * Opens the filter with this name, or creates it if there is none: of several services that start
   * at the same time, the first one creates it. Throws if an existing filter has another
   * configuration; it may have been folded, however.
   */
  public static SharedBloomFilter openOrCreate(
      RedisBits bits, String name, BloomPlan plan, HashScheme scheme) {
    return new SharedBloomFilter(Creation.of(name, plan, scheme, 0).openOrCreate(bits));
  }

  /** Opens the filter with this name, or creates one that grows if there is none. */
  public static SharedBloomFilter openOrCreate(
      RedisBits bits, String name, ScalablePlan plan, HashScheme scheme) {
    return new SharedBloomFilter(Creation.of(name, plan, scheme).openOrCreate(bits));
  }

  /** Returns the name of the filter, with which all of its keys begin. */
  public String name() {
    return access.name;
  }

  /** Returns BLOOM, or SCALABLE if the filter grows. */
  @Override
  public FilterKind kind() {
    return access.state().isGrowing() ? FilterKind.SCALABLE : FilterKind.BLOOM;
  }

  /** Returns the layout that maps keys to bits. */
  public Layout layout() {
    return access.state().layout();
  }

  /** Returns the number of bits of all levels that this client knows of. */
  public long bits() {
    return access.state().bits();
  }

  /** Returns the layout and size of the newest level. */
  public BloomPlan plan() {
    SharedState state = access.state();
    return Transfers.plan(state, state.newest().bits());
  }

  @Override
  public HashScheme hashScheme() {
    return access.state().shape().scheme();
  }

  @Override
  public boolean putHash(long hash) {
    return puts.put(new long[] {hash}, 0, 1, new boolean[1], 0) > 0;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return questions.ask(new long[] {hash}, 0, 1, new boolean[1], 0) > 0;
  }

  /** Puts every hash in {@code [from, to)}. Up to some ten thousand hashes take one round trip. */
  @Override
  public int putHashes(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    return puts.put(hashes, from, to, new boolean[to - from], 0);
  }

  /**
   * Puts every hash in {@code [from, to)} and writes to the same index of {@code changed} whether
   * it changed the filter; returns how many did.
   */
  public int putHashes(long[] hashes, int from, int to, boolean[] changed) {
    Objects.checkFromToIndex(from, to, Math.min(hashes.length, changed.length));
    Arrays.fill(changed, from, to, false);
    return puts.put(hashes, from, to, changed, from);
  }

  /** Tests every hash in {@code [from, to)}. Up to 4096 hashes take one round trip. */
  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    Objects.checkFromToIndex(from, to, Math.min(hashes.length, hits.length));
    return questions.ask(hashes, from, to, hits, from);
  }

  @Override
  public int putAll(long[] keys) {
    HashScheme scheme = hashScheme();
    long[] hashes = LongStream.of(keys).map(scheme::hash).toArray();
    return putHashes(hashes, 0, hashes.length);
  }

  @Override
  public <T> int putAll(T[] keys, KeyHasher<? super T> hasher) {
    long[] hashes = hashes(List.of(keys), hasher);
    return putHashes(hashes, 0, hashes.length);
  }

  @Override
  public <T> long putAll(Iterable<? extends T> keys, KeyHasher<? super T> hasher) {
    List<T> all = new ArrayList<>();
    keys.forEach(all::add);
    long[] hashes = hashes(all, hasher);
    return putHashes(hashes, 0, hashes.length);
  }

  private <T> long[] hashes(List<? extends T> keys, KeyHasher<? super T> hasher) {
    HashScheme scheme = hashScheme();
    long[] hashes = new long[keys.size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = scheme.hash(keys.get(i), hasher);
    }
    return hashes;
  }

  @Override
  public int countMightContain(long[] keys, boolean[] hits) {
    HashScheme scheme = hashScheme();
    long[] hashes = LongStream.of(keys).map(scheme::hash).toArray();
    return countMightContainHashes(hashes, 0, hashes.length, hits);
  }

  @Override
  public <T> int countMightContain(T[] keys, KeyHasher<? super T> hasher, boolean[] hits) {
    long[] hashes = hashes(List.of(keys), hasher);
    return countMightContainHashes(hashes, 0, hashes.length, hits);
  }

  /** Returns a view of this filter for keys of one type. */
  public <T> TypedFilter<T> typed(KeyHasher<? super T> hasher) {
    return TypedFilter.of(this, hasher);
  }

  /**
   * Folds every level of the filter by this factor on the server, while other clients put and
   * query. The result is bit for bit that of {@link BloomFilter#foldBy}. The factor must be one of
   * {@link #foldFactors}. A growing filter can be folded only as far as its levels keep their rate.
   */
  public void foldBy(long factor) {
    new Folding(access)
        .foldBy(
            factor,
            level -> {
              long[] keys = transfers.keys(access.state());
              return level < keys.length ? keys[level] : 0;
            });
  }

  /**
   * Returns the factors by which the server can fold the filter, ascending: those that leave whole
   * bytes.
   */
  public long[] foldFactors() {
    return Folding.factors(access.state());
  }

  /**
   * Returns the sizes that the {@link #foldFactors} of a filter of fixed size lead to, each with
   * its rate.
   */
  public List<FoldSize> ladder() {
    if (access.state().isGrowing()) {
      throw new IllegalArgumentException("a growing filter has a ladder for each of its levels");
    }
    SharedStats stats = numbers();
    List<FoldSize> sizes = new ArrayList<>();
    for (long factor : foldFactors()) {
      sizes.add(0, new FoldSize(bits() / factor, factor, stats.fppFoldedBy(factor)));
    }
    return sizes;
  }

  /**
   * Puts every key of another filter on the same server into this one. The other filter must have
   * the same layout, hashes and scheme, and the same size or a multiple of it. Between nodes of a
   * cluster the bits are transferred through this client.
   *
   * <p>Growing filters must have the same plan. A level of the other filter is merged into a level
   * of the same size if its keys fit there, as in {@link
   * dev.bellows.scalable.ScalableBloomFilter#union}; otherwise it becomes an additional level, and
   * the rates of both add up.
   *
   * <p>By the rule of {@link dev.bellows.Mergeable}, the method throws if the rate would be more
   * than twice the target: that of the plan of growing filters, otherwise that of the layout at its
   * design load.
   */
  public void putAll(SharedBloomFilter other) {
    putAll(other, RateRule.mergeLimit(targetFpp()));
  }

  private double targetFpp() {
    ScalablePlan plan = access.state().plan();
    return plan == null ? layout().designFpp() : plan.fpp();
  }

  /**
   * Puts every key of another filter into this one, unless the rate would become too high.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result, estimated from
   *     the keys of both
   */
  public void putAll(SharedBloomFilter other, double maxFpp) {
    if (kind().equals(FilterKind.SCALABLE)) {
      requireUseful(other.numbers().fpp(), maxFpp);
    } else if (!other.kind().equals(FilterKind.SCALABLE)) {
      double expected = numbers().fppWith(other.numbers().keys());
      if (Merging.isAbove(expected, maxFpp)) {
        throw new IllegalArgumentException(
            "the keys of both filters in %d bits would have fpp %s, above %s: create a larger filter"
                .formatted(bits(), Prose.fpp(expected), maxFpp));
      }
    }
    transfers.union(other.access);
  }

  /** Throws if the rate would become too high with additional levels of this rate. */
  private void requireUseful(double more, double maxFpp) {
    double fpp = expectedFpp();
    double expected = fpp + more - fpp * more;
    if (Merging.isAbove(expected, maxFpp)) {
      throw new IllegalArgumentException(
          "the levels of both filters would have fpp %s, above %s: build both with a lower fpp"
              .formatted(Prose.fpp(expected), maxFpp));
    }
  }

  /** Puts every key of a local growing filter with the same plan, level by level. */
  public void upload(ScalableBloomFilter local) {
    requireUseful(local.expectedFpp(), RateRule.mergeLimit(targetFpp()));
    transfers.upload(local);
  }

  /** Puts every key of a local filter of the same shape, or of a size that folds to this one. */
  public void upload(BloomFilter local) {
    transfers.upload(Objects.requireNonNull(local, "local"));
  }

  /**
   * Returns a copy of the current filter on the heap: a {@link BloomFilter}, or a {@link
   * dev.bellows.scalable.ScalableBloomFilter} if it grows. Services that query very often can use
   * such a copy and renew it from time to time.
   */
  public Filter download() {
    return transfers.download();
  }

  private SharedStats numbers() {
    return SharedStats.count(access, transfers);
  }

  /** Returns the statistics of the filter, counted on the server. */
  @Override
  public FilterStats stats() {
    return numbers().toFilterStats(kind());
  }

  /**
   * Returns the length of the file of {@link #download}; for a growing filter, that of its levels
   * alone.
   */
  @Override
  public long sizeInBytes() {
    return access.refresh().fileBytes();
  }

  @Override
  public boolean isEmpty() {
    return numbers().isEmpty();
  }

  /**
   * How a filter is stored on its server, and its statistics at the same time.
   *
   * @param stats the statistics
   * @param fileBytes the length of the filter's file, as in {@link #sizeInBytes}
   * @param stripes the number of strings that hold the bits
   * @param bytes the total length of these strings
   * @param isFolding whether a folding is in progress
   * @param levels the levels of a growing filter, newest first; empty for others
   */
  public record Storage(
      FilterStats stats,
      long fileBytes,
      long stripes,
      long bytes,
      boolean isFolding,
      List<ScalableBloomFilter.Level> levels) {}

  /** Returns how the filter is stored, with one pass over its bits on the server. */
  public Storage storage() {
    return numbers().toStorage(kind());
  }

  @Override
  public double expectedFpp() {
    return numbers().fpp();
  }

  /**
   * Returns the estimated number of keys; for a growing filter, the number of keys that were added.
   */
  public long approximateElementCount() {
    return Math.round(numbers().keys());
  }

  @Override
  public String explain() {
    SharedStats stats = numbers();
    SharedState state = stats.state();
    return "A Bloom filter in Redis under the name '%s', %s%s.\n\n%s  stripes            %s"
        .formatted(
            name(),
            state.layout().describe(),
            state.isGrowing() ? ": it grows by levels" : "",
            stats.toFilterStats(kind()).lines("bits", state.fileBytes()),
            stats.describeStripes());
  }

  /** Writes the file of {@link #download}. */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    download().writeTo(out);
  }

  /** Returns counts of what this object has sent and received. */
  public RedisMetrics metrics() {
    return access.wire.metrics();
  }

  /** Sets the time at which the whole filter expires. Using it afterwards is an error. */
  public void expireAt(Instant time) {
    expire(Wire.decimal(Math.max(1, time.toEpochMilli())));
  }

  /** Removes the time of expiry that {@link #expireAt} has set. */
  public void persist() {
    expire(new byte[0]);
  }

  private void expire(byte[] millis) {
    whole(
        "the expiry",
        state -> {
          List<byte[]> keys = new ArrayList<>(List.of(access.stateKey()));
          keys.addAll(access.allStripes(state));
          String next = state.id() + "." + state.nextSerial();
          return Command.run(
              Script.EXPIRE, keys, List.of(Wire.bytes(state.version()), Wire.bytes(next), millis));
        });
  }

  /** Deletes the filter. Using it afterwards is an error. */
  public void drop() {
    whole(
        "the drop",
        state -> {
          List<byte[]> keys = new ArrayList<>(List.of(access.stateKey(), access.leaseKey()));
          keys.addAll(access.allStripes(state));
          return Command.run(Script.DROP, keys, List.of(Wire.bytes(state.version())));
        });
  }

  /** Creates a command that accesses all keys of a filter. */
  @FunctionalInterface
  private interface WholeCommand {
    Command of(SharedState state);
  }

  private void whole(String what, WholeCommand command) {
    StateAccess.Attempts attempts = access.attempts(what);
    while (!StateAccess.allDone(
        access.wire.change(what, List.of(command.of(attempts.refresh()))))) {
      // the state has changed
    }
  }

  @Override
  public String toString() {
    return "SharedBloomFilter['%s', %s]".formatted(name(), access.state().shape());
  }
}
