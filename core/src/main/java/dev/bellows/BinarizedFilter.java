package dev.bellows;

import dev.bellows.internal.Checks;
import dev.bellows.internal.DistinctPositions;
import dev.bellows.internal.Words;
import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import dev.bellows.plan.DetectionRates;
import dev.bellows.plan.ObservedRates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bits of an autoscaling filter above its theta, immutable and safe from any thread: what is
 * shipped (004, 3.2).
 *
 * <p>One bit per counter and the decision threshold answer every question exactly as the filter did
 * that they were taken from. With theta 0 and decision = hashes this is a plain filter over the
 * same positions and misses no key.
 */
public final class BinarizedFilter implements GradedMembership, Filter {
  private static final int OWN_PARAMETERS = 4;
  private static final long NOT_A_RATE = Double.doubleToLongBits(Double.NaN);

  private final FilterShape shape;
  private final DistinctPositions positions;
  private final long[] words;
  private final long theta;
  private final int decision;
  private final long keys;
  private final double tpr;

  BinarizedFilter(
      FilterShape shape, long[] words, long theta, int decision, long keys, double tpr) {
    this.shape = shape;
    this.positions = new DistinctPositions(shape.bits(), shape.hashes());
    this.words = words;
    this.theta = theta;
    this.decision = decision;
    this.keys = keys;
    this.tpr = tpr;
  }

  /** The number of bits, m. */
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

  /** The theta it was taken at. */
  public long theta() {
    return theta;
  }

  @Override
  public long decision() {
    return decision;
  }

  /** The number of keys it was taken at. */
  public long keys() {
    return keys;
  }

  /** Whether the bit at a position is one: its counter exceeded theta. */
  public boolean bit(long position) {
    return isOne(Checks.inRange(0, bits() - 1, position, "position"));
  }

  private boolean isOne(long position) {
    return ((words[(int) (position >>> 6)] >>> position) & 1) != 0;
  }

  @Override
  public boolean mightContainHash(long hash) {
    DistinctPositions.Draw draw = positions.draw(hash);
    int left = shape.hashes();
    int needed = decision;
    int early = Math.min(left, AutoscalingBloomFilter.EARLY);
    for (; early > 0 && needed > 0 && needed <= left; early--) {
      needed -= isOne(draw.next()) ? 1 : 0;
      left--;
    }
    return needed <= left && (needed <= 0 || needed <= hits(draw, left));
  }

  /** The number of positions of the key that are one. */
  @Override
  public long evidenceHash(long hash) {
    return hits(positions.draw(hash), shape.hashes());
  }

  private int hits(DistinctPositions.Draw draw, int count) {
    long[] drawn = draw.take(count);
    int hits = 0;
    for (int i = 0; i < count; i++) {
      hits += isOne(drawn[i]) ? 1 : 0;
    }
    return hits;
  }

  /** The FPR of these very bits, and the TPR the counters promised when they were taken. */
  public DetectionRates rates() {
    return new DetectionRates(tpr, 1 - tpr, fpr(Words.ones(words)));
  }

  private double fpr(long ones) {
    return ObservedRates.fpr(bits(), hashes(), ones, decision);
  }

  @Override
  public FilterStats stats() {
    long ones = Words.ones(words);
    return shape.stats(FilterKind.BINARIZED, ones, keys, fpr(ones), header().fileBytes());
  }

  @Override
  public String explain() {
    return Explanation.of(this);
  }

  private FilterHeader header() {
    return shape.header(
        FilterKind.BINARIZED,
        Origin.anonymous(),
        List.of(theta, (long) decision, keys, Double.doubleToLongBits(tpr)),
        List.of(8L * words.length));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header());
    writer.words(words);
    writer.end();
  }

  /** Reads a filter, to the end of the stream. */
  public static BinarizedFilter readFrom(InputStream in, ReadLimits limits) throws IOException {
    return read(FilterReader.open(in, limits).expect(FilterKind.BINARIZED), null);
  }

  /** Reads a filter from the bytes of {@link #toBytes}. */
  public static BinarizedFilter fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE);
  }

  static BinarizedFilter read(FilterReader reader, @Nullable HashScheme given) throws IOException {
    FilterShape shape = FilterShape.readDistinct(reader, given, OWN_PARAMETERS);
    int own = FilterShape.PARAMETERS;
    long theta = reader.parameter(own, "theta", 0, (1L << 32) - 2);
    int decision = (int) reader.parameter(own + 1, "decision", 0, shape.hashes());
    long keys = reader.parameter(own + 2, "keys", 0, 1L << 60);
    long rate =
        keys == 0
            ? reader.parameter(own + 3, "tpr without keys", NOT_A_RATE, NOT_A_RATE)
            : reader.parameter(own + 3, "tpr", 0, Double.doubleToLongBits(1));
    long[] words = reader.words(shape.positions().wordCount());
    reader.end();
    return new BinarizedFilter(
        shape,
        shape.requireClearTail(reader, words),
        theta,
        decision,
        keys,
        Double.longBitsToDouble(rate));
  }

  /** Whether the other is a filter with the same bits, read the same way. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BinarizedFilter filter
        && shape.equals(filter.shape)
        && theta == filter.theta
        && decision == filter.decision
        && keys == filter.keys
        && Double.compare(tpr, filter.tpr) == 0
        && Arrays.equals(words, filter.words);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return "BinarizedFilter[" + shape + ", theta " + theta + ", decision " + decision + "]";
  }
}
