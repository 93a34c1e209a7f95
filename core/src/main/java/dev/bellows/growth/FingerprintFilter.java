package dev.bellows.growth;

import dev.bellows.Durable;
import dev.bellows.FilterBuilder;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.KeyHasher;
import dev.bellows.Mergeable;
import dev.bellows.StoredFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.DurableContent;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.PrefixFile;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.prefixes.PrefixImage;
import dev.bellows.internal.prefixes.PrefixSource;
import dev.bellows.internal.prefixes.PrefixStore;
import dev.bellows.internal.prefixes.PrefixTally;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * A thread-safe filter without a fixed size: it stores a prefix of each key's hash, and grows by
 * splitting small chunks of prefixes, one at a time. Queries take no lock, puts into different
 * chunks run concurrently, and copies and files contain every put that returned before they began.
 *
 * <p>It is a set: if a stored prefix already matches a key, a put stores nothing, and if several
 * threads put the same new key, exactly one of them gets true. A filter that is built {@link
 * Builder#removable} stores every put, and each put can be removed once.
 *
 * <p>Filters of any sizes can be merged, and their rates add up. Prefixes can be cut, which makes
 * the filter smaller and its rate higher ({@link #foldToFpp}). A fingerprint filter cannot be
 * converted to a Bloom filter, because prefixes are not complete hashes.
 */
public final class FingerprintFilter extends StoredFilter
    implements KeyFilter.Removable,
        Durable,
        Mergeable.Intersectable<FingerprintFilter>,
        Mergeable.Subtractable<FingerprintFilter> {
  private static final long serialVersionUID = 1L;

  /** The format of this kind, which reads its filters from streams, files and byte arrays. */
  public static final FilterFormat<FingerprintFilter> FORMAT =
      FilterFormat.of(
          FilterKind.FINGERPRINT,
          FingerprintFilter.class,
          FingerprintFormat::read,
          FingerprintFormat::empty);

  private final HashScheme scheme;
  private final boolean removable;
  private final PrefixStore store;

  /** The current plan, which changes only if the filter is folded in place. */
  private volatile FingerprintPlan plan;

  FingerprintFilter(FingerprintPlan plan, HashScheme scheme, boolean removable, PrefixStore store) {
    this.plan = plan;
    this.scheme = scheme;
    this.removable = removable;
    this.store = store;
  }

  static PrefixStore emptyStore(FingerprintPlan plan, boolean removable) {
    return new PrefixStore(!removable, plan.slack(), plan.chunkKeys());
  }

  /**
   * Returns an empty set whose false positive rate does not exceed {@code fpp} during its first
   * thirty doublings ({@link FingerprintPlan#DOUBLINGS}).
   */
  public static FingerprintFilter create(double fpp) {
    return builder().fpp(fpp).build();
  }

  /** Returns a builder for all other settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.FINGERPRINT;
  }

  /** Returns the plan, which determines how many bits of a hash are stored. */
  public FingerprintPlan plan() {
    return plan;
  }

  /** Returns whether every put is stored and can be removed. */
  public boolean isRemovable() {
    return removable;
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  /**
   * Puts the key with this hash and returns whether it was stored. A removable filter stores equal
   * prefixes up to 255 times; from then on they can no longer be removed. After many doublings,
   * when the prefixes of the first keys have no bits left, this happens after 8 equal prefixes, and
   * further keys that match them are not stored.
   *
   * <p>No key is rejected. If hashes agree in far more bits than is likely by chance, because an
   * attacker chose them, the filter replaces their prefixes with shorter ones: nearby hashes become
   * false positives, and a removable filter keeps these prefixes forever. A {@linkplain
   * HashScheme#sipHash secret key} prevents this.
   */
  @Override
  public boolean putHash(long hash) {
    return store.put(hash);
  }

  /**
   * Removes one put of the key with this hash: the longest prefix that matches it. If the key is
   * absent, or if its prefix can no longer be removed (see {@link #putHash}), nothing changes.
   * Remove only keys that were put: an absent key may have the same prefix as a stored key.
   *
   * @throws IllegalStateException if the filter is a set, where one prefix may stand for several
   *     keys
   */
  @Override
  public boolean removeHash(long hash) {
    if (!removable) {
      throw new IllegalStateException(
          "keys cannot be removed from a set, because one prefix may stand for several keys: build"
              + " it removable()");
    }
    return store.remove(hash);
  }

  /**
   * Confirms that the key with this hash was put, after the caller has found it where the keys
   * themselves are stored. The matching prefix is extended to the length that a put stores now, so
   * that it no longer matches most other keys: this restores the original rate of a filter that has
   * grown, for the keys that are in use. (The authors of InfiniFilter call this rejuvenation.)
   *
   * <pre>{@code
   * if (filter.mightContain(key)) {
   *   Row row = table.get(key);
   *   if (row != null) {
   *     filter.confirm(key);
   *   }
   * }
   * }</pre>
   *
   * <p>Confirm only keys that were put and not removed. A false positive matches the prefix of
   * another key, which would be lost, and the filter cannot detect this. The same applies to a key
   * that another thread removes between the check and this call. It does not matter which of
   * several matching prefixes was stored for the key: the longest one is extended, and the shorter
   * ones still match all keys that it matched before.
   *
   * @return whether a prefix was extended; false if it already has all bits, or if equal prefixes
   *     can no longer be removed (see {@link #putHash})
   * @throws IllegalStateException if the filter is a set, where one prefix may stand for several
   *     keys: an extended prefix would no longer match the others
   */
  public boolean confirmHash(long hash) {
    if (!removable) {
      throw new IllegalStateException(
          "a set cannot confirm a key, because one prefix may stand for several keys: build it"
              + " removable()");
    }
    return store.confirm(hash);
  }

  /** Confirms a long; see {@link #confirmHash}. */
  public boolean confirm(long key) {
    return confirmHash(scheme.hash(key));
  }

  /** Confirms a character, as text of length one; see {@link #confirmHash}. */
  public boolean confirm(char key) {
    return confirmHash(scheme.hash(key));
  }

  /** Confirms text; see {@link #confirmHash}. */
  public boolean confirm(CharSequence key) {
    return confirmHash(scheme.hash(key));
  }

  /** Confirms bytes; see {@link #confirmHash}. */
  public boolean confirm(byte[] key) {
    return confirmHash(scheme.hash(key));
  }

  /** Confirms a key of any type; see {@link #confirmHash}. */
  public <T> boolean confirm(T key, KeyHasher<? super T> hasher) {
    return confirmHash(scheme.hash(key, hasher));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return store.contains(hash);
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    Objects.checkFromToIndex(from, to, Math.min(hashes.length, hits.length));
    return store.count(hashes, from, to, hits);
  }

  /**
   * Returns the false positive rate: the sum of 2^-length over all prefixes. If one prefix covers
   * another, as in removable filters and after intersections, the actual rate is lower.
   */
  @Override
  public double expectedFpp() {
    return Math.min(1, store.tally().rate());
  }

  /**
   * Returns the number of keys that were stored and not removed. It is only an estimate after
   * merges, and after removals of old keys whose prefixes were copied in splits or put 8 times or
   * more.
   */
  public long approximateElementCount() {
    PrefixTally tally = store.tally();
    // read before the total, because a split increases both
    long copies = tally.copies();
    return Math.max(0, tally.total() - copies);
  }

  /**
   * Returns the exact number of heap bytes in use. Removals reduce it: chunks with few keys left
   * shrink, and pairs of them are joined.
   */
  public long heapBytes() {
    return store.heapBytes();
  }

  /** Removes every key; writers wait in the meantime, queries do not. */
  public void clear() {
    store.replaceBy(PrefixStore::empty);
  }

  /** Returns the rate of the {@link #plan}. */
  @Override
  public double targetFpp() {
    return plan.fpp();
  }

  @Override
  public FingerprintFilter copy() {
    // folding in place replaces the plan
    return store.whileNotReplaced(
        () -> new FingerprintFilter(plan, scheme, removable, store.copy()));
  }

  @Override
  public Optional<String> incompatibility(FingerprintFilter other) {
    return scheme
        .incompatibility(other.scheme)
        .or(() -> Merging.difference(List.of(word(removable)), List.of(word(other.removable))));
  }

  private static String word(boolean isRemovable) {
    return isRemovable ? "a removable filter" : "a set";
  }

  /**
   * Returns a filter that contains every key of both; the sizes of the filters do not matter. Its
   * rate is the sum of their rates, minus the part that common prefixes contribute to both; its
   * plan is the one with the lower rate.
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public FingerprintFilter union(FingerprintFilter other, double maxFpp) {
    return merged(other, maxFpp, true);
  }

  /**
   * Returns a filter that contains every key that is in both: if one prefix begins with the other,
   * it contains the longer one.
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public FingerprintFilter intersection(FingerprintFilter other, double maxFpp) {
    return merged(other, maxFpp, false);
  }

  private FingerprintFilter merged(FingerprintFilter other, double maxFpp, boolean isUnion) {
    Merging.requireCompatible(incompatibility(other));
    // work on copies, because other threads may change both filters
    FingerprintFilter mine = copy();
    FingerprintFilter theirs = other.copy();
    FingerprintPlan lower = mine.plan.fpp() <= theirs.plan.fpp() ? mine.plan : theirs.plan;
    PrefixStore empty = emptyStore(lower, removable);
    PrefixStore both =
        isUnion
            ? empty.loadUnion(mine.store, theirs.store)
            : empty.loadIntersection(mine.store, theirs.store);
    FingerprintFilter merged =
        new FingerprintFilter(lower, scheme.mergedWith(other.scheme), removable, both);
    Merging.requireUseful(merged.expectedFpp(), maxFpp, "build both with a lower fpp");
    return merged;
  }

  /**
   * Returns a filter without the keys of another one, all of which must have been put into this
   * filter too. If several prefixes could belong to such a key, none of them is removed.
   *
   * <p>Keys for which {@link #remove} of the other filter returned false are still in it.
   *
   * @throws IllegalArgumentException if the filters are sets or have different hash schemes, or if
   *     the other filter has doubled more often than its first prefixes have bits to spare, i.e.
   *     beyond about a million keys at 1 %
   */
  @Override
  public FingerprintFilter subtract(FingerprintFilter other) {
    Merging.requireCompatible(incompatibility(other));
    if (!removable) {
      throw new IllegalArgumentException(
          "sets cannot be subtracted, because one prefix may stand for several keys: build them"
              + " removable()");
    }
    PrefixStore theirs = other.store.copy();
    if (theirs.tally().copies() > 0) {
      throw new IllegalArgumentException(
          "the filter to subtract has grown so much that prefixes of its first keys had to be"
              + " copied, and a copy may belong to a key that stays: build it with a lower fpp");
    }
    FingerprintFilter rest = copy();
    rest.store.subtract(theirs.prefixes());
    return rest;
  }

  /**
   * Returns a filter with the same keys in less memory, at a rate of at most {@code fpp}: the
   * prefixes are cut to two adjacent lengths, so that the rate is as close to {@code fpp} as
   * possible. Each doubling of the rate saves one bit per key.
   */
  public FingerprintFilter foldToFpp(double fpp) {
    FingerprintPlan folded = FingerprintPlan.of(fpp);
    PrefixStore cut = emptyStore(folded, removable).loadCut(store.copy(), fpp);
    return new FingerprintFilter(folded, scheme, removable, cut);
  }

  /**
   * Cuts the prefixes of this filter in place, as {@link #foldToFpp} does, and releases the memory;
   * writers wait in the meantime, queries do not. Later puts store as many bits as in a filter with
   * that rate.
   */
  public void foldInPlace(double fpp) {
    FingerprintPlan folded = FingerprintPlan.of(fpp);
    store.replaceBy(
        old -> {
          PrefixStore smaller = emptyStore(folded, removable).loadCut(old, fpp);
          plan = folded;
          return smaller;
        });
  }

  /**
   * Returns a static filter with the same keys, whose size is close to the minimum for its rate;
   * the keys themselves are not needed. The rate of the result includes that of this filter, which
   * must therefore be far below {@code fpp}.
   *
   * <p>In a static filter, all prefixes have the same length. Longer prefixes are cut, which raises
   * the rate; shorter ones are replaced with all prefixes of that length that begin with them,
   * which may increase the number of prefixes by at most 5 %. A filter that was {@linkplain
   * #foldToFpp folded} has prefixes of two adjacent lengths and can be frozen at nearly its own
   * rate; a filter that has grown for a long time has prefixes of many lengths.
   *
   * @param fpp the maximum rate of the result, due to prefixes and columns together
   * @throws IllegalArgumentException if no length of prefixes meets that rate; the message names a
   *     rate that can be met, if there is one
   */
  public FrozenFilter freeze(double fpp) {
    return Freezing.freeze(copy(), fpp);
  }

  /**
   * Releases memory: cuts the prefixes to the lengths that they would have in a new filter with the
   * current number of keys, and rebuilds all chunks; writers wait in the meantime, queries do not.
   * The rate stays within {@link FingerprintPlan#fppAt}, so that the filter still meets its rate
   * when it grows again.
   *
   * <p>Most of the memory is released without this method, because removals shrink and join chunks;
   * but prefixes keep their lengths.
   */
  public Trim trim() {
    double[] rates = new double[2];
    store.replaceBy(
        old -> {
          rates[0] = expectedFpp();
          double target = plan.fppAt(approximateElementCount());
          PrefixStore trimmed =
              rates[0] < target && target < 1 ? old.empty().loadCut(old, target) : old.copy();
          rates[1] = Math.min(1, trimmed.tally().rate());
          return trimmed;
        });
    return new Trim(rates[0], rates[1]);
  }

  /**
   * The effect of {@link #trim}.
   *
   * @param fppBefore the expected false positive rate before trimming
   * @param fppAfter the expected false positive rate after trimming
   */
  public record Trim(double fppBefore, double fppAfter) {}

  /** Returns how many chunks were split because they were full. */
  public long splits() {
    return store.splits();
  }

  /** Returns how many pairs of chunks were joined because removals had left few keys in them. */
  public long joins() {
    return store.joins();
  }

  @Override
  public FilterStats stats() {
    return stats(store.tally().bits());
  }

  private FilterStats stats(long bits) {
    return FilterStats.of(this, null, bits, 1, null, (double) approximateElementCount())
        .growing(plan.fpp(), new FilterStats.Parts("prefixes", store.tally().total()));
  }

  /** The number of prefixes, and the lengths of the shortest and the longest one in bits. */
  public record Prefixes(long count, int shortest, int longest) {}

  /** Returns the number of prefixes and their lengths. */
  public Prefixes prefixes() {
    return new Prefixes(store.tally().total(), store.tally().shortest(), store.tally().longest());
  }

  /** Returns the size of the filter's file in bytes; this method copies and encodes the filter. */
  @Override
  public long sizeInBytes() {
    return fileSize().bytes();
  }

  /**
   * The size of a filter's file.
   *
   * @param bytes the length of the file
   * @param payloadBytes the number of bytes of prefixes, without header and checksums
   */
  public record FileSize(long bytes, long payloadBytes) {}

  /** Returns the size of the filter's file; this method copies and encodes the filter. */
  public FileSize fileSize() {
    PrefixFile file = FingerprintFormat.of(copy());
    return new FileSize(file.header().fileBytes(), file.payloadBytes());
  }

  @Override
  public boolean isEmpty() {
    return store.tally().total() == 0;
  }

  @Override
  public String explain() {
    PrefixFile file = FingerprintFormat.of(copy());
    return (removable
            ? "A removable fingerprint filter: it keeps a prefix of the hash of every put"
            : "A fingerprint filter: it keeps a prefix of the hash of each key")
        + ", grows as keys come and "
        + (expectedFpp() <= plan.fpp()
            ? "holds its rate at " + Prose.rate(plan.fpp()) + " or below"
            : "was built for a rate of " + Prose.rate(plan.fpp()) + ", which it has exceeded")
        + ".\n\n"
        + stats(8 * file.payloadBytes()).lines("bits", file.header().fileBytes())
        + Prose.format(
            "  prefixes           %,d of %d to %d bits\n",
            store.tally().total(), store.tally().shortest(), store.tally().longest());
  }

  PrefixStore store() {
    return store;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    // a copy, so that all parts of the file reflect a single moment
    FingerprintFormat.of(copy()).writeTo(out);
  }

  /**
   * Returns the bytes of this filter cut to a rate: {@code foldToFpp(fpp).toBytes()}. {@link
   * PrefixStream} can read them even if they are truncated.
   */
  public byte[] toBytes(double fpp) {
    return foldToFpp(fpp).toBytes();
  }

  /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static FingerprintFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static FingerprintFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  @SuppressWarnings("exports")
  @Override
  public DurableContent<FingerprintFilter> durableContent() {
    return new Content();
  }

  /**
   * The durable content of this filter, whose image consists of the chunks as they are in memory.
   */
  private final class Content implements DurableContent<FingerprintFilter> {
    @Override
    public FingerprintFilter filter() {
      return FingerprintFilter.this;
    }

    @Override
    public FingerprintFilter empty(byte[] settings, ReadOptions options) throws IOException {
      return FORMAT.empty(settings, options);
    }

    @Override
    public byte[] settings() {
      return FingerprintFormat.settings(FingerprintFilter.this);
    }

    @Override
    public boolean isSet() {
      return !removable;
    }

    @Override
    public int commutingBits() {
      // the number of bits stored for a key depends on the keys that were put into its chunk before
      return removable ? 0 : store.leastDepth();
    }

    @Override
    public boolean remove(long hash) {
      return removable ? removeHash(hash) : DurableContent.super.remove(hash);
    }

    @Override
    public void clear() {
      FingerprintFilter.this.clear();
    }

    @Override
    public long imageBytes() {
      long prefixes = store.tally().total();
      // an estimate: the bits of a prefix beyond those that choose its bucket, with some room
      return store.chunks() * 180L + prefixes * (plan.slack() + 4) / 8;
    }

    @Override
    public Image image() {
      PrefixImage image = removable ? PrefixImage.exact(store) : PrefixImage.live(store);
      return image::writeTo;
    }

    @Override
    public FingerprintFilter read(InputStream in, ReadOptions options) throws IOException {
      try {
        PrefixStore read = PrefixImage.read(in, emptyStore(plan, removable), limit(options));
        return new FingerprintFilter(plan, scheme, removable, read);
      } catch (EOFException | IllegalArgumentException e) {
        throw new FilterFormatException(0, e.getMessage());
      }
    }
  }

  private static LongConsumer limit(ReadOptions options) {
    return bytes -> {
      if (bytes > options.maxBytes()) {
        throw new IllegalArgumentException(
            "it would take %d bytes of memory, more than the limit of %d"
                .formatted(bytes, options.maxBytes()));
      }
    };
  }

  /** Returns whether the other object is a filter with the same plan, hash scheme and prefixes. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FingerprintFilter filter
        && scheme.equals(filter.scheme)
        && plan.equals(filter.plan)
        && removable == filter.removable
        && PrefixSource.areEqual(store.copy().prefixes(), filter.store.copy().prefixes());
  }

  @Override
  public int hashCode() {
    int hash = Objects.hash(scheme, plan, removable);
    PrefixSource prefixes = store.copy().prefixes();
    while (prefixes.next()) {
      hash = 31 * hash + Long.hashCode(prefixes.bits()) + prefixes.length();
    }
    return hash;
  }

  @Override
  public String toString() {
    return "FingerprintFilter[%s, fpp %s, %d keys by prefixes of up to %d bits]"
        .formatted(word(removable), plan.fpp(), approximateElementCount(), store.tally().longest());
  }

  /** Builds a {@link FingerprintFilter}. */
  public static final class Builder extends FilterBuilder<Builder> {
    private double fpp = 0.01;
    private boolean removable;

    Builder() {}

    /**
     * Sets the rate that the filter does not exceed during its first thirty doublings (default 1
     * %).
     */
    public Builder fpp(double fpp) {
      this.fpp = FingerprintPlan.of(fpp).fpp();
      return this;
    }

    /** Makes the filter store every put, so that each put can be removed once. */
    public Builder removable() {
      this.removable = true;
      return this;
    }

    /** Builds the empty filter. */
    public FingerprintFilter build() {
      FingerprintPlan plan = FingerprintPlan.of(fpp);
      return new FingerprintFilter(plan, hashScheme(), removable, emptyStore(plan, removable));
    }
  }

  /**
   * A {@link FingerprintFilter} whose bytes may have arrived only in part. They contain the leading
   * bits of all prefixes first, then one more bit of each prefix, plane by plane. The first part is
   * a filter with every key and a high rate, and each further plane halves the rate. All other
   * readers reject a truncated file.
   *
   * @param filter the filter that consists of all complete planes that arrived
   * @param planes the number of complete planes that arrived
   * @param allPlanes the number of planes that were sent
   */
  public record PrefixStream(FingerprintFilter filter, int planes, int allPlanes) {
    /** Returns whether all planes arrived. */
    public boolean isWhole() {
      return planes == allPlanes;
    }

    /**
     * Reads a filter up to its end, or up to the last complete plane if the stream ends early.
     *
     * @throws FilterFormatException if the first part is incomplete, or if the bytes are corrupt
     */
    public static PrefixStream readFrom(InputStream in, ReadOptions options) throws IOException {
      return FilterReader.readFrom(
          in,
          options,
          reader -> FingerprintFormat.readCut(reader.expect(FilterKind.FINGERPRINT, false)));
    }

    /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
    public static PrefixStream readFrom(InputStream in) throws IOException {
      return readFrom(in, ReadOptions.DEFAULT);
    }
  }
}
