package dev.bellows;

import dev.bellows.internal.BitLayout;
import dev.bellows.internal.BlockKernel;
import dev.bellows.internal.Group;
import dev.bellows.internal.Words;
import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import dev.bellows.plan.Divisors;
import dev.bellows.plan.Layout;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter of bits, lock-free and safe from any thread: puts never lose a bit to each other,
 * and a query sees every put that happened before it. Operations on whole filters (union, copy,
 * write) see each put that happened before them, and any part of the puts that run beside them.
 */
public final class BloomFilter implements FoldableFilter<BloomFilter> {
  private final FilterShape shape;
  private final HashScheme scheme;
  private final BitLayout positions;
  private final long[] words;
  private final Origin origin;

  BloomFilter(FilterShape shape, Origin origin) {
    this(shape, shape.positions().newStore(), origin);
  }

  BloomFilter(FilterShape shape, long[] words, Origin origin) {
    this.shape = shape;
    this.scheme = shape.scheme();
    this.positions = shape.positions();
    this.words = words;
    this.origin = origin;
  }

  /** A filter for so many keys at so high a rate of false positives, in the BLOCKED layout. */
  public static BloomFilter create(long keys, double fpp) {
    return builder().keys(keys).fpp(fpp).build();
  }

  /** A builder for everything else: any sufficient subset of sizes, rates and options. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects a stream of keys into a filter; works in parallel streams too. */
  public static <T> Collector<T, ?, BloomFilter> collector(
      long keys, double fpp, KeyHasher<? super T> hasher) {
    return Collector.of(
        () -> create(keys, fpp),
        (filter, key) -> filter.put(key, hasher),
        (a, b) -> a.union(b, 1),
        Collector.Characteristics.UNORDERED);
  }

  /**
   * What tests and sets blocks in this JVM: {@code scalar}, or {@code vector} where it is there.
   */
  public static String acceleration() {
    return BlockKernel.ACTIVE.word();
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

  /** The identity its builder gave it, 0 for none; foldings and files carry it. */
  public long filterId() {
    return origin.filterId();
  }

  /** A number that changes with the first put after every folding or write. */
  public long epoch() {
    return origin.epoch();
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  @Override
  public boolean putHash(long hash) {
    boolean changed = positions.set(words, hash);
    if (changed) {
      origin.changed();
    }
    return changed;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return positions.test(words, hash);
  }

  // the forms that ask most often are spelled out: the inherited ones are shared by all kinds

  @Override
  public boolean put(long key) {
    return putHash(scheme.hash(key));
  }

  @Override
  public boolean mightContain(long key) {
    return positions.test(words, scheme.hash(key));
  }

  @Override
  public boolean mightContain(CharSequence key) {
    return positions.test(words, scheme.hash(key));
  }

  @Override
  public boolean mightContain(byte[] key) {
    return positions.test(words, scheme.hash(key));
  }

  @Override
  public int putAll(long[] keys) {
    Group group = new Group();
    int changed = 0;
    for (int from = 0; from < keys.length; from += Group.SIZE) {
      changed += positions.set(words, group, scheme.hash(keys, from, group.hashes));
    }
    if (changed > 0) {
      origin.changed();
    }
    return changed;
  }

  @Override
  public int countMightContain(long[] keys, boolean[] hits) {
    Objects.checkFromToIndex(0, keys.length, hits.length);
    Group group = new Group();
    int count = 0;
    for (int from = 0; from < keys.length; from += Group.SIZE) {
      count += positions.test(words, group, scheme.hash(keys, from, group.hashes), hits, from);
    }
    return count;
  }

  @Override
  public int putHashes(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    Group group = new Group();
    int changed = 0;
    for (int at = from; at < to; at += Group.SIZE) {
      changed += positions.set(words, group, group.take(hashes, at, to));
    }
    if (changed > 0) {
      origin.changed();
    }
    return changed;
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    Objects.checkFromToIndex(from, to, Math.min(hashes.length, hits.length));
    Group group = new Group();
    int count = 0;
    for (int at = from; at < to; at += Group.SIZE) {
      count += positions.test(words, group, group.take(hashes, at, to), hits, at);
    }
    return count;
  }

  @Override
  public double expectedFpp() {
    return positions.fpp(words);
  }

  @Override
  public long approximateElementCount() {
    return Math.round(positions.keys(words));
  }

  @Override
  public BloomFilter copy() {
    return new BloomFilter(shape, words.clone(), Origin.anonymous());
  }

  @Override
  public BloomFilter toBloomFilter() {
    return copy();
  }

  @Override
  public void clear() {
    Arrays.fill(words, 0);
    origin.changed();
  }

  @Override
  public Optional<String> incompatibility(BloomFilter other) {
    return shape.incompatibility(other.shape);
  }

  @Override
  public BloomFilter foldBy(long factor) {
    FilterShape folded = shape.foldedBy(factor);
    Origin state = origin.folding(); // before the words are read: what comes later is a new epoch
    return new BloomFilter(folded, positions.fold(words, factor), state);
  }

  @Override
  public BloomFilter foldTo(long bits) {
    return foldBy(shape.factorTo(bits));
  }

  @Override
  public List<FoldSize> ladder() {
    return shape.ladder(positions.fppAfterFolding(words));
  }

  @Override
  public BloomFilter union(BloomFilter other, double maxFpp) {
    return merge(other, maxFpp, Words::union);
  }

  /** A filter that holds every common key; refused if it would pass half of all outsiders. */
  public BloomFilter intersection(BloomFilter other) {
    return intersection(other, DEFAULT_MAX_FPP);
  }

  /**
   * A filter that holds every key that is in both. It holds more: a key of one side only passes at
   * the other side's rate (errata D9). Filters of different sizes fold to the greatest common
   * divisor of their sizes first.
   *
   * @param maxFpp the highest expected rate of the result that is worth having
   */
  public BloomFilter intersection(BloomFilter other, double maxFpp) {
    return merge(other, maxFpp, Words::intersection);
  }

  /**
   * Whether the other filter has every bit of this one, both folded to a common size. True whenever
   * its keys include this filter's keys; also true, by chance, when bits of other keys happen to
   * cover them, the more likely the fuller the other filter and the emptier this one. "No" is
   * certain.
   */
  public boolean isSubsetOf(BloomFilter other) {
    long common = commonBits(other);
    return Words.isSubset(wordsAt(common), other.wordsAt(common));
  }

  private BloomFilter merge(BloomFilter other, double maxFpp, BinaryOperator<long[]> merger) {
    long common = commonBits(other);
    long[] merged = merger.apply(wordsAt(common), other.wordsAt(common));
    BloomFilter result =
        new BloomFilter(shape.foldedBy(bits() / common), merged, Origin.anonymous());
    shape.requireUseful(other.shape, common, result.expectedFpp(), maxFpp);
    return result;
  }

  private long commonBits(BloomFilter other) {
    shape.requireCompatible(other.shape);
    return Divisors.gcd(bits(), other.bits());
  }

  /** The words folded to a size; the filter's own array where nothing folds. */
  private long[] wordsAt(long size) {
    return size == bits() ? words : positions.fold(words, bits() / size);
  }

  @Override
  public FilterStats stats() {
    return shape.stats(
        FilterKind.BLOOM,
        Words.ones(words),
        positions.keys(words),
        expectedFpp(),
        header(origin).fileBytes());
  }

  @Override
  public String explain() {
    return Explanation.of(this);
  }

  private FilterHeader header(Origin state) {
    return shape.header(FilterKind.BLOOM, state, List.of(), List.of(sectionBytes()));
  }

  /** The header of a set of foldings of which this is the largest. */
  FilterHeader foldedHeader(List<Long> otherSizes, List<Long> sectionBytes) {
    return shape.header(FilterKind.FOLDED, origin, otherSizes, sectionBytes);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header(origin.folding()));
    writeSection(writer);
    writer.end();
  }

  /** Reads a filter, to the end of the stream. */
  public static BloomFilter readFrom(InputStream in, ReadLimits limits) throws IOException {
    return readFrom(in, limits, null);
  }

  /** Reads a filter built with a keyed scheme; a wrong key is refused. */
  public static BloomFilter readFrom(InputStream in, ReadLimits limits, @Nullable HashScheme scheme)
      throws IOException {
    return read(FilterReader.open(in, limits).expect(FilterKind.BLOOM), scheme);
  }

  /** Reads a filter from a file. */
  public static BloomFilter readFrom(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return readFrom(in, ReadLimits.NONE);
    }
  }

  /** Reads a filter from the bytes of {@link #toBytes}. */
  public static BloomFilter fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE);
  }

  static BloomFilter read(FilterReader reader, @Nullable HashScheme given) throws IOException {
    BloomFilter filter = readBody(reader, FilterShape.read(reader, given, 0, 1));
    reader.end();
    return filter.withOrigin(Origin.of(reader.header()));
  }

  static BloomFilter readBody(FilterReader reader, FilterShape shape) throws IOException {
    return new BloomFilter(shape, shape.readStore(reader), Origin.anonymous());
  }

  /** The same bits, not copied, as the state of another filter. */
  BloomFilter withOrigin(Origin newOrigin) {
    return new BloomFilter(shape, words, newOrigin);
  }

  long ones() {
    return Words.ones(words);
  }

  /** The size of its one section in a file. */
  long sectionBytes() {
    return 8L * positions.wordCount();
  }

  /** Writes its bits as the next section. */
  void writeSection(FilterWriter writer) throws IOException {
    writer.words(words, positions.firstWord(), positions.wordCount());
  }

  /** Whether the other is a filter of the same shape and hashing with the same bits. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BloomFilter filter
        && shape.equals(filter.shape)
        && Arrays.equals(words, filter.words);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return "BloomFilter[" + shape + "]";
  }

  /** Builds a {@link BloomFilter} of any shape. */
  public static final class Builder extends ShapeBuilder<Builder, BloomFilter> {
    private long id;

    Builder() {}

    /**
     * An identity, not 0, that foldings of this filter and its files carry with an epoch, so that a
     * receiver never mixes foldings of different states.
     */
    public Builder id(long id) {
      this.id = id;
      return this;
    }

    @Override
    public BloomFilter build() {
      return new BloomFilter(shape(), Origin.owner(id));
    }

    /** Builds a filter that one thread fills before anybody else sees it: faster than puts. */
    public BloomLoader loader() {
      return new BloomLoader(shape(), id);
    }

    /** Builds a filter that holds the keys. */
    public BloomFilter buildFrom(long[] keys) {
      BloomLoader loader = loader();
      loader.putAll(keys);
      return loader.build();
    }
  }
}
