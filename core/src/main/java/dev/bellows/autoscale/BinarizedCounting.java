package dev.bellows.autoscale;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.autoscale.BlockedEvidence;
import dev.bellows.internal.autoscale.ObservedRates;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.SerializedFilter;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The bits of a counting filter above a theta, to ship; immutable and thread-safe.
 *
 * <p>It is to a {@link CountingReading} what a {@link BinarizedFilter} is to an autoscaling filter:
 * one bit per counter and the decision threshold answer every query exactly as the reading did. The
 * positions are those of the counting filter, of either layout, and may coincide. The bits fix
 * theta, not the decision: {@link #withDecision} changes it, and the file has the TPR of each.
 */
public final class BinarizedCounting implements GradedMembership, Filter, Serializable {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its filters from streams, files and bytes. */
  public static final FilterFormat<BinarizedCounting> FORMAT =
      FilterFormat.of(
          FilterKind.BINARIZED_COUNTING, BinarizedCounting.class, BinarizedCounting::read);

  private static final int OWN_PARAMETERS = 3;
  private static final long NOT_A_RATE = Double.doubleToLongBits(Double.NaN);

  private final Shape shape;
  private final Positions positions;
  private final HeapBits store;
  private final long theta;
  private final int decision;
  private final long keys;

  /** The share of stored keys that each decision accepts, from 0 on. */
  private final double[] tprs;

  private BinarizedCounting(
      Shape shape, HeapBits store, long theta, int decision, long keys, double[] tprs) {
    this.shape = shape;
    this.positions = shape.positions();
    this.store = store;
    this.theta = theta;
    this.decision = decision;
    this.keys = keys;
    this.tprs = tprs;
  }

  /** Returns the bits of a reading, with the share of stored keys that each decision accepts. */
  static BinarizedCounting of(Shape shape, HeapBits store, ThresholdPlan plan, double[] tprs) {
    return new BinarizedCounting(shape, store, plan.theta(), plan.decision(), plan.keys(), tprs);
  }

  @Override
  public FilterKind kind() {
    return FilterKind.BINARIZED_COUNTING;
  }

  /** Returns how keys choose their bits. */
  public Layout layout() {
    return shape.layout();
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

  /** Returns the theta of the reading. */
  public long theta() {
    return theta;
  }

  @Override
  public long decision() {
    return decision;
  }

  /** Returns the number of keys of the counting filter. */
  public long approximateElementCount() {
    return keys;
  }

  @Override
  public boolean acceptsHash(long hash) {
    int needed = decision;
    long value = positions.begin(hash);
    for (int i = 0; needed > 0 && needed <= hashes() - i; i++) {
      value = positions.step(value, i);
      needed -= store.isSet(positions.at(hash, value, i)) ? 1 : 0;
    }
    return needed <= 0;
  }

  /** Returns the number of hashes of the key whose bit is one. */
  @Override
  public long evidenceHash(long hash) {
    int hits = 0;
    long value = positions.begin(hash);
    for (int i = 0; i < hashes(); i++) {
      value = positions.step(value, i);
      hits += store.isSet(positions.at(hash, value, i)) ? 1 : 0;
    }
    return hits;
  }

  /** The same bits with another decision threshold, and its rates. */
  public BinarizedCounting withDecision(int other) {
    Checks.inRange(0, hashes(), other, "decision");
    return new BinarizedCounting(shape, store, theta, other, keys, tprs);
  }

  /** Returns the FPR computed from these bits, and the TPR that the counters gave. */
  public ThresholdPlan.Rates rates() {
    double tpr = tprs[decision];
    return new ThresholdPlan.Rates(tpr, 1 - tpr, expectedFpp());
  }

  /** Returns the false positive rate, computed from these bits. */
  @Override
  public double expectedFpp() {
    return fpr(shape.layout(), store, decision);
  }

  /** Returns the false positive rate of bits at the positions of a layout, which may coincide. */
  static double fpr(Layout layout, HeapBits bits, int decision) {
    if (layout instanceof Layout.Blocked blocked) {
      double[] hits =
          BlockedEvidence.observed(blocked.pattern(), bits.bits(), position -> 1, bits::isSet);
      return BlockedEvidence.atLeast(hits, decision);
    }
    return ObservedRates.fprRepeated(bits.bits(), layout.hashes(), bits.ones(), decision);
  }

  @Override
  public FilterStats stats() {
    return new FilterStats(
        FilterKind.BINARIZED_COUNTING,
        shape.layout(),
        bits(),
        hashes(),
        hashScheme(),
        store.ones(),
        (double) keys,
        expectedFpp());
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
    return "The bits of a counting Bloom filter above a theta, to be read only.\n\n"
        + stats().lines("bits", sizeInBytes())
        + AutoscalingBloomFilter.describe(theta, decision, rates());
  }

  private FilterHeader header() {
    return ShapeCodec.header(
        FilterKind.BINARIZED_COUNTING,
        shape,
        List.of(theta, (long) decision, keys),
        List.of(8L * tprs.length, 8 * store.wordCount()));
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
    ByteBuffer rates = ByteBuffer.allocate(8 * tprs.length).order(LITTLE_ENDIAN);
    rates.asDoubleBuffer().put(tprs);
    writer.bytes(rates.array());
    writer.bits(store);
    writer.end();
  }

  /** Reads the filter of a file, of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static BinarizedCounting readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads the filter of the bytes of {@link #toBytes}. */
  public static BinarizedCounting fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static BinarizedCounting read(FilterReader reader) throws IOException {
    Shape shape = reader.shape(OWN_PARAMETERS, 2);
    int own = ShapeCodec.PARAMETERS;
    long theta = reader.parameter(own, "theta", 0, (1L << 32) - 2);
    int decision = (int) reader.parameter(own + 1, "decision", 0, shape.hashes());
    long keys = reader.parameter(own + 2, "keys", 0, 1L << 60);
    byte[] table = reader.bytes();
    double[] tprs = reader.checked(own + 2, () -> rates(table, shape.hashes(), keys));
    HeapBits store = reader.bits(shape.bits());
    return new BinarizedCounting(shape, store, theta, decision, keys, tprs);
  }

  /** Returns the share of stored keys by decision, which never rises; NaN without keys. */
  private static double[] rates(byte[] table, int hashes, long keys) {
    if (table.length != 8 * (hashes + 1)) {
      throw new IllegalArgumentException(
          "%d bytes of rates, but %d hashes have %d"
              .formatted(table.length, hashes, 8 * (hashes + 1)));
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

  /** Returns whether the other object is a filter with the same bits, read the same way. */
  @Override
  public boolean equals(Object other) {
    return other instanceof BinarizedCounting filter
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
    return "BinarizedCounting[" + shape + ", theta " + theta + ", decision " + decision + "]";
  }
}
