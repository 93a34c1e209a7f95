package dev.bellows.autoscale;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.internal.autoscale.ObservedRates;
import dev.bellows.internal.autoscale.ThresholdRates;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.SerializedFilter;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.DistinctPositions;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.math.Binomial;
import dev.bellows.internal.math.Bisection;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The bits of an autoscaling filter above its theta, to ship; immutable and thread-safe (004, 3.4).
 *
 * <p>One bit per counter and the decision threshold answer every query exactly as the original
 * filter did. With theta 0 and decision = hashes this is a plain filter over the same positions and
 * misses no key. The bits fix theta, not the decision: {@link #withDecision} changes it.
 */
public final class BinarizedFilter implements GradedMembership, Filter, Serializable {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its filters from streams, files and bytes. */
  public static final FilterFormat<BinarizedFilter> FORMAT =
      FilterFormat.of(FilterKind.BINARIZED, BinarizedFilter.class, BinarizedFilter::read);

  private static final int OWN_PARAMETERS = 4;

  /** A TPR that is closer to 0 or 1 does not tell how often a position hits. */
  private static final double SURE = 1e-9;

  private static final long NOT_A_RATE = Double.doubleToLongBits(Double.NaN);

  private final Shape shape;
  private final DistinctPositions positions;
  private final HeapBits store;
  private final long theta;
  private final int decision;
  private final long keys;
  private final double tpr;

  BinarizedFilter(Shape shape, HeapBits store, long theta, int decision, long keys, double tpr) {
    this.shape = shape;
    this.positions = new DistinctPositions(shape.bits(), shape.hashes());
    this.store = store;
    this.theta = theta;
    this.decision = decision;
    this.keys = keys;
    this.tpr = tpr;
  }

  @Override
  public FilterKind kind() {
    return FilterKind.BINARIZED;
  }

  /** Returns the number of bits, m. */
  public long bits() {
    return shape.bits();
  }

  /** Distinct positions per key, k. */
  public int hashes() {
    return shape.hashes();
  }

  @Override
  public HashScheme hashScheme() {
    return shape.scheme();
  }

  /** Returns the theta of the original filter. */
  public long theta() {
    return theta;
  }

  @Override
  public long decision() {
    return decision;
  }

  /** Returns the number of keys of the original filter. */
  public long approximateElementCount() {
    return keys;
  }

  /** Returns whether the bit at a position is one: its counter exceeded theta. */
  public boolean bit(long position) {
    return store.isSet(Checks.inRange(0, bits() - 1, position, "position"));
  }

  @Override
  public boolean acceptsHash(long hash) {
    DistinctPositions.Draw draw = positions.draw(hash);
    int left = shape.hashes();
    int needed = decision;
    int early = Math.min(left, AutoscalingBloomFilter.EARLY);
    for (; early > 0 && needed > 0 && needed <= left; early--) {
      needed -= store.isSet(draw.next()) ? 1 : 0;
      left--;
    }
    return needed <= left && (needed <= 0 || needed <= hits(draw, left));
  }

  /** Returns the number of positions of the key that are one. */
  @Override
  public long evidenceHash(long hash) {
    return hits(positions.draw(hash), shape.hashes());
  }

  private int hits(DistinctPositions.Draw draw, int count) {
    long[] drawn = draw.take(count);
    int hits = 0;
    for (int i = 0; i < count; i++) {
      hits += store.isSet(drawn[i]) ? 1 : 0;
    }
    return hits;
  }

  /**
   * The same bits with another decision threshold, and its rates: fewer stored keys are missed with
   * a lower one, fewer absent keys are accepted with a higher one.
   *
   * <p>The FPR follows from the bits. Of the TPR one decision is known; that of others follows from
   * it, because it tells how often a position of a stored key hits, or from the model where it is 0
   * or 1.
   */
  public BinarizedFilter withDecision(int other) {
    Checks.inRange(0, hashes(), other, "decision");
    double rate = other == decision ? tpr : ObservedRates.tpr(bits(), hashes(), storedHit(), other);
    return new BinarizedFilter(shape, store, theta, other, keys, rate);
  }

  /** Returns how often a position of a stored key hits; NaN without keys. */
  private double storedHit() {
    if (keys == 0) {
      return Double.NaN;
    }
    if (!(tpr > SURE && tpr < 1 - SURE)) {
      return ThresholdRates.hits(bits(), hashes(), keys, theta).stored();
    }
    long steps = 1L << 40;
    long step =
        Bisection.first(
            0,
            steps,
            i -> ObservedRates.tpr(bits(), hashes(), (double) i / steps, decision) >= tpr);
    return (double) step / steps;
  }

  /**
   * Returns the number of positions at which both have a one: the dot product of the two vectors.
   */
  public long dot(BinarizedFilter other) {
    requireSameShape(other);
    return store.intersection(other.store).ones();
  }

  /**
   * Returns how alike the keys of two filters are: the correlation of their bits, 1 for the same
   * bits and about 0 for filters without common keys, with a standard deviation of {@code
   * 1/sqrt(bits)}.
   */
  public double similarity(BinarizedFilter other) {
    double here = (double) store.ones() / bits();
    double there = (double) other.store.ones() / other.bits();
    double both = (double) dot(other) / bits();
    double scale = Math.sqrt(here * (1 - here) * there * (1 - there));
    return scale == 0 ? 0 : Math.max(-1, Math.min(1, (both - here * there) / scale));
  }

  /**
   * Returns the number of common keys that most likely leaves this many common ones. With c of them
   * the counters of both hold their count, Bin(c, k/m), and those of the n - c and n' - c others.
   */
  public double commonKeys(BinarizedFilter other) {
    double ones = dot(other);
    long most = Math.min(keys, other.keys);
    return Bisection.first(0, most, c -> bits() * bothHit(c, other) >= ones);
  }

  /** Returns the chance that a counter exceeds theta in both, with this many common keys. */
  private double bothHit(long common, BinarizedFilter other) {
    Binomial shared = count(common);
    Binomial mine = count(keys - common);
    Binomial theirs = count(other.keys - common);
    long enough = Math.max(theta, other.theta) + 1;
    double sum = 0;
    for (long count = 0; count < enough && count <= common; count++) {
      sum +=
          shared.probability(count)
              * mine.atLeast(theta + 1 - count)
              * theirs.atLeast(other.theta + 1 - count);
    }
    return sum + shared.atLeast(enough);
  }

  /** Returns what this many keys leave in a counter. */
  private Binomial count(long ofKeys) {
    return Binomial.ofRatio(ofKeys, hashes(), bits());
  }

  private void requireSameShape(BinarizedFilter other) {
    Merging.requireCompatible(incompatibility(other));
  }

  /** Why the bits of the other filter cannot be compared with these; empty if they can. */
  public Optional<String> incompatibility(BinarizedFilter other) {
    Optional<String> difference = shape.incompatibility(other.shape);
    return difference.isPresent()
        ? difference
        : Merging.difference(List.of(bits() + " bits"), List.of(other.bits() + " bits"));
  }

  /**
   * Returns the FPR computed from these bits, and the TPR that the counters of the original filter
   * gave.
   */
  public ThresholdPlan.Rates rates() {
    return new ThresholdPlan.Rates(tpr, 1 - tpr, fpr(store.ones()));
  }

  /** Returns the false positive rate, computed from these bits. */
  @Override
  public double expectedFpp() {
    return fpr(store.ones());
  }

  private double fpr(long ones) {
    return ObservedRates.fpr(bits(), hashes(), ones, decision);
  }

  @Override
  public FilterStats stats() {
    ThresholdPlan.Rates rates = rates();
    return new FilterStats(
        FilterKind.BINARIZED,
        shape.layout(),
        bits(),
        hashes(),
        hashScheme(),
        store.ones(),
        (double) keys,
        rates.fpr());
  }

  @Override
  public long sizeInBytes() {
    return header().fileBytes();
  }

  @Override
  public boolean isEmpty() {
    return store.ones() == 0;
  }

  @Override
  public String explain() {
    return "The bits of an autoscaling Bloom filter above its theta, to be read only.\n\n"
        + stats().lines("bits", sizeInBytes())
        + AutoscalingBloomFilter.describe(theta, decision, rates());
  }

  private FilterHeader header() {
    return ShapeCodec.header(
        FilterKind.BINARIZED,
        shape,
        List.of(theta, (long) decision, keys, Double.doubleToLongBits(tpr)),
        List.of(8 * store.wordCount()));
  }

  private Object writeReplace() {
    return new SerializedFilter(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw SerializedFilter.refusal();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header());
    writer.bits(store);
    writer.end();
  }

  /** Reads the filter of a file, of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static BinarizedFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads the filter of the bytes of {@link #toBytes}. */
  public static BinarizedFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static BinarizedFilter read(FilterReader reader) throws IOException {
    Shape shape = reader.distinctShape(OWN_PARAMETERS);
    int own = ShapeCodec.PARAMETERS;
    long theta = reader.parameter(own, "theta", 0, (1L << 32) - 2);
    int decision = (int) reader.parameter(own + 1, "decision", 0, shape.hashes());
    long keys = reader.parameter(own + 2, "keys", 0, 1L << 60);
    long rate =
        keys == 0
            ? reader.parameter(own + 3, "tpr without keys", NOT_A_RATE, NOT_A_RATE)
            : reader.parameter(own + 3, "tpr", 0, Double.doubleToLongBits(1));
    HeapBits store = reader.bits(shape.bits());
    return new BinarizedFilter(shape, store, theta, decision, keys, Double.longBitsToDouble(rate));
  }

  /** Returns whether the other object is a filter with the same bits, read the same way. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BinarizedFilter filter
        && shape.equals(filter.shape)
        && theta == filter.theta
        && decision == filter.decision
        && keys == filter.keys
        && Double.compare(tpr, filter.tpr) == 0
        && store.equals(filter.store);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + store.hashCode();
  }

  @Override
  public String toString() {
    return "BinarizedFilter[" + shape + ", theta " + theta + ", decision " + decision + "]";
  }
}
