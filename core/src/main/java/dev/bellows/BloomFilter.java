package dev.bellows;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.SerializedFilter;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Collector;
import java.util.stream.Stream;

/**
 * A Bloom filter of bits, lock-free and thread-safe: concurrent puts never lose a bit, and a query
 * sees every put that happened before it. Operations on whole filters (union, copy, write) see each
 * put that happened before them; they may see a part of the puts that run at the same time.
 *
 * <p>{@link #map} gives the filter of a file without reading it.
 */
public final class BloomFilter
    implements FoldableFilter<BloomFilter>, Mergeable.Intersectable<BloomFilter>, Serializable {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its filters from streams, files and bytes. */
  public static final FilterFormat<BloomFilter> FORMAT =
      FilterFormat.of(FilterKind.BLOOM, BloomFilter.class, BloomFilter::read);

  private static final int STRIPE_BITS = 10;

  /** Locks by hash, for all filters together: what differs in hash rarely waits. */
  private static final Object[] STRIPES =
      Stream.generate(Object::new).limit(1 << STRIPE_BITS).toArray();

  private final Shape shape;
  private final HashScheme scheme;
  private final Positions positions;
  private final BitStore store;
  private volatile Origin origin;

  BloomFilter(Shape shape, BitStore store, Origin origin) {
    this.shape = shape;
    this.scheme = shape.scheme();
    this.positions = shape.positions();
    this.store = store;
    this.origin = origin;
  }

  /** A filter for this many keys at a false positive rate of at most fpp, in the BLOCKED layout. */
  public static BloomFilter create(long keys, double fpp) {
    return builder().keys(keys).fpp(fpp).build();
  }

  /** A builder for all other settings: any sufficient subset of sizes, rates and options. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects a stream of keys into a filter; the threads of a parallel stream share one. */
  public static <T> Collector<T, ?, BloomFilter> collector(
      long keys, double fpp, KeyHasher<? super T> hasher) {
    Builder builder = builder().keys(keys).fpp(fpp);
    Objects.requireNonNull(hasher, "hasher");
    return Collector.of(
        builder::build,
        (filter, key) -> filter.put(key, hasher),
        (a, b) -> a.union(b, 1),
        Collector.Characteristics.UNORDERED,
        Collector.Characteristics.CONCURRENT);
  }

  @Override
  public FilterKind kind() {
    return FilterKind.BLOOM;
  }

  @Override
  public Layout layout() {
    return shape.layout();
  }

  @Override
  public long bits() {
    return shape.bits();
  }

  @Override
  public int hashes() {
    return shape.hashes();
  }

  @Override
  public BloomPlan plan() {
    return new BloomPlan(layout(), bits(), 0);
  }

  @Override
  public long filterId() {
    return origin.filterId();
  }

  @Override
  public long state() {
    return origin.taken(store::contentHash).state();
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  @Override
  public boolean putHash(long hash) {
    return noted(positions.set(writable(), hash));
  }

  /**
   * Puts the key with this hash unless it passes already; of all calls with the same hash, from any
   * number of threads, exactly one returns true, or none if the key passed as a false positive. For
   * services that must handle each key once; it takes a lock that few other keys share, where
   * {@link #putHash} takes none.
   */
  public boolean putIfAbsentHash(long hash) {
    synchronized (STRIPES[(int) (hash >>> (Long.SIZE - STRIPE_BITS))]) {
      return !mightContainHash(hash) && putHash(hash);
    }
  }

  /** Puts a long unless it passes already, as {@link #putIfAbsentHash} does. */
  public boolean putIfAbsent(long key) {
    return putIfAbsentHash(scheme.hash(key));
  }

  /** Puts a character, as text of length one, unless it passes already. */
  public boolean putIfAbsent(char key) {
    return putIfAbsentHash(scheme.hash(key));
  }

  /** Puts text unless it passes already, as {@link #putIfAbsentHash} does. */
  public boolean putIfAbsent(CharSequence key) {
    return putIfAbsentHash(scheme.hash(key));
  }

  /** Puts bytes unless they pass already, as {@link #putIfAbsentHash} does. */
  public boolean putIfAbsent(byte[] key) {
    return putIfAbsentHash(scheme.hash(key));
  }

  /** Puts a key of any type unless it passes already, as {@link #putIfAbsentHash} does. */
  public <T> boolean putIfAbsent(T key, KeyHasher<? super T> hasher) {
    return putIfAbsentHash(scheme.hash(key, hasher));
  }

  private HeapBits writable() {
    if (store instanceof HeapBits heap) {
      return heap;
    }
    throw new UnsupportedOperationException(
        "a mapped filter is read-only: change its copy(), or read the file with readFrom");
  }

  /** Returns whether this filter changed; a folding that did drops its id. */
  private boolean noted(boolean changed) {
    if (changed && origin.isFolding()) {
      origin = Origin.NONE;
    }
    return changed;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return positions.test(store, hash);
  }

  // overridden so that the JIT profiles this class apart from the other kinds

  @Override
  public boolean put(long key) {
    return putHash(scheme.hash(key));
  }

  @Override
  public boolean mightContain(long key) {
    return positions.test(store, scheme.hash(key));
  }

  @Override
  public boolean mightContain(CharSequence key) {
    return positions.test(store, scheme.hash(key));
  }

  @Override
  public boolean mightContain(byte[] key) {
    return positions.test(store, scheme.hash(key));
  }

  @Override
  public int putAll(long[] keys) {
    return put(0, keys.length, Groups.keys(keys, scheme));
  }

  @Override
  public int countMightContain(long[] keys, boolean[] hits) {
    Objects.checkFromToIndex(0, keys.length, hits.length);
    return Groups.count(positions, store, 0, keys.length, Groups.keys(keys, scheme), hits);
  }

  @Override
  public int putHashes(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    return put(from, to, Groups.hashes(hashes, to));
  }

  private int put(int from, int to, Groups.Source source) {
    int changed = Groups.put(positions, writable(), from, to, source);
    noted(changed > 0);
    return changed;
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    Objects.checkFromToIndex(from, to, Math.min(hashes.length, hits.length));
    return Groups.count(positions, store, from, to, Groups.hashes(hashes, to), hits);
  }

  @Override
  public double expectedFpp() {
    return positions.fpp(store);
  }

  @Override
  public long approximateElementCount() {
    return Math.round(positions.keys(store));
  }

  @Override
  public BloomFilter copy() {
    HeapBits content = store.copy();
    // only where it matters: a copy can be changed, a mapped filter cannot
    boolean known = store instanceof HeapBits;
    return new BloomFilter(shape, content, known ? origin : origin.ofContent(content::contentHash));
  }

  @Override
  public BloomFilter toBloomFilter() {
    return copy();
  }

  @Override
  public void clear() {
    writable().clear();
    noted(true);
  }

  @Override
  public Optional<String> incompatibility(BloomFilter other) {
    return shape.incompatibility(other.shape);
  }

  @Override
  public BloomFilter foldBy(long factor) {
    Shape folded = shape.foldedBy(factor);
    Origin now = origin;
    if (!now.isOwner()) {
      return new BloomFilter(folded, store.fold(factor), now);
    }
    // state and folding come from the same content, even if keys are put at the same time
    HeapBits content = store.copy();
    Origin taken = now.taken(content::contentHash);
    return new BloomFilter(folded, factor == 1 ? content : content.fold(factor), taken);
  }

  @Override
  public BloomFilter foldTo(long bits) {
    return foldBy(shape.factorTo(bits));
  }

  @Override
  public List<FoldSize> ladder() {
    return shape.ladder(positions.fppAfterFolding(store));
  }

  @Override
  public long sizeInBytes() {
    return header(origin).fileBytes();
  }

  /**
   * A filter that holds every key of both. Filters of different sizes fold to the greatest common
   * divisor of their sizes first, unless one of them is empty: the result then has the size of the
   * other. Two full filters cannot share one size and keep their rate: build both for the number of
   * keys of the union, or take {@link dev.bellows.growth.FingerprintFilter}, whose unions fit any
   * sizes.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result
   */
  @Override
  public BloomFilter union(BloomFilter other, double maxFpp) {
    if (bits() != other.bits() && isCompatible(other)) {
      if (other.isEmpty()) {
        return unionWithNothing(other, maxFpp);
      }
      if (isEmpty()) {
        return other.unionWithNothing(this, maxFpp);
      }
    }
    return merge(other, maxFpp, BitStore::union, Double::sum);
  }

  @Override
  public boolean isEmpty() {
    return store.ones() == 0;
  }

  /** This filter as its union with an empty one of another size. */
  private BloomFilter unionWithNothing(BloomFilter empty, double maxFpp) {
    BloomFilter result =
        new BloomFilter(shape.mergedWith(empty.shape, bits()), store.copy(), Origin.NONE);
    Merging.requireUseful(result.expectedFpp(), maxFpp, "build it larger");
    return result;
  }

  /**
   * Puts every key of the other filter into this one. The other one folds to this size first, which
   * must therefore divide its own.
   *
   * @return whether this filter changed
   */
  public boolean putAll(BloomFilter other) {
    long common = shape.commonBits(other.shape);
    if (common != bits()) {
      throw new IllegalArgumentException(
          "%d bits do not fold to the %d bits of this filter: use union, which folds both to %d"
              .formatted(other.bits(), bits(), common));
    }
    return noted(writable().orAll(other.storeAt(common)));
  }

  /**
   * Copies its bits as words of 64, from the word with this index on: position p is bit {@code p %
   * 64} of word {@code p / 64}. For transports of their own; files are {@link #writeTo}.
   */
  public void copyWords(long from, long[] into, int count) {
    checkWords(from, into, count);
    store.reading(
        () -> {
          store.copyTo(from, into, 0, count);
          return into;
        });
  }

  /**
   * ORs words into its bits, from the word with this index on: the keys of a filter of the same
   * shape and hashing whose {@link #copyWords} they are.
   *
   * @return whether this filter changed
   */
  public boolean orWords(long from, long[] words, int count) {
    checkWords(from, words, count);
    return noted(writable().orAll(from, words, count));
  }

  private void checkWords(long from, long[] words, int count) {
    Objects.checkFromIndexSize(0, count, words.length);
    Objects.checkFromIndexSize(from, (long) count, store.wordCount());
  }

  /**
   * A filter that holds every key that is in both. It accepts more: a key of one side alone passes
   * at the other side's rate (errata <a href="{@docRoot}/doc-files/errata.html#D9">D9</a>). Filters
   * of different sizes fold to the greatest common divisor of their sizes first.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result
   */
  @Override
  public BloomFilter intersection(BloomFilter other, double maxFpp) {
    return merge(other, maxFpp, BitStore::intersection, Math::min);
  }

  /**
   * Whether the other filter has every bit of this one, both folded to a common size. True whenever
   * its keys include this filter's keys; also true, by chance, when bits of other keys cover them.
   * That is more likely if the other filter is full and this one is nearly empty. "No" is certain.
   */
  public boolean isSubsetOf(BloomFilter other) {
    long common = shape.commonBits(other.shape);
    return storeAt(common).isSubsetOf(other.storeAt(common));
  }

  /** Merges the bits; {@code keys} gives the number of keys of the result from those of both. */
  private BloomFilter merge(
      BloomFilter other,
      double maxFpp,
      BiFunction<BitStore, BitStore, HeapBits> merger,
      DoubleBinaryOperator keys) {
    long common = shape.commonBits(other.shape);
    HeapBits merged = merger.apply(storeAt(common), other.storeAt(common));
    BloomFilter result =
        new BloomFilter(shape.mergedWith(other.shape, common), merged, Origin.NONE);
    shape.requireUseful(
        other.shape,
        common,
        result.expectedFpp(),
        maxFpp,
        () -> Math.max(expectedFpp(), other.expectedFpp()),
        () -> keys.applyAsDouble(positions.keys(store), other.positions.keys(other.store)));
    return result;
  }

  /** The bits folded to a size; the filter's own store where nothing folds. */
  private BitStore storeAt(long size) {
    return size == bits() ? store : store.fold(bits() / size);
  }

  @Override
  public FilterStats stats() {
    return new FilterStats(
        FilterKind.BLOOM,
        layout(),
        bits(),
        hashes(),
        scheme,
        store.ones(),
        positions.keys(store),
        expectedFpp());
  }

  @Override
  public String explain() {
    return "A Bloom filter, "
        + shape.layout().describe()
        + ".\n\n"
        + stats().lines("bits", sizeInBytes())
        + shape.ladder().describe();
  }

  private FilterHeader header(Origin state) {
    return ShapeCodec.header(
        FilterKind.BLOOM, shape, state, List.of(), List.of(8 * store.wordCount()));
  }

  private Object writeReplace() {
    return new SerializedFilter(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw SerializedFilter.refusal();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    Origin now = origin;
    BitStore content = now.isOwner() ? store.copy() : store;
    FilterWriter writer = FilterWriter.begin(out, header(now.taken(content::contentHash)));
    writer.bits(content);
    writer.end();
  }

  /** Reads the filter of a file, of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static BloomFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads the filter of the bytes of {@link #toBytes}. */
  public static BloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static BloomFilter read(FilterReader reader) throws IOException {
    Shape shape = reader.shape(0, 1);
    BitStore store = reader.store(shape.bits());
    Origin origin = reader.origin();
    // a mapped filter is not read to find out; it answers, folds and writes as a folding does
    boolean mapped = !(store instanceof HeapBits);
    return new BloomFilter(shape, store, mapped ? origin : origin.ofContent(store::contentHash));
  }

  /**
   * Maps the filter of a file instead of reading it: opened at once at any size, also beyond the
   * heap and beyond 16 GiB, and in memory that all processes share. It is read-only: whatever would
   * change it is an {@link UnsupportedOperationException}; queries, foldings, unions, copies and
   * numbers are as those of a filter that was read.
   *
   * <p>The header is checked at once, each piece of 1 MiB when it is touched first, or all of them
   * by {@link MappedFilter#verify}. A piece that does not match its checksum, and a file that was
   * truncated, is an {@link java.io.UncheckedIOException}, never an answer; of a truncated file a
   * few single queries may be answered before (batches, and everything that reads more, are not).
   * Replace a file by renaming another one to its path, as {@link #writeTo(Path)} does: this filter
   * goes on with the old one, and {@link MappedFilter#isStale} tells. A file that is overwritten in
   * place gives undefined answers.
   *
   * @param options the keyed scheme, where keys were hashed with a secret; the limit does not
   *     count, because the heap holds 5 bytes for each piece and nothing else
   */
  public static MappedFilter<BloomFilter> map(Path path, ReadOptions options) throws IOException {
    BloomFilter filter = mapped(path, options);
    return MappedFilter.of(filter, filter.store);
  }

  /** Maps the filter of a file: {@link #map(Path, ReadOptions)} with the scheme that it names. */
  public static MappedFilter<BloomFilter> map(Path path) throws IOException {
    return map(path, ReadOptions.DEFAULT);
  }

  static BloomFilter mapped(Path path, ReadOptions options) throws IOException {
    return FilterReader.map(path, options, FORMAT::read);
  }

  /** Whether the other object is a filter of the same shape and hashing with the same bits. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BloomFilter filter
        && shape.equals(filter.shape)
        && store.equals(filter.store);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + store.hashCode();
  }

  @Override
  public String toString() {
    return "BloomFilter[" + shape + "]";
  }

  /** Builds a {@link BloomFilter} of any shape. */
  public static final class Builder extends FilterBuilder<Builder, BloomFilter> {
    private long id;

    Builder() {}

    /**
     * An id, not 0, that foldings and files of this filter carry with their state, so that a
     * receiver never combines foldings of different contents.
     */
    public Builder id(long id) {
      this.id = id;
      return this;
    }

    @Override
    public BloomFilter build() {
      Shape shape = shape();
      return new BloomFilter(shape, shape.positions().newStore(), Origin.owner(id));
    }

    /**
     * A loader for one thread that fills the filter before other threads use it: faster than puts.
     */
    public BloomLoader loader() {
      return new BloomLoader(shape(), id);
    }

    /**
     * A loader that fills a file instead of the heap, for filters of any size. The file is written
     * aside and has its place when the loader builds: a crash, or {@link BloomLoader#close} before,
     * leaves what was there. It waits while another writer holds the path.
     */
    public BloomLoader loader(Path path) throws IOException {
      Objects.requireNonNull(path, "path");
      return new BloomLoader(shape(), id, path);
    }

    /** Builds a filter that holds the keys. */
    public BloomFilter buildFrom(long[] keys) {
      BloomLoader loader = loader();
      loader.putAll(keys);
      return loader.build();
    }
  }
}
