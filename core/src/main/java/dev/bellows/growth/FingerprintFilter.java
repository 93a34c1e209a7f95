package dev.bellows.growth;

import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.Membership;
import dev.bellows.Mergeable;
import dev.bellows.RemovableKeys;
import dev.bellows.TypedFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.SerializedFilter;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.prefixes.PrefixSource;
import dev.bellows.internal.prefixes.PrefixStore;
import dev.bellows.internal.prefixes.PrefixTally;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A filter without a size, safe from any thread: it keeps a prefix of the hash of each key, and
 * grows by splitting small chunks of them, one at a time. Queries take no lock, puts of different
 * chunks run beside each other, and copies and files contain every put that returned before they
 * began.
 *
 * <p>It is a set: a put that a stored prefix already matches stores nothing, and of several threads
 * that put one new key exactly one gets true. A filter that is built as {@link Builder#removable}
 * stores every put, and each can be removed once.
 *
 * <p>Filters of any sizes can be united, and their rates add up. Prefixes can be cut, which makes
 * the filter smaller and its rate higher ({@link #foldToFpp}); a Bloom filter cannot be made of it,
 * because prefixes are no hashes.
 */
public final class FingerprintFilter
    implements RemovableKeys,
        Membership,
        Mergeable.Intersectable<FingerprintFilter>,
        Mergeable.Subtractable<FingerprintFilter>,
        Serializable {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its filters from streams, files and bytes. */
  public static final FilterFormat<FingerprintFilter> FORMAT =
      FilterFormat.of(FilterKind.FINGERPRINT, FingerprintFilter.class, FingerprintFormat::read);

  private final HashScheme scheme;
  private final boolean removable;
  private final PrefixStore store;

  /** Changes only when the filter folds in place. */
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

  /** An empty set whose false positive rate does not exceed fpp, through thirty doublings. */
  public static FingerprintFilter create(double fpp) {
    return builder().fpp(fpp).build();
  }

  /** A builder for all other settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.FINGERPRINT;
  }

  /** How many bits it keeps of a hash. */
  public FingerprintPlan plan() {
    return plan;
  }

  /** Whether every put is stored and can be removed. */
  public boolean isRemovable() {
    return removable;
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  /**
   * Puts the key with this hash; true iff it was stored. A removable filter stores equal prefixes
   * 255 times; from then on they stay, however many are removed. After many doublings the prefixes
   * of the first keys have no bits left: then 8 equal ones stay, and a key that they match is not
   * stored.
   *
   * <p>No key is refused. Where hashes agree in far more bits than chance allows, because an
   * adversary chose them, shorter prefixes replace theirs: hashes near them become false positives,
   * and a removable filter keeps them forever. A {@linkplain HashScheme#sipHash secret key} keeps
   * such keys out.
   */
  @Override
  public boolean putHash(long hash) {
    return store.put(hash);
  }

  /**
   * Removes one put of the key with this hash: the longest prefix that matches it. A key that is
   * absent, or whose prefix stays ({@link #putHash}), is refused, and nothing changes. Only a key
   * that was put may be removed: the prefix of an absent one may be that of a stored key.
   *
   * @throws IllegalStateException if the filter is a set, where one prefix may stand for several
   *     keys
   */
  @Override
  public boolean removeHash(long hash) {
    if (!removable) {
      throw new IllegalStateException(
          "a set cannot remove, because one prefix may stand for several keys: build it removable()");
    }
    return store.remove(hash);
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

  /** A view of this filter for keys of one type. */
  public <T> TypedFilter<T> typed(KeyHasher<? super T> hasher) {
    return TypedFilter.of(this, hasher);
  }

  /**
   * The false positive rate: the sum of 2^-length over all prefixes. Where one prefix covers
   * another, as in removable filters and after intersections, the rate is lower.
   */
  @Override
  public double expectedFpp() {
    return Math.min(1, store.tally().rate());
  }

  /**
   * The number of keys that were stored and not removed. It is an estimate, if old keys were
   * removed whose prefixes had been copied in splits, or were put 8 times or more, and after
   * merges.
   */
  public long approximateElementCount() {
    PrefixTally tally = store.tally();
    // first, because a split adds a copy and its count together
    long copies = tally.copies();
    return Math.max(0, tally.total() - copies);
  }

  /**
   * The bytes of heap that it takes, counted. Removals reduce them: chunks that have few keys left
   * shrink, and pairs of them are joined.
   */
  public long heapBytes() {
    return store.heapBytes();
  }

  /** Removes every key; writers wait meanwhile, queries do not. */
  public void clear() {
    store.replaceBy(PrefixStore::empty);
  }

  @Override
  public FingerprintFilter copy() {
    // a fold in place gives it another plan
    return store.whileNotReplaced(
        () -> new FingerprintFilter(plan, scheme, removable, store.copy()));
  }

  @Override
  public Optional<String> incompatibility(FingerprintFilter other) {
    return Merging.difference(
        List.of(scheme, word(removable)), List.of(other.scheme, word(other.removable)));
  }

  private static String word(boolean isRemovable) {
    return isRemovable ? "a removable filter" : "a set";
  }

  /**
   * A filter that holds every key of both, whatever their sizes. Its rate is the sum of theirs,
   * less what they have in common; of two plans it has the one with the lower rate.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result
   */
  @Override
  public FingerprintFilter union(FingerprintFilter other, double maxFpp) {
    return merged(other, maxFpp, true);
  }

  /**
   * A filter that holds every key that is in both: of two prefixes that agree as far as the shorter
   * one goes, the longer.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result
   */
  @Override
  public FingerprintFilter intersection(FingerprintFilter other, double maxFpp) {
    return merged(other, maxFpp, false);
  }

  private FingerprintFilter merged(FingerprintFilter other, double maxFpp, boolean isUnion) {
    Merging.requireCompatible(incompatibility(other));
    // of copies, because others may change both
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
   * A filter without the keys of another one, all of which were put into this one too, by the
   * caller's word. Where several prefixes could be that of such a key, they stay.
   *
   * <p>A {@link #remove} that was refused has removed nothing from the other one either.
   *
   * @throws IllegalArgumentException if they are sets, or have different hash schemes, or if the
   *     other one has grown through more doublings than its prefixes have bits, about a million
   *     keys at 1 %
   */
  @Override
  public FingerprintFilter subtract(FingerprintFilter other) {
    Merging.requireCompatible(incompatibility(other));
    if (!removable) {
      throw new IllegalArgumentException(
          "sets cannot be subtracted, because one prefix may stand for several keys: build them removable()");
    }
    PrefixStore theirs = other.store.copy();
    if (theirs.tally().copies() > 0) {
      throw new IllegalArgumentException(
          "the filter to subtract has grown so far that prefixes of its first keys had to be copied, and a copy may be that of a key that stays: build it with a lower fpp");
    }
    FingerprintFilter rest = copy();
    rest.store.subtract(theirs.prefixes());
    return rest;
  }

  /**
   * A filter with the same keys in less memory, at a rate of at most fpp: its prefixes cut to two
   * neighbouring lengths, so that the rate is as close to fpp as it can be. Twice the rate saves
   * one bit per key.
   */
  public FingerprintFilter foldToFpp(double fpp) {
    FingerprintPlan folded = FingerprintPlan.of(fpp);
    PrefixStore cut = emptyStore(folded, removable).loadCut(store.copy(), fpp);
    return new FingerprintFilter(folded, scheme, removable, cut);
  }

  /**
   * Cuts the prefixes of this filter itself, as {@link #foldToFpp} does, and gives the memory back;
   * writers wait meanwhile, queries do not. Later puts keep the bits of a filter with that rate.
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
   * Gives memory back: cuts the prefixes to the lengths that a new filter with the present number
   * of keys would have, and builds all chunks anew; writers wait meanwhile, queries do not. The
   * rate stays within {@link FingerprintPlan#fppAt}, so that the filter holds its rate when it
   * grows again.
   *
   * <p>Removals give back most of the memory without it: chunks shrink and join by themselves, but
   * prefixes keep the bits that they have.
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
   * @param fppBefore the expected false positive rate before
   * @param fppAfter the expected false positive rate after
   */
  public record Trim(double fppBefore, double fppAfter) {}

  /** How many chunks have been split because they were full. */
  public long splits() {
    return store.splits();
  }

  /** How many pairs of chunks have been joined because removals had left few keys in them. */
  public long joins() {
    return store.joins();
  }

  @Override
  public FilterStats stats() {
    return stats(store.tally().bits());
  }

  private FilterStats stats(long bits) {
    return new FilterStats(
            FilterKind.FINGERPRINT,
            null,
            bits,
            1,
            scheme,
            null,
            (double) approximateElementCount(),
            expectedFpp())
        .growing(plan.fpp(), new FilterStats.Parts("prefixes", store.tally().total()));
  }

  /** The number of prefixes, and the bits of the shortest and of the longest. */
  public record Prefixes(long count, int shortest, int longest) {}

  /** Its prefixes in numbers. */
  public Prefixes prefixes() {
    return new Prefixes(store.tally().total(), store.tally().shortest(), store.tally().longest());
  }

  /** The length of its file in bytes; copies and encodes the filter to find out. */
  @Override
  public long sizeInBytes() {
    return fileSize().bytes();
  }

  /**
   * The size of its file.
   *
   * @param bytes the length of the file
   * @param payloadBytes the bytes of prefixes in it, without header and checksums
   */
  public record FileSize(long bytes, long payloadBytes) {}

  /** The size of its file; copies and encodes the filter to find out. */
  public FileSize fileSize() {
    FingerprintFormat.Written file = FingerprintFormat.of(copy());
    return new FileSize(file.header().fileBytes(), file.payloadBytes());
  }

  @Override
  public boolean isEmpty() {
    return store.tally().total() == 0;
  }

  @Override
  public String explain() {
    FingerprintFormat.Written file = FingerprintFormat.of(copy());
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

  private Object writeReplace() {
    return new SerializedFilter(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw SerializedFilter.refusal();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    // a copy, so that its parts belong to one moment
    FingerprintFormat.of(copy()).writeTo(out);
  }

  /**
   * The bytes of this filter cut to a rate: what {@code foldToFpp(fpp).toBytes()} gives. {@link
   * PrefixStream} reads them also where they end early.
   */
  public byte[] toBytes(double fpp) {
    return foldToFpp(fpp).toBytes();
  }

  /** Reads the filter of a file, of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static FingerprintFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads the filter of the bytes of {@link #toBytes}. */
  public static FingerprintFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  /** Whether the other object is a filter of the same plan and hashing with the same prefixes. */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof FingerprintFilter filter)
        || !scheme.equals(filter.scheme)
        || !plan.equals(filter.plan)
        || removable != filter.removable) {
      return false;
    }
    PrefixSource mine = store.copy().prefixes();
    PrefixSource theirs = filter.store.copy().prefixes();
    while (mine.next()) {
      if (!theirs.next() || mine.bits() != theirs.bits() || mine.length() != theirs.length()) {
        return false;
      }
    }
    return !theirs.next();
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
  public static final class Builder {
    private double fpp = 0.01;
    private HashScheme scheme = HashScheme.DEFAULT;
    private boolean removable;

    Builder() {}

    /** The rate that it does not exceed, through thirty doublings (default 1 %). */
    public Builder fpp(double fpp) {
      this.fpp = FingerprintPlan.of(fpp).fpp();
      return this;
    }

    /** Every put is stored, and can be removed once. */
    public Builder removable() {
      this.removable = true;
      return this;
    }

    /** The seed of the default hash scheme. */
    public Builder seed(long seed) {
      return hashScheme(HashScheme.xxh3(seed));
    }

    /** The hash scheme. */
    public Builder hashScheme(HashScheme scheme) {
      this.scheme = Objects.requireNonNull(scheme, "hashScheme");
      return this;
    }

    /** Builds the empty filter. */
    public FingerprintFilter build() {
      FingerprintPlan plan = FingerprintPlan.of(fpp);
      return new FingerprintFilter(plan, scheme, removable, emptyStore(plan, removable));
    }
  }

  /**
   * A {@link FingerprintFilter} as it arrives: its bytes hold the leading bits of all prefixes
   * first, then plane after plane one bit more of each. Whoever has received the first part holds a
   * filter with every key and a high rate, and each further plane halves it. Only here may the
   * bytes end early; a file that ends early is refused everywhere else.
   *
   * @param filter the filter of all whole planes that arrived
   * @param planes how many these are
   * @param allPlanes how many were sent
   */
  public record PrefixStream(FingerprintFilter filter, int planes, int allPlanes) {
    /** Whether nothing is missing. */
    public boolean isWhole() {
      return planes == allPlanes;
    }

    /**
     * Reads a filter up to its end, or to the last whole plane if the stream ends before.
     *
     * @throws FilterFormatException if the first part is not whole, or if bytes that arrived are
     *     not those that were sent
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
