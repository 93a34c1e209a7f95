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
import dev.bellows.Mergeable;
import dev.bellows.TypedFilter;
import dev.bellows.growth.ScalableBloomFilter;
import dev.bellows.growth.ScalablePlan;
import dev.bellows.internal.layout.Merging;
import dev.bellows.io.FilterKind;
import dev.bellows.plan.BloomPlan;
import dev.bellows.redis.Wire.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * A Bloom filter in a Redis or Valkey server, for any number of clients at the same time, safe from
 * any thread. A put that returned is found by every client from then on, also while the filter is
 * folded, grows or is merged. "No" is certain: what cannot be answered is a {@link
 * SharedFilterException}.
 *
 * <p>All keys of a filter begin with {@code {name}}, so that they are on one node of a cluster. The
 * bits are strings of at most 8 MiB; every one of them has its full length from the beginning, so
 * that one which was evicted or deleted is noticed.
 *
 * <p>A filter made with a {@link BloomPlan} has that size until it is folded; one made with a
 * {@link ScalablePlan} grows in levels, as {@link dev.bellows.growth.ScalableBloomFilter} does.
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

  /** Creates a filter of a fixed size; refused if there is one of that name. */
  public static SharedBloomFilter create(RedisBits bits, String name, BloomPlan plan) {
    return create(bits, name, plan, HashScheme.DEFAULT);
  }

  /** Creates a filter of a fixed size whose keys are hashed by a scheme. */
  public static SharedBloomFilter create(
      RedisBits bits, String name, BloomPlan plan, HashScheme scheme) {
    return new SharedBloomFilter(Creation.of(name, plan, scheme, 0).create(bits));
  }

  /** Creates a filter that grows; refused if there is one of that name. */
  public static SharedBloomFilter create(RedisBits bits, String name, ScalablePlan plan) {
    return create(bits, name, plan, HashScheme.DEFAULT);
  }

  /** Creates a filter that grows, whose keys are hashed by a scheme. */
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
   * Opens the filter of a name, finishes the level and ends the folding of a client that died, and
   * deletes what is left of them.
   */
  public static SharedBloomFilter open(RedisBits bits, String name) {
    return new SharedBloomFilter(Creation.open(bits, name, null));
  }

  /** The same where the keys are hashed with a secret, or to be sure of the scheme. */
  public static SharedBloomFilter open(RedisBits bits, String name, HashScheme scheme) {
    return new SharedBloomFilter(
        Creation.open(bits, name, Objects.requireNonNull(scheme, "scheme")));
  }

  /**
   * Opens the filter of a name, or creates it: the first of many services that start together makes
   * it. Refused if the one that is there has another configuration; it may have been folded.
   */
  public static SharedBloomFilter openOrCreate(
      RedisBits bits, String name, BloomPlan plan, HashScheme scheme) {
    return new SharedBloomFilter(Creation.of(name, plan, scheme, 0).openOrCreate(bits));
  }

  /** The same for a filter that grows. */
  public static SharedBloomFilter openOrCreate(
      RedisBits bits, String name, ScalablePlan plan, HashScheme scheme) {
    return new SharedBloomFilter(Creation.of(name, plan, scheme).openOrCreate(bits));
  }

  /** Returns the name under which all its keys are. */
  public String name() {
    return access.name;
  }

  /** BLOOM, or SCALABLE if it grows. */
  @Override
  public FilterKind kind() {
    return access.state().isGrowing() ? FilterKind.SCALABLE : FilterKind.BLOOM;
  }

  /** Returns how keys choose bits. */
  public Layout layout() {
    return access.state().layout();
  }

  /** Returns the bits of all levels, as far as this client knows. */
  public long bits() {
    return access.state().bits();
  }

  /** Returns the layout and size of its newest level. */
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

  /** Puts every hash in {@code [from, to)}, in one round trip for up to some ten thousand. */
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

  /** Tests every hash in {@code [from, to)}, in one round trip for up to 4096. */
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
   * Folds the filter on the server, every level by the factor, while others put and ask. The result
   * is bit for bit {@link BloomFilter#foldBy}. Possible are the factors of {@link #foldFactors}. A
   * growing filter is folded only as far as its levels keep their rate.
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
   * Returns the factors by which the server can fold it, ascending: those that leave whole bytes.
   */
  public long[] foldFactors() {
    return Folding.factors(access.state());
  }

  /** Returns the sizes of {@link #foldFactors} for a filter of a fixed size, each with its rate. */
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
   * Puts every key of another filter of the same server into this one. The other one has the same
   * layout, hashes and scheme, and the same size or a multiple of it. Between nodes of a cluster
   * the bits go over this client.
   *
   * <p>Growing filters have the same plan. A level of the other one goes into a level of the same
   * size where its keys fit, as in {@link dev.bellows.growth.ScalableBloomFilter#union}, and is a
   * further level otherwise; the rates of both add up.
   */
  public void putAll(SharedBloomFilter other) {
    putAll(other, Mergeable.DEFAULT_MAX_FPP);
  }

  /**
   * The same with a limit.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result, as it is
   *     expected from the keys of both
   */
  public void putAll(SharedBloomFilter other, double maxFpp) {
    if (kind().equals(FilterKind.SCALABLE)) {
      requireUseful(other.numbers().fpp(), maxFpp);
    } else if (!other.kind().equals(FilterKind.SCALABLE)) {
      double expected = numbers().fppWith(other.numbers().keys());
      if (Merging.isAbove(expected, maxFpp)) {
        throw new IllegalArgumentException(
            "the keys of both in %d bits would have fpp %s, above %s: create a larger filter"
                .formatted(bits(), expected, maxFpp));
      }
    }
    transfers.union(other.access);
  }

  /** Refuses further levels with which the rate of all would be too high. */
  private void requireUseful(double more, double maxFpp) {
    double fpp = expectedFpp();
    double expected = fpp + more - fpp * more;
    if (Merging.isAbove(expected, maxFpp)) {
      throw new IllegalArgumentException(
          "the levels of both would have fpp %s, above %s: build both with a lower fpp"
              .formatted(expected, maxFpp));
    }
  }

  /** Puts every key of a local growing filter of the same plan, level by level. */
  public void upload(ScalableBloomFilter local) {
    requireUseful(local.expectedFpp(), Mergeable.DEFAULT_MAX_FPP);
    transfers.upload(local);
  }

  /** Puts every key of a local filter, of this shape or of a size that folds to this one. */
  public void upload(BloomFilter local) {
    transfers.upload(Objects.requireNonNull(local, "local"));
  }

  /**
   * Returns the filter as it is now, on the heap: a {@link BloomFilter}, or a {@link
   * dev.bellows.growth.ScalableBloomFilter} if it grows. For services that ask very often: they
   * read a copy and take a new one now and then.
   */
  public Filter download() {
    return transfers.download();
  }

  private SharedStats numbers() {
    return SharedStats.count(access, transfers);
  }

  /** Returns its numbers, counted on the server. */
  @Override
  public FilterStats stats() {
    return numbers().toFilterStats(kind());
  }

  /**
   * Returns the length of the file of {@link #download}; of a growing filter of its levels alone.
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
   * How a filter is stored in its server, and its numbers at the same moment.
   *
   * @param stats its numbers
   * @param fileBytes the length of its file, as {@link #sizeInBytes}
   * @param stripes the strings that hold its bits
   * @param bytes their length
   * @param isFolding whether a folding has begun and not ended
   * @param levels the levels of a growing filter, newest first; empty for others
   */
  public record Storage(
      FilterStats stats,
      long fileBytes,
      long stripes,
      long bytes,
      boolean isFolding,
      List<ScalableBloomFilter.Level> levels) {}

  /** Returns how it is stored, counted on the server once. */
  public Storage storage() {
    return numbers().toStorage(kind());
  }

  @Override
  public double expectedFpp() {
    return numbers().fpp();
  }

  /** Returns the estimated number of keys; of a growing filter the number that was added. */
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

  /** Returns what this object has sent and received. */
  public RedisMetrics metrics() {
    return access.wire.metrics();
  }

  /** Lets the whole filter expire at a time; afterwards it is an error to use it. */
  public void expireAt(Instant time) {
    expire(Wire.decimal(Math.max(1, time.toEpochMilli())));
  }

  /** Lets the filter stay forever, which it does unless {@link #expireAt} was called. */
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

  /** Deletes the filter: from now on it is an error to use it. */
  public void drop() {
    whole(
        "the drop",
        state -> {
          List<byte[]> keys = new ArrayList<>(List.of(access.stateKey(), access.leaseKey()));
          keys.addAll(access.allStripes(state));
          return Command.run(Script.DROP, keys, List.of(Wire.bytes(state.version())));
        });
  }

  /** A command over all keys. */
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
