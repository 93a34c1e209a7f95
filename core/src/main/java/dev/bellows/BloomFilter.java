package dev.bellows;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.DurableContent;
import dev.bellows.internal.files.FilterFile;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Group;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Collector;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter of bits, lock-free and thread-safe: concurrent puts never lose a bit, and a query
 * sees every put that happened before it. Operations on whole filters (union, copy, write) see each
 * put that happened before them, and may see some of the puts that run concurrently.
 *
 * <p>{@link #map} opens a filter in a file without reading it into memory.
 */
public final class BloomFilter extends FoldableFilter<BloomFilter>
    implements Mergeable.Intersectable<BloomFilter>, KeyFilter.IfAbsent, Durable {
  private static final long serialVersionUID = 1L;

  /** The format of this kind, which reads its filters from streams, files and byte arrays. */
  public static final FilterFormat<BloomFilter> FORMAT =
      FilterFormat.of(FilterKind.BLOOM, BloomFilter.class, BloomFilter::read, BloomFilter::empty);

  private static final int STRIPE_BITS = 10;

  /**
   * Locks that are shared by all filters and chosen by hash, so that calls with different hashes
   * rarely contend.
   */
  private static final Object[] STRIPES =
      Stream.generate(Object::new).limit(1 << STRIPE_BITS).toArray();

  private final BitStore store;

  BloomFilter(Shape shape, BitStore store, Origin origin) {
    super(shape, origin);
    this.store = store;
  }

  /**
   * Returns an empty filter in the BLOCKED layout for this many keys at a false positive rate of at
   * most {@code fpp}.
   */
  public static BloomFilter create(long keys, double fpp) {
    return builder().keys(keys).fpp(fpp).build();
  }

  /** Returns a builder, which accepts any combination of settings that determines the size. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns a collector that puts the keys of a stream into a new filter, which the threads of a
   * parallel stream share.
   */
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
  public long state() {
    return origin.taken(store::contentHash).state();
  }

  @Override
  public boolean putHash(long hash) {
    return noted(positions.set(writable(), hash));
  }

  /**
   * Puts the key with this hash unless the filter already accepts it. Of all calls with the same
   * hash, from any number of threads, exactly one returns true, or none if the key was a false
   * positive before. Use this method if each key must be handled only once. Unlike {@link
   * #putHash}, it acquires a lock, which it shares with few other keys.
   */
  @Override
  public boolean putIfAbsentHash(long hash) {
    synchronized (STRIPES[(int) (hash >>> (Long.SIZE - STRIPE_BITS))]) {
      return !mightContainHash(hash) && putHash(hash);
    }
  }

  private HeapBits writable() {
    if (store instanceof HeapBits heap) {
      return heap;
    }
    throw new UnsupportedOperationException(
        "a mapped filter is read-only: modify its copy(), or read the file with readFrom");
  }

  /** Returns {@code changed}, and removes the id of a folding that has changed. */
  private boolean noted(boolean changed) {
    if (changed) {
      changed();
    }
    return changed;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return positions.test(store, hash);
  }

  // overridden so that the JIT profiles this class separately from the other kinds

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
  BitStore occupied() {
    return store;
  }

  @Override
  public long approximateElementCount() {
    return Math.round(positions.keys(store));
  }

  @Override
  public BloomFilter copy() {
    HeapBits content = store.copy();
    // read() skips this check for mapped filters, which cannot be modified; their copies can
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
    changed();
  }

  @Override
  public BloomFilter foldBy(long factor) {
    Shape folded = shape.foldedBy(factor);
    Origin now = origin;
    if (!now.isOwner()) {
      return new BloomFilter(folded, store.fold(factor), now);
    }
    // state and folding must come from the same content, even while other threads put keys
    HeapBits content = store.copy();
    Origin taken = now.taken(content::contentHash);
    return new BloomFilter(folded, factor == 1 ? content : content.fold(factor), taken);
  }

  /**
   * Returns a filter that contains every key of both. Filters of different sizes are first folded
   * to the greatest common divisor of their sizes, unless one of them is empty: the result then has
   * the size of the other. Two full filters cannot share one size and keep their rate: build both
   * for the number of keys of the union, or use {@link dev.bellows.growth.FingerprintFilter}, whose
   * unions work at any sizes.
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
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

  /** Returns the union of this filter and an empty one of another size. */
  private BloomFilter unionWithNothing(BloomFilter empty, double maxFpp) {
    BloomFilter result =
        new BloomFilter(shape.mergedWith(empty.shape, bits()), store.copy(), Origin.NONE);
    Merging.requireUseful(result.expectedFpp(), maxFpp, "build it larger");
    return result;
  }

  /**
   * Puts every key of the other filter into this one. The other filter is first folded to the size
   * of this one, which must divide its size.
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
   * Copies bits as 64-bit words, starting at the word with index {@code from}: position p is bit
   * {@code p % 64} of word {@code p / 64}. Use this method for custom transports; {@link #writeTo}
   * writes files.
   */
  public void copyWords(long from, long[] into, int count) {
    checkWords(from, into, count);
    store.copy(from, into, count);
  }

  /**
   * ORs words into the bits, starting at the word with index {@code from}. The words must come from
   * {@link #copyWords} of a filter with the same shape and hash scheme; this filter then contains
   * the keys of that filter too.
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
   * Returns a filter that contains every key that is in both. It also accepts other keys: a key
   * that is in only one of the filters passes at the rate of the other one (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D9">D9</a>). Filters of different sizes are first folded
   * to the greatest common divisor of their sizes.
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public BloomFilter intersection(BloomFilter other, double maxFpp) {
    return merge(other, maxFpp, BitStore::intersection, Math::min);
  }

  /**
   * Returns whether the other filter has every bit of this one, after both are folded to a common
   * size. The result is true whenever the other filter's keys include those of this one, and may be
   * true by chance if bits of other keys cover them, which is more likely if the other filter is
   * full and this one is nearly empty. "No" is certain.
   */
  public boolean isSubsetOf(BloomFilter other) {
    long common = shape.commonBits(other.shape);
    return storeAt(common).isSubsetOf(other.storeAt(common));
  }

  /**
   * Returns the probability that {@link #isSubsetOf} returns true for two unrelated filters with
   * the same numbers of ones as these two: {@code fill^ones}, where {@code fill} is the fraction of
   * ones in the other filter and {@code ones} their number in this one.
   */
  public double subsetFpp(BloomFilter other) {
    long common = shape.commonBits(other.shape);
    double fill = (double) other.storeAt(common).ones() / common;
    return Math.pow(fill, storeAt(common).ones());
  }

  /**
   * Merges the bits; {@code keys} computes the number of keys of the result from those of the
   * inputs.
   */
  private BloomFilter merge(
      BloomFilter other,
      double maxFpp,
      BiFunction<BitStore, BitStore, HeapBits> merger,
      DoubleBinaryOperator keys) {
    long common = shape.commonBits(other.shape);
    HeapBits merged = merger.apply(storeAt(common), other.storeAt(common));
    return requireUseful(
        new BloomFilter(shape.mergedWith(other.shape, common), merged, Origin.NONE),
        other,
        maxFpp,
        keys);
  }

  /** Returns the bits folded to a size, or the filter's own store if it already has that size. */
  private BitStore storeAt(long size) {
    return size == bits() ? store : store.fold(bits() / size);
  }

  @Override
  public String explain() {
    return "A Bloom filter, "
        + shape.layout().describe()
        + ".\n\n"
        + stats().lines("bits", sizeInBytes())
        + shape.ladder().describe();
  }

  @Override
  FilterHeader header(Origin state) {
    return ShapeCodec.plainHeader(shape, state);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    Origin now = origin;
    BitStore content = now.isOwner() ? store.copy() : store;
    FilterWriter.begin(out, header(now.taken(content::contentHash))).bits(content).end();
  }

  /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static BloomFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static BloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static BloomFilter read(FilterReader reader) throws IOException {
    Shape shape = reader.shape(0, 1);
    BitStore store = reader.store(shape.bits());
    Origin origin = reader.origin();
    // hashing the content of a mapped filter would read all of it, so the filter stays a folding
    boolean mapped = !(store instanceof HeapBits);
    return new BloomFilter(shape, store, mapped ? origin : origin.ofContent(store::contentHash));
  }

  /**
   * Maps a filter in a file instead of reading it. The file opens immediately at any size, even
   * beyond the heap size and 16 GiB, and processes that map it share its memory. The filter is
   * read-only: methods that would change it throw {@link UnsupportedOperationException}; everything
   * else works as for a filter that was read.
   *
   * <p>The header is checked immediately, and each piece of 1 MiB when it is first accessed; {@link
   * MappedFilter#verify} checks all pieces. A checksum mismatch or a truncated file causes an
   * {@link java.io.UncheckedIOException}, never a wrong answer. After a truncation, a few single
   * queries may still return before the exception is thrown; batches, and operations that read
   * more, do not. To replace a file, rename another one to its path, as {@link #writeTo(Path)}
   * does: this filter keeps using the old file, and {@link MappedFilter#isStale} returns true. If
   * the file is overwritten in place, answers are undefined.
   *
   * @param options the hash scheme, if the keys were hashed with a secret key; the size limit does
   *     not apply, because the heap holds only 5 bytes for each piece
   */
  public static MappedFilter<BloomFilter> map(Path path, ReadOptions options) throws IOException {
    BloomFilter filter = mapped(path, options);
    return MappedFilter.of(filter, filter.store);
  }

  /**
   * Maps a filter in a file: {@link #map(Path, ReadOptions)} with the hash scheme named in the
   * file.
   */
  public static MappedFilter<BloomFilter> map(Path path) throws IOException {
    return map(path, ReadOptions.DEFAULT);
  }

  private static BloomFilter mapped(Path path, ReadOptions options) throws IOException {
    return FilterReader.map(path, options, FORMAT::read);
  }

  private static BloomFilter empty(FilterReader header) throws IOException {
    Shape shape = header.shape(0, 1);
    header.requireWithinLimit(1, shape.bits() / 8);
    HeapBits store = header.checked(1, () -> HeapBits.aligned(shape.bits()));
    return new BloomFilter(shape, store, Origin.owner(header.header().filterId()));
  }

  @SuppressWarnings("exports")
  @Override
  public DurableContent<BloomFilter> durableContent() {
    return new Content();
  }

  /** The durable content of this filter, whose image is the filter's file. */
  private final class Content implements DurableContent<BloomFilter> {
    @Override
    public BloomFilter filter() {
      return BloomFilter.this;
    }

    @Override
    public BloomFilter empty(byte[] settings, ReadOptions options) throws IOException {
      return FORMAT.empty(settings, options);
    }

    @Override
    public byte[] settings() {
      return header(Origin.folding(origin.filterId(), 0)).toBytes();
    }

    @Override
    public int commutingBits() {
      return Long.SIZE;
    }

    @Override
    public void clear() {
      BloomFilter.this.clear();
    }

    @Override
    public BloomFilter read(InputStream in, ReadOptions options) throws IOException {
      return FORMAT.readFrom(in, options);
    }
  }

  /** Returns whether the other object is a filter with the same shape, hash scheme and bits. */
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
  public static final class Builder extends FilterBuilder.Sized<Builder, BloomFilter> {

    Builder() {}

    @Override
    public BloomFilter build() {
      Shape shape = shape();
      return new BloomFilter(shape, HeapBits.aligned(shape.bits()), Origin.owner(id()));
    }

    /**
     * Returns a loader with which one thread fills a new filter before other threads use it; this
     * is faster than {@code put}.
     */
    public Loader loader() {
      return new Loader(shape(), id(), null, null);
    }

    /**
     * Returns a loader that fills a file instead of the heap, for filters of any size. The loader
     * writes a temporary file and renames it in {@link Loader#build}; after a crash, or if {@link
     * Loader#close} is called first, the path is unchanged. This method waits while another writer
     * has locked the path.
     */
    public Loader loader(Path path) throws IOException {
      Objects.requireNonNull(path, "path");
      Shape shape = shape();
      return new Loader(shape, id(), path, FilterFile.begin(path, shape, id()));
    }

    /** Builds a filter that contains these keys. */
    public BloomFilter buildFrom(long[] keys) {
      Loader loader = loader();
      loader.putAll(keys);
      return loader.build();
    }
  }

  /**
   * A loader that fills a {@link BloomFilter} in one thread, before other threads use it. No other
   * thread can see its bits, so a put needs no atomic operation and does not report whether it
   * changed anything. {@link #build} returns the filter, which is thread-safe and has the same bits
   * as a filter into which the keys were put directly. {@link BloomFilter.Builder#loader()} returns
   * a loader that fills the heap, {@link BloomFilter.Builder#loader(Path)} one that fills a file,
   * which may be larger than the heap; only the latter must be {@linkplain #close closed}.
   */
  public static final class Loader implements AutoCloseable {
    private final Shape shape;
    private final HashScheme scheme;
    private final Positions positions;
    private final long id;
    private final Group group = new Group();
    private final @Nullable FilterFile file;
    private final @Nullable Path path;
    private @Nullable HeapBits store;

    Loader(Shape shape, long id, @Nullable Path path, @Nullable FilterFile file) {
      this.shape = shape;
      this.scheme = shape.scheme();
      this.positions = shape.positions();
      this.id = id;
      this.path = path;
      this.file = file;
      this.store = file == null ? positions.newStore() : null;
    }

    /** Returns the scheme that hashes keys. */
    public HashScheme hashScheme() {
      return scheme;
    }

    /** Puts the key with this hash. */
    public void putHash(long hash) {
      if (file == null) {
        positions.load(store(), hash);
      } else {
        file.put(hash);
      }
    }

    /** Puts a long. */
    public void put(long key) {
      putHash(scheme.hash(key));
    }

    /** Puts a character, as text of length one. */
    public void put(char key) {
      putHash(scheme.hash(key));
    }

    /** Puts text, as UTF-8. */
    public void put(CharSequence key) {
      putHash(scheme.hash(key));
    }

    /** Puts bytes. */
    public void put(byte[] key) {
      putHash(scheme.hash(key));
    }

    /** Puts a key of any type. */
    public <T> void put(T key, KeyHasher<? super T> hasher) {
      putHash(scheme.hash(key, hasher));
    }

    /** Puts every hash in {@code [from, to)}; this is the fastest way to load keys. */
    public void putHashes(long[] hashes, int from, int to) {
      Objects.checkFromToIndex(from, to, hashes.length);
      if (file == null) {
        load(from, to, Groups.hashes(hashes, to));
      } else {
        file.put(hashes, from, to);
      }
    }

    /** Puts every key. */
    public void putAll(long[] keys) {
      load(0, keys.length, Groups.keys(keys, scheme));
    }

    /** Puts the hashes of a source, one group after the other. */
    private void load(int from, int to, Groups.Source source) {
      HeapBits store = file == null ? store() : null;
      int length;
      for (int at = from; at < to; at += length) {
        length = source.fill(group, at);
        if (store != null) {
          positions.load(store, group, length);
        } else {
          putHashes(group.hashes, 0, length);
        }
      }
    }

    /** Puts every text, as UTF-8. */
    public void putAll(Iterable<? extends CharSequence> keys) {
      for (CharSequence key : keys) {
        put(key);
      }
    }

    /** Puts every key. */
    public <T> void putAll(T[] keys, KeyHasher<? super T> hasher) {
      for (T key : keys) {
        put(key, hasher);
      }
    }

    /** Puts every key. */
    public <T> void putAll(Iterable<? extends T> keys, KeyHasher<? super T> hasher) {
      for (T key : keys) {
        put(key, hasher);
      }
    }

    /** Puts every key of the stream, one after the other. */
    public <T> void putAll(Stream<? extends T> keys, KeyHasher<? super T> hasher) {
      keys.sequential().forEachOrdered(key -> put(key, hasher));
    }

    /**
     * Returns the false positive rate for the keys put so far, computed in one pass over the bits.
     * Call this method before {@link #build} to avoid replacing a file with an overfull filter.
     */
    public double expectedFpp() {
      return file == null ? positions.fpp(store()) : file.expectedFpp();
    }

    /**
     * Returns the filter. This can be called once; afterwards the loader accepts no more keys. A
     * loader that fills a file writes the checksums, renames the file to its path and returns the
     * mapped filter, as {@link BloomFilter#map} does. If that fails, it throws {@link
     * UncheckedIOException}, and the path is unchanged.
     */
    public BloomFilter build() {
      if (file != null && path != null) {
        try {
          return file.commit(() -> mapped(path, ReadOptions.DEFAULT.withHashScheme(scheme)));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      BloomFilter filter = new BloomFilter(shape, store(), Origin.owner(id));
      store = null;
      return filter;
    }

    /** Discards the filter if it was not built, and deletes its temporary file. */
    @Override
    public void close() {
      store = null;
      if (file != null) {
        try {
          file.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    private HeapBits store() {
      HeapBits filling = store;
      if (filling == null) {
        throw new IllegalStateException(
            "the filter was built and this loader is closed: put keys into the filter, or create a"
                + " new loader");
      }
      return filling;
    }
  }
}
