package dev.bellows.autoscale;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.StoredFilter;
import dev.bellows.internal.autoscale.BlockedEvidence;
import dev.bellows.internal.autoscale.ObservedRates;
import dev.bellows.internal.autoscale.ThresholdRates;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.DistinctPositions;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.math.Binomial;
import dev.bellows.internal.math.Bisection;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A small filter to send: one bit for each counter of another filter, set if the counter exceeds
 * theta (Autoscaling paper, Section 3.4), and the decision threshold. Immutable and thread-safe.
 *
 * <p>It answers every query exactly as the counters do, in a fraction of their size. If theta is 0
 * and decision = hashes, this is a plain filter over the same positions and misses no key. Theta is
 * fixed by the bits, but {@link #withDecision} can change the decision.
 *
 * <p>There are two kinds. The positions of a key are those of the original filter: distinct in the
 * bits of an {@linkplain AutoscalingBloomFilter#binarize autoscaling filter}, while those in the
 * bits of a {@linkplain CountingReading#binarize counting filter} follow its layout and may
 * coincide. The file of the first kind holds the TPR of its decision, that of the second one the
 * TPR of every decision. {@link #dot}, {@link #similarity} and {@link #commonKeys} compare filters
 * of the first kind only.
 */
public final class BinarizedFilter extends StoredFilter implements GradedMembership {
  private static final long serialVersionUID = 1L;

  /** The format of the kind with the bits of a counting filter. */
  public static final FilterFormat<BinarizedFilter> COUNTING_FORMAT =
      FilterFormat.of(
          FilterKind.BINARIZED_COUNTING, BinarizedFilter.class, BinarizedFilter::readCounting);

  /** The format of this class: reads filters of both kinds from streams, files and bytes. */
  public static final FilterFormat<BinarizedFilter> FORMAT =
      FilterFormat.of(FilterKind.BINARIZED, BinarizedFilter.class, BinarizedFilter::read)
          .alsoReading(COUNTING_FORMAT);

  private static final long MAX_THETA = (1L << 32) - 2;
  private static final long MAX_KEYS = 1L << 60;

  /** The TPR of a filter without keys, as it is stored in files. */
  private static final long NOT_A_RATE = Double.doubleToLongBits(Double.NaN);

  /** A TPR closer than this to 0 or 1 does not determine how often a position hits. */
  private static final double SURE = 1e-9;

  private final Shape shape;
  private final HeapBits store;
  private final long theta;
  private final int decision;
  private final long keys;

  /** The positions of keys that are distinct; null if they follow the layout. */
  private final @Nullable DistinctPositions distinct;

  private final Positions repeated;

  /**
   * The fraction of stored keys that each decision accepts, starting with decision 0; only that of
   * this decision if the positions are distinct. NaN if there are no keys, or if some of them were
   * put repeatedly, so that it is unknown.
   */
  private final double[] tprs;

  private BinarizedFilter(
      Shape shape,
      HeapBits store,
      long theta,
      int decision,
      long keys,
      @Nullable DistinctPositions distinct,
      double[] tprs) {
    this.shape = shape;
    this.store = store;
    this.theta = theta;
    this.decision = decision;
    this.keys = keys;
    this.distinct = distinct;
    this.repeated = shape.positions();
    this.tprs = tprs;
  }

  /** Returns the bits of an autoscaling filter, with the fraction of stored keys it accepts. */
  static BinarizedFilter distinct(
      Shape shape, HeapBits store, long theta, int decision, long keys, double tpr) {
    DistinctPositions distinct = new DistinctPositions(shape.bits(), shape.hashes());
    return new BinarizedFilter(shape, store, theta, decision, keys, distinct, new double[] {tpr});
  }

  /** Returns the bits of a reading, with the fraction of stored keys that each decision accepts. */
  static BinarizedFilter repeated(Shape shape, HeapBits store, ThresholdPlan plan, double[] tprs) {
    return new BinarizedFilter(
        shape, store, plan.theta(), plan.decision(), plan.keys(), null, tprs);
  }

  @Override
  public FilterKind kind() {
    return distinct == null ? FilterKind.BINARIZED_COUNTING : FilterKind.BINARIZED;
  }

  /** Returns the number of bits, m. */
  public long bits() {
    return shape.bits();
  }

  /** Returns the number of positions per key, k. */
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

  /** Returns whether the bit at a position is one, which means that its counter exceeded theta. */
  public boolean bit(long position) {
    return store.isSet(Checks.inRange(0, bits() - 1, position, "position"));
  }

  @Override
  public boolean acceptsHash(long hash) {
    return distinct == null ? acceptsRepeated(hash) : acceptsDistinct(distinct.draw(hash));
  }

  private boolean acceptsRepeated(long hash) {
    int needed = decision;
    long value = repeated.begin(hash);
    for (int i = 0; needed > 0 && needed <= hashes() - i; i++) {
      value = repeated.step(value, i);
      needed -= store.isSet(repeated.at(hash, value, i)) ? 1 : 0;
    }
    return needed <= 0;
  }

  private boolean acceptsDistinct(DistinctPositions.Draw draw) {
    int left = shape.hashes();
    int needed = decision;
    int early = Math.min(left, AutoscalingBloomFilter.EARLY);
    for (; early > 0 && needed > 0 && needed <= left; early--) {
      needed -= store.isSet(draw.next()) ? 1 : 0;
      left--;
    }
    return needed <= left && (needed <= 0 || needed <= hits(draw, left));
  }

  /**
   * Returns the number of positions of the key whose bit is one; positions that coincide count
   * separately.
   */
  @Override
  public long evidenceHash(long hash) {
    if (distinct != null) {
      return hits(distinct.draw(hash), hashes());
    }
    int hits = 0;
    long value = repeated.begin(hash);
    for (int i = 0; i < hashes(); i++) {
      value = repeated.step(value, i);
      hits += store.isSet(repeated.at(hash, value, i)) ? 1 : 0;
    }
    return hits;
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
   * Returns a filter with the same bits and another decision threshold. A lower decision misses
   * fewer stored keys, a higher one accepts fewer absent keys.
   *
   * <p>The FPR follows from the bits. If the file holds the TPR of the original decision only, that
   * determines how often a position of a stored key hits, from which the TPR of other decisions is
   * computed; if it is 0 or 1, the model is used instead.
   */
  public BinarizedFilter withDecision(int other) {
    Checks.inRange(0, hashes(), other, "decision");
    double[] rates = tprs;
    if (distinct != null && other != decision) {
      rates = new double[] {ObservedRates.tpr(bits(), hashes(), storedHit(), other)};
    }
    return new BinarizedFilter(shape, store, theta, other, keys, distinct, rates);
  }

  /** Returns the probability that a position of a stored key hits; NaN if the TPR is unknown. */
  private double storedHit() {
    double tpr = tprs[0];
    if (Double.isNaN(tpr)) {
      return tpr;
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
   * Returns the number of positions at which both filters have a one: the dot product of their
   * bits.
   */
  public long dot(BinarizedFilter other) {
    Merging.requireCompatible(incompatibility(other));
    return store.intersection(other.store).ones();
  }

  /**
   * Returns the similarity of the key sets of two filters: the correlation of their bits. It is 1
   * for the same bits and about 0 for filters without common keys, with a standard deviation of
   * {@code 1/sqrt(bits)}.
   */
  public double similarity(BinarizedFilter other) {
    double here = (double) store.ones() / bits();
    double there = (double) other.store.ones() / other.bits();
    double both = (double) dot(other) / bits();
    double scale = Math.sqrt(here * (1 - here) * there * (1 - there));
    return scale == 0 ? 0 : Math.max(-1, Math.min(1, (both - here * there) / scale));
  }

  /**
   * Returns the number of common keys at which the observed number of common one bits is most
   * likely. With c common keys, the two counters at a position share a count of Bin(c, k/m), in
   * addition to the counts of the n - c and n' - c other keys.
   */
  public double commonKeys(BinarizedFilter other) {
    double ones = dot(other);
    long most = Math.min(keys, other.keys);
    return Bisection.first(0, most, c -> bits() * bothHit(c, other) >= ones);
  }

  /**
   * Returns the probability that a counter exceeds theta in both filters, given this many common
   * keys.
   */
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

  /** Returns the distribution of a counter after this many keys. */
  private Binomial count(long ofKeys) {
    return Binomial.ofRatio(ofKeys, hashes(), bits());
  }

  /**
   * Returns why the other filter cannot be compared with this one; empty if it can. Both must be
   * bits of autoscaling filters of the same size, number of hashes and hash scheme.
   */
  public Optional<String> incompatibility(BinarizedFilter other) {
    if (distinct == null || other.distinct == null) {
      return Optional.of("only the bits of autoscaling filters can be compared");
    }
    Optional<String> difference = shape.incompatibility(other.shape);
    return difference.isPresent()
        ? difference
        : Merging.difference(List.of(bits() + " bits"), List.of(other.bits() + " bits"));
  }

  /**
   * Returns the FPR, computed from these bits, and the TPR, which was computed from the counters.
   */
  public ThresholdPlan.Rates rates() {
    double tpr = tprs[distinct == null ? decision : 0];
    return new ThresholdPlan.Rates(tpr, 1 - tpr, expectedFpp());
  }

  /** Returns the false positive rate, computed from these bits. */
  @Override
  public double expectedFpp() {
    if (distinct != null) {
      return ObservedRates.fpr(bits(), hashes(), store.ones(), decision);
    }
    if (shape.layout() instanceof Layout.Blocked blocked) {
      double[] hits =
          BlockedEvidence.observed(blocked.pattern(), bits(), position -> 1, store::isSet);
      return BlockedEvidence.atLeast(hits, decision);
    }
    return ObservedRates.fprRepeated(bits(), hashes(), store.ones(), decision);
  }

  @Override
  public FilterStats stats() {
    return FilterStats.of(this, shape.layout(), bits(), hashes(), store.ones(), (double) keys);
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
    return "A read-only filter: which counters of "
        + (distinct == null ? "a counting" : "an autoscaling")
        + " Bloom filter exceed theta.\n\n"
        + stats().lines("bits", sizeInBytes())
        + AutoscalingBloomFilter.describe(theta, decision, rates(), rates().tpr());
  }

  private FilterHeader header() {
    long bytes = 8 * store.wordCount();
    return distinct == null
        ? ShapeCodec.header(
            kind(), shape, List.of(theta, (long) decision, keys), List.of(8L * tprs.length, bytes))
        : ShapeCodec.header(
            kind(),
            shape,
            List.of(theta, (long) decision, keys, Double.doubleToLongBits(tprs[0])),
            List.of(bytes));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header());
    if (distinct == null) {
      ByteBuffer rates = ByteBuffer.allocate(8 * tprs.length).order(LITTLE_ENDIAN);
      rates.asDoubleBuffer().put(tprs);
      writer.bytes(rates.array());
    }
    writer.bits(store).end();
  }

  /** Reads a filter from a file of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static BinarizedFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static BinarizedFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static BinarizedFilter read(FilterReader reader) throws IOException {
    Thresholds read = Thresholds.read(reader, reader.distinctShape(4));
    int last = ShapeCodec.PARAMETERS + 3;
    long rate =
        read.keys == 0 || reader.header().parameters().get(last) == NOT_A_RATE
            ? reader.parameter(last, "tpr that is unknown", NOT_A_RATE, NOT_A_RATE)
            : reader.parameter(last, "tpr", 0, Double.doubleToLongBits(1));
    HeapBits store = reader.bits(read.shape.bits());
    return distinct(
        read.shape, store, read.theta, read.decision, read.keys, Double.longBitsToDouble(rate));
  }

  private static BinarizedFilter readCounting(FilterReader reader) throws IOException {
    Thresholds read = Thresholds.read(reader, reader.shape(3, 2));
    byte[] table = reader.bytes();
    double[] tprs =
        reader.checked(
            ShapeCodec.PARAMETERS + 2, () -> rates(table, read.shape.hashes(), read.keys));
    HeapBits store = reader.bits(read.shape.bits());
    return new BinarizedFilter(read.shape, store, read.theta, read.decision, read.keys, null, tprs);
  }

  /** The parameters that files of both kinds begin with. */
  private record Thresholds(Shape shape, long theta, int decision, long keys) {
    static Thresholds read(FilterReader reader, Shape shape) throws IOException {
      int own = ShapeCodec.PARAMETERS;
      return new Thresholds(
          shape,
          reader.parameter(own, "theta", 0, MAX_THETA),
          (int) reader.parameter(own + 1, "decision", 0, shape.hashes()),
          reader.parameter(own + 2, "keys", 0, MAX_KEYS));
    }
  }

  /** Returns the TPR by decision, which never increases; NaN if there are no keys. */
  private static double[] rates(byte[] table, int hashes, long keys) {
    if (table.length != 8 * (hashes + 1)) {
      throw new IllegalArgumentException(
          "%d bytes of rates: %d hashes need %d".formatted(table.length, hashes, 8 * (hashes + 1)));
    }
    double[] rates = new double[hashes + 1];
    ByteBuffer.wrap(table).order(LITTLE_ENDIAN).asDoubleBuffer().get(rates);
    for (int i = 0; i < rates.length; i++) {
      boolean fits =
          keys == 0
              ? Double.doubleToRawLongBits(rates[i]) == NOT_A_RATE
              : rates[i] >= 0 && rates[i] <= (i == 0 ? 1 : rates[i - 1]);
      if (!fits) {
        throw new IllegalArgumentException(
            "the tpr of decision %d is %s with %d keys".formatted(i, rates[i], keys));
      }
    }
    return rates;
  }

  /** Returns whether the other object is a filter with the same bits and the same parameters. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BinarizedFilter filter
        && kind() == filter.kind()
        && shape.equals(filter.shape)
        && theta == filter.theta
        && decision == filter.decision
        && keys == filter.keys
        && Arrays.equals(tprs, filter.tprs)
        && store.equals(filter.store);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + store.hashCode();
  }

  @Override
  public String toString() {
    return "BinarizedFilter[%s, theta %d, decision %d]".formatted(shape, theta, decision);
  }
}
