package dev.bellows;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * A thread-safe Bloom filter of counters from which keys can be removed: queries take no lock,
 * changes are serialized, and copies, foldings, merges and files reflect a single moment.
 *
 * <p>Every put adds one for each hash, with multiplicity: if two positions of a key coincide, a put
 * adds two to that counter, and a removal subtracts two. This is necessary because folding adds
 * counters, and a folding must equal the filter that would have been built at the smaller size (see
 * erratum <a href="{@docRoot}/doc-files/errata.html#F6">F6</a>). Removing a key that was never put,
 * but is a false positive, decrements the counters of other keys: remove only keys that were put.
 *
 * <p>A put or remove changes several counters, and a filter with only some of these changes would
 * break later removals. Operations that need all counters therefore block changes while they copy
 * the counters, and work on the copy. Rates, estimates and {@link #stats} read the counters
 * concurrently with changes.
 */
public final class CountingBloomFilter extends FoldableFilter<CountingBloomFilter>
    implements KeyFilter.Removable, Mergeable.Subtractable<CountingBloomFilter> {
  private static final long serialVersionUID = 1L;

  /** The format of this kind, which reads its filters from streams, files and byte arrays. */
  public static final FilterFormat<CountingBloomFilter> FORMAT =
      FilterFormat.of(FilterKind.COUNTING, CountingBloomFilter.class, CountingBloomFilter::read);

  /** The monitor of this object is held while counters change and while all of them are copied. */
  private final CounterStore counters;

  CountingBloomFilter(Shape shape, CounterStore counters, Origin origin) {
    super(shape, origin);
    this.counters = counters;
  }

  /**
   * Returns an empty filter for this many keys at a false positive rate of at most {@code fpp},
   * with counters that widen on demand.
   */
  public static CountingBloomFilter create(long keys, double fpp) {
    return builder().keys(keys).fpp(fpp).build();
  }

  /** Returns a builder for all other settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.COUNTING;
  }

  /** Returns the current number of bits per counter: 4, 8, 16 or 32. */
  public int counterBits() {
    return counters.width();
  }

  /** Returns whether counters stay at their maximum instead of widening on demand. */
  public boolean isSaturating() {
    return !counters.widens();
  }

  /** Returns the counter at a position; a saturated counter is a lower bound. */
  public long count(long position) {
    return counters.get(Checks.inRange(0, bits() - 1, position, "position"));
  }

  @Override
  public long state() {
    return origin.taken(() -> content().contentHash()).state();
  }

  /**
   * Returns the origin for foldings of this filter, which must not be shared with other threads.
   */
  private Origin taken() {
    return origin.taken(counters::contentHash);
  }

  /**
   * Counts one more put of the key with this hash; returns true iff one of its counters was zero,
   * which means that the key was certainly new.
   */
  @Override
  public boolean putHash(long hash) {
    synchronized (counters) {
      changed();
      return counters.put(positions, hash);
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    return counters.test(positions, hash);
  }

  /**
   * Removes one put of the key with this hash; saturated counters keep their values. If the key is
   * certainly absent, nothing changes.
   *
   * @return whether it was removed
   */
  @Override
  public boolean removeHash(long hash) {
    synchronized (counters) {
      boolean removed = counters.remove(positions, hash);
      if (removed) {
        changed();
      }
      return removed;
    }
  }

  @Override
  public long approximateElementCount() {
    return Math.round(positions.keysFromOnes(counters.occupied()));
  }

  /**
   * Returns this filter folded by a factor: counters are added (Folding paper, Eq. 3, with a sum
   * instead of an OR).
   */
  @Override
  public CountingBloomFilter foldBy(long factor) {
    Shape folded = shape.foldedBy(factor);
    // no copy is needed: folding holds the lock no longer than copying, since both read each
    // counter once
    synchronized (counters) {
      CounterStore sums = counters.foldedTo(folded.bits());
      return new CountingBloomFilter(
          folded, factor == 1 ? sums.copy() : sums, origin.taken(counters::contentHash));
    }
  }

  @Override
  public CountingBloomFilter foldToFpp(double fpp) {
    CountingBloomFilter now = copy();
    return now.foldTo(now.toBloomFilter().foldToFpp(fpp).bits());
  }

  /** Returns a copy of all counters at a single moment; changes wait in the meantime. */
  private CounterStore content() {
    synchronized (counters) {
      return counters.copy();
    }
  }

  @Override
  HeapBits occupied() {
    return counters.above(0);
  }

  @Override
  public BloomFilter toBloomFilter() {
    CountingBloomFilter now = copy();
    return new BloomFilter(shape, now.occupied(), now.taken());
  }

  /**
   * Returns a filter that counts every put of both. Filters of different sizes are first folded to
   * the greatest common divisor of their sizes, unless one of them is empty: the result then has
   * the size of the other.
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public CountingBloomFilter union(CountingBloomFilter other, double maxFpp) {
    long common = shape.commonBits(other.shape);
    CountingBloomFilter here = copy();
    CountingBloomFilter there = other.copy();
    if (bits() != other.bits() && (here.isEmpty() || there.isEmpty())) {
      CountingBloomFilter kept = there.isEmpty() ? here : there;
      CountingBloomFilter result =
          new CountingBloomFilter(
              shape.mergedWith(other.shape, kept.bits()), kept.counters, Origin.NONE);
      Merging.requireUseful(result.expectedFpp(), maxFpp, "build it larger");
      return result;
    }
    CounterStore sum = here.counters.foldedTo(common);
    sum.addAll(there.counters);
    return requireUseful(
        new CountingBloomFilter(shape.mergedWith(other.shape, common), sum, Origin.NONE),
        other,
        maxFpp,
        Double::sum);
  }

  @Override
  public boolean isEmpty() {
    return counters.occupied() == 0;
  }

  /**
   * Adds every put of the other filter to this one. The other filter is first folded to the size of
   * this one, which must divide its size.
   */
  public void putAll(CountingBloomFilter other) {
    long common = shape.commonBits(other.shape);
    if (common != bits()) {
      throw new IllegalArgumentException(
          "%d counters do not fold to the %d of this filter: use union, which folds both to %d"
              .formatted(other.bits(), bits(), common));
    }
    CounterStore added;
    synchronized (other.counters) {
      added = bits() == other.bits() ? other.counters.copy() : other.counters.foldedTo(bits());
    }
    synchronized (counters) {
      changed();
      counters.addAll(added);
    }
  }

  /**
   * Returns a filter without the keys of the other, all of which must have been put into this one
   * (see erratum <a href="{@docRoot}/doc-files/errata.html#F16">F16</a>).
   *
   * @throws IllegalArgumentException if a counter would become negative, which shows that some of
   *     the keys were not put, or if a counter is saturated, so that this cannot be checked
   */
  @Override
  public CountingBloomFilter subtract(CountingBloomFilter other) {
    long common = shape.commonBits(other.shape);
    CounterStore rest = content().foldedTo(common);
    rest.subtract(other.content().foldedTo(common));
    return new CountingBloomFilter(shape.mergedWith(other.shape, common), rest, Origin.NONE);
  }

  @Override
  public CountingBloomFilter copy() {
    synchronized (counters) {
      return new CountingBloomFilter(shape, counters.copy(), origin);
    }
  }

  @Override
  public void clear() {
    synchronized (counters) {
      changed();
      counters.clear();
    }
  }

  @Override
  public String explain() {
    return "A counting Bloom filter, "
        + shape.layout().describe()
        + ", counters of "
        + counterBits()
        + " bits.\n\n"
        + stats().lines("counters", sizeInBytes())
        + shape.ladder().describe();
  }

  @Override
  FilterHeader header(Origin state) {
    int width = counters.width();
    return ShapeCodec.header(
        FilterKind.COUNTING,
        shape,
        state,
        List.of((long) width, counters.widens() ? 1L : 0L),
        List.of(8L * CounterStore.wordCount(bits(), width)));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    // a copy, so that other threads do not wait for a slow stream
    CountingBloomFilter now = copy();
    FilterWriter.begin(out, now.header(now.taken())).counters(now.counters).end();
  }

  /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static CountingBloomFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static CountingBloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static CountingBloomFilter read(FilterReader reader) throws IOException {
    Shape shape = reader.shape(2, 1);
    int own = ShapeCodec.PARAMETERS;
    boolean widens = reader.parameter(own + 1, "widening", 0, 1) == 1;
    CounterStore counters = reader.counters(shape.bits(), own, widens);
    return new CountingBloomFilter(
        shape, counters, reader.origin().ofContent(counters::contentHash));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CountingBloomFilter filter
        && shape.equals(filter.shape)
        && content().equals(filter.content());
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + counters.hashCode();
  }

  @Override
  public String toString() {
    return "CountingBloomFilter[" + shape + ", counters of " + counterBits() + " bits]";
  }

  /** Builds a {@link CountingBloomFilter} of any shape. */
  public static final class Builder extends FilterBuilder.Sized<Builder, CountingBloomFilter> {
    private int counterBits = 4;
    private boolean widens = true;

    Builder() {}

    /** Sets the initial number of bits per counter: 4 (default), 8, 16 or 32. */
    public Builder counterBits(int counterBits) {
      this.counterBits = CounterStore.checkedWidth(counterBits);
      return this;
    }

    /**
     * Keeps the width of the counters fixed: a counter that reaches its maximum stays there
     * forever. By default, counters widen on demand and nothing is lost.
     */
    public Builder saturating() {
      this.widens = false;
      return this;
    }

    @Override
    public CountingBloomFilter build() {
      Shape shape = shape();
      return new CountingBloomFilter(
          shape, new CounterStore(shape.bits(), counterBits, widens), Origin.owner(id()));
    }
  }
}
