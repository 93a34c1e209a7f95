package dev.bellows.autoscale;

import dev.bellows.internal.autoscale.ObservedRates;
import dev.bellows.internal.autoscale.ThresholdRates;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
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
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A small filter to send, with one bit for each counter of an autoscaling filter, set if the
 * counter exceeds theta (Autoscaling paper, Section 3.4). Immutable and thread-safe.
 *
 * <p>With the decision threshold, these bits answer every query exactly as the original filter
 * does. If theta is 0 and decision = hashes, this is a plain filter over the same positions and
 * misses no key. Theta is fixed by the bits, but {@link #withDecision} can change the decision.
 */
public final class BinarizedFilter extends Binarized {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its filters from streams, files and bytes. */
  public static final FilterFormat<BinarizedFilter> FORMAT =
      FilterFormat.of(FilterKind.BINARIZED, BinarizedFilter.class, BinarizedFilter::read);

  private static final int OWN_PARAMETERS = 4;

  /** A TPR closer than this to 0 or 1 does not determine how often a position hits. */
  private static final double SURE = 1e-9;

  private final DistinctPositions positions;
  private final double tpr;

  BinarizedFilter(Shape shape, HeapBits store, long theta, int decision, long keys, double tpr) {
    super(shape, store, theta, decision, keys);
    this.positions = new DistinctPositions(shape.bits(), shape.hashes());
    this.tpr = tpr;
  }

  @Override
  public FilterKind kind() {
    return FilterKind.BINARIZED;
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

  /** Returns the number of positions of the key whose bit is one. */
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
   * {@inheritDoc}
   *
   * <p>The FPR follows from the bits. The TPR is known for the original decision only. It
   * determines how often a position of a stored key hits, from which the TPR of other decisions is
   * computed; if it is 0 or 1, the model is used instead.
   */
  @Override
  public BinarizedFilter withDecision(int other) {
    checkedDecision(other);
    double rate = other == decision ? tpr : ObservedRates.tpr(bits(), hashes(), storedHit(), other);
    return new BinarizedFilter(shape, store, theta, other, keys, rate);
  }

  /** Returns the probability that a position of a stored key hits; NaN if there are no keys. */
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
   * Returns the number of positions at which both filters have a one: the dot product of their
   * bits.
   */
  public long dot(BinarizedFilter other) {
    requireSameShape(other);
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

  private void requireSameShape(BinarizedFilter other) {
    Merging.requireCompatible(incompatibility(other));
  }

  /** Returns why the bits of the other filter cannot be compared with these; empty if they can. */
  public Optional<String> incompatibility(BinarizedFilter other) {
    Optional<String> difference = shape.incompatibility(other.shape);
    return difference.isPresent()
        ? difference
        : Merging.difference(List.of(bits() + " bits"), List.of(other.bits() + " bits"));
  }

  @Override
  double tpr() {
    return tpr;
  }

  /** Returns the false positive rate, computed from these bits. */
  @Override
  public double expectedFpp() {
    return ObservedRates.fpr(bits(), hashes(), store.ones(), decision);
  }

  @Override
  public String explain() {
    return explain("an autoscaling Bloom filter");
  }

  @Override
  FilterHeader header() {
    return ShapeCodec.header(
        FilterKind.BINARIZED,
        shape,
        List.of(theta, (long) decision, keys, Double.doubleToLongBits(tpr)),
        List.of(8 * store.wordCount()));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header());
    writer.bits(store);
    writer.end();
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
    Shape shape = reader.distinctShape(OWN_PARAMETERS);
    int own = ShapeCodec.PARAMETERS;
    long theta = reader.parameter(own, "theta", 0, MAX_THETA);
    int decision = (int) reader.parameter(own + 1, "decision", 0, shape.hashes());
    long keys = reader.parameter(own + 2, "keys", 0, MAX_KEYS);
    long rate =
        keys == 0
            ? reader.parameter(own + 3, "tpr without keys", NOT_A_RATE, NOT_A_RATE)
            : reader.parameter(own + 3, "tpr", 0, Double.doubleToLongBits(1));
    HeapBits store = reader.bits(shape.bits());
    return new BinarizedFilter(shape, store, theta, decision, keys, Double.longBitsToDouble(rate));
  }

  @Override
  boolean hasSameRates(Binarized other) {
    return Double.compare(tpr, other.tpr()) == 0;
  }
}
