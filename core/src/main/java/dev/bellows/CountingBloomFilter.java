package dev.bellows;

import dev.bellows.internal.BitLayout;
import dev.bellows.internal.Counters;
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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter of counters, for one thread at a time: keys can be removed again.
 *
 * <p>Every put adds one per hash, with multiplicity: a key whose positions coincide adds two there,
 * and remove takes two. Only so does folding, which adds counters, give the filter that would have
 * been built at the smaller size (errata F6). Removing a key that was never put but passes as a
 * false positive takes counts from other keys; remove only what was put.
 */
public final class CountingBloomFilter
    implements FoldableFilter<CountingBloomFilter>, RemovableKeys {
  private final FilterShape shape;
  private final BitLayout positions;
  private final Counters counters;

  CountingBloomFilter(FilterShape shape, Counters counters) {
    this.shape = shape;
    this.positions = shape.positions();
    this.counters = counters;
  }

  /** A filter for so many keys at so high a rate, with counters that widen on demand. */
  public static CountingBloomFilter create(long keys, double fpp) {
    return builder().keys(keys).fpp(fpp).build();
  }

  /** A builder for everything else. */
  public static Builder builder() {
    return new Builder();
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

  /** Bits per counter, now: 4, 8, 16 or 32. */
  public int counterBits() {
    return counters.width();
  }

  @Override
  public HashScheme hashScheme() {
    return shape.scheme();
  }

  /** Counts the key once more; true iff a counter left zero, so that the key was surely new. */
  @Override
  public boolean putHash(long hash) {
    boolean changed = false;
    for (int i = 0; i < shape.hashes(); i++) {
      changed |= counters.add(positions.position(hash, i), 1) == 0;
    }
    return changed;
  }

  @Override
  public boolean mightContainHash(long hash) {
    for (int i = 0; i < shape.hashes(); i++) {
      if (counters.get(positions.position(hash, i)) == 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes back one put of the key with this hash; saturated counters stay. A key that is surely
   * absent is refused, and nothing changes.
   *
   * @return whether it was taken back
   */
  @Override
  public boolean removeHash(long hash) {
    for (int i = 0; i < shape.hashes(); i++) {
      if (!counters.decrement(positions.position(hash, i))) {
        for (int taken = 0; taken < i; taken++) {
          counters.add(positions.position(hash, taken), 1);
        }
        return false;
      }
    }
    return true;
  }

  @Override
  public double expectedFpp() {
    return positions.fpp(occupied());
  }

  @Override
  public long approximateElementCount() {
    return Math.round(positions.keys(occupied()));
  }

  /** The filter folded by a factor: counters add up (000 Eq 3 with a sum). */
  @Override
  public CountingBloomFilter foldBy(long factor) {
    return new CountingBloomFilter(shape.foldedBy(factor), countersAt(bits() / factor));
  }

  @Override
  public CountingBloomFilter foldTo(long bits) {
    return foldBy(shape.factorTo(bits));
  }

  @Override
  public CountingBloomFilter foldToFpp(double fpp) {
    return foldTo(toBloomFilter().foldToFpp(fpp).bits());
  }

  @Override
  public List<FoldSize> ladder() {
    return shape.ladder(positions.fppAfterFolding(occupied()));
  }

  private Counters countersAt(long size) {
    Counters folded = new Counters(size, counters.width(), counters.widens());
    folded.addAll(counters);
    return folded;
  }

  /** The store of bits that says which counters are not 0. */
  private long[] occupied() {
    return counters.above(0, positions.newStore(), positions.firstWord());
  }

  @Override
  public BloomFilter toBloomFilter() {
    return new BloomFilter(shape, occupied(), Origin.anonymous());
  }

  @Override
  public Optional<String> incompatibility(CountingBloomFilter other) {
    return shape.incompatibility(other.shape);
  }

  @Override
  public CountingBloomFilter union(CountingBloomFilter other, double maxFpp) {
    CountingBloomFilter sum = foldTo(commonBits(other));
    sum.counters.addAll(other.counters);
    shape.requireUseful(other.shape, sum.bits(), sum.expectedFpp(), maxFpp);
    return sum;
  }

  /**
   * A filter without the keys of the other, which must all be counted here (errata F16). A counter
   * that would fall below zero shows that they are not; a saturated one cannot tell. Both are
   * refused, and nothing changes.
   */
  public CountingBloomFilter subtract(CountingBloomFilter other) {
    long common = commonBits(other);
    if (counters.anySaturated() || other.counters.anySaturated()) {
      throw new IllegalArgumentException(
          "cannot subtract: a counter of "
              + (counters.anySaturated() ? counters : other.counters).width()
              + " bits is saturated and says only \"at least\"; use wider counters");
    }
    Counters mine = countersAt(common);
    Counters theirs = other.countersAt(common);
    for (long i = 0; i < common; i++) {
      long missing = theirs.get(i) - mine.get(i);
      if (missing > 0) {
        throw new IllegalArgumentException(
            "cannot subtract: counter %d holds %d here and %d there, so some key there is not here"
                .formatted(i, mine.get(i), theirs.get(i)));
      }
    }
    Counters difference = new Counters(common, mine.width(), mine.widens());
    for (long i = 0; i < common; i++) {
      difference.add(i, mine.get(i) - theirs.get(i));
    }
    return new CountingBloomFilter(shape.foldedBy(bits() / common), difference);
  }

  private long commonBits(CountingBloomFilter other) {
    shape.requireCompatible(other.shape);
    return Divisors.gcd(bits(), other.bits());
  }

  @Override
  public CountingBloomFilter copy() {
    return new CountingBloomFilter(shape, counters.copy());
  }

  @Override
  public void clear() {
    counters.clear();
  }

  @Override
  public FilterStats stats() {
    BloomFilter plain = toBloomFilter();
    FilterStats bits = plain.stats();
    return shape.stats(
        FilterKind.COUNTING,
        bits.ones(),
        bits.approximateKeys(),
        bits.expectedFpp(),
        header().fileBytes());
  }

  @Override
  public String explain() {
    return Explanation.of(this);
  }

  private FilterHeader header() {
    return shape.header(
        FilterKind.COUNTING,
        Origin.anonymous(),
        List.of((long) counters.width(), counters.widens() ? 1L : 0L),
        List.of(8L * counters.words().length));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header());
    writer.words(counters.words());
    writer.end();
  }

  /** Reads a filter, to the end of the stream. */
  public static CountingBloomFilter readFrom(InputStream in, ReadLimits limits) throws IOException {
    return read(FilterReader.open(in, limits).expect(FilterKind.COUNTING), null);
  }

  /** Reads a filter from the bytes of {@link #toBytes}. */
  public static CountingBloomFilter fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE);
  }

  static CountingBloomFilter read(FilterReader reader, @Nullable HashScheme given)
      throws IOException {
    reader.expectAnonymous();
    FilterShape shape = FilterShape.read(reader, given, 2, 1);
    int own = FilterShape.PARAMETERS;
    int width = (int) reader.parameter(own, "counter bits", 4, 32);
    boolean widens = reader.parameter(own + 1, "widening", 0, 1) == 1;
    CountingBloomFilter filter = readBody(reader, shape, own, width, widens);
    reader.end();
    return filter;
  }

  /** Reads the counters; their width is the file's parameter {@code widthIndex}. */
  static CountingBloomFilter readBody(
      FilterReader reader, FilterShape shape, int widthIndex, int width, boolean widens)
      throws IOException {
    int count = reader.checked(widthIndex, () -> Counters.wordCount(shape.bits(), width));
    Counters counters = new Counters(shape.bits(), width, widens, reader.words(count));
    return reader.checked(
        1,
        () -> {
          counters.requireClearTail();
          return new CountingBloomFilter(shape, counters);
        });
  }

  Counters counters() {
    return counters;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CountingBloomFilter filter
        && shape.equals(filter.shape)
        && counters.equals(filter.counters);
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
  public static final class Builder extends ShapeBuilder<Builder, CountingBloomFilter> {
    private int counterBits = 4;
    private boolean widens = true;

    Builder() {}

    /** Bits per counter at first: 4 (default), 8, 16 or 32. */
    public Builder counterBits(int counterBits) {
      this.counterBits = Counters.checkedWidth(counterBits);
      return this;
    }

    /**
     * Keeps the width: a counter that reaches its largest value stays there for good. Without it
     * counters widen on demand and nothing is lost.
     */
    public Builder saturating() {
      this.widens = false;
      return this;
    }

    @Override
    public CountingBloomFilter build() {
      FilterShape shape = shape();
      return new CountingBloomFilter(shape, new Counters(shape.bits(), counterBits, widens));
    }
  }
}
