package dev.bellows.autoscale;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.bellows.Layout;
import dev.bellows.internal.autoscale.BlockedEvidence;
import dev.bellows.internal.autoscale.ObservedRates;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
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

/**
 * A small filter to send, with one bit for each counter of a counting filter, set if the counter
 * exceeds theta. Immutable and thread-safe.
 *
 * <p>It corresponds to a {@link CountingReading} as a {@link BinarizedFilter} corresponds to an
 * autoscaling filter: with the decision threshold, its bits answer every query exactly as the
 * reading does. The positions of a key are those of the counting filter, in either layout, and may
 * coincide. Theta is fixed by the bits, but {@link #withDecision} can change the decision; the file
 * stores the TPR of every decision.
 */
public final class BinarizedCounting extends Binarized {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its filters from streams, files and bytes. */
  public static final FilterFormat<BinarizedCounting> FORMAT =
      FilterFormat.of(
          FilterKind.BINARIZED_COUNTING, BinarizedCounting.class, BinarizedCounting::read);

  private static final int OWN_PARAMETERS = 3;

  private final Positions positions;

  /** The fraction of stored keys that each decision accepts, starting with decision 0. */
  private final double[] tprs;

  private BinarizedCounting(
      Shape shape, HeapBits store, long theta, int decision, long keys, double[] tprs) {
    super(shape, store, theta, decision, keys);
    this.positions = shape.positions();
    this.tprs = tprs;
  }

  /** Returns the bits of a reading, with the fraction of stored keys that each decision accepts. */
  static BinarizedCounting of(Shape shape, HeapBits store, ThresholdPlan plan, double[] tprs) {
    return new BinarizedCounting(shape, store, plan.theta(), plan.decision(), plan.keys(), tprs);
  }

  @Override
  public FilterKind kind() {
    return FilterKind.BINARIZED_COUNTING;
  }

  /** Returns the layout that maps keys to bits. */
  public Layout layout() {
    return shape.layout();
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

  /**
   * Returns the number of positions of the key whose bit is one; positions that coincide count
   * separately.
   */
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

  @Override
  public BinarizedCounting withDecision(int other) {
    return new BinarizedCounting(shape, store, theta, checkedDecision(other), keys, tprs);
  }

  @Override
  double tpr() {
    return tprs[decision];
  }

  /** Returns the false positive rate, computed from these bits. */
  @Override
  public double expectedFpp() {
    return fpr(shape.layout(), store, decision);
  }

  /**
   * Returns the false positive rate of bits whose positions are those of a layout and may coincide.
   */
  static double fpr(Layout layout, HeapBits bits, int decision) {
    if (layout instanceof Layout.Blocked blocked) {
      double[] hits =
          BlockedEvidence.observed(blocked.pattern(), bits.bits(), position -> 1, bits::isSet);
      return BlockedEvidence.atLeast(hits, decision);
    }
    return ObservedRates.fprRepeated(bits.bits(), layout.hashes(), bits.ones(), decision);
  }

  @Override
  public String explain() {
    return explain("a counting Bloom filter");
  }

  @Override
  FilterHeader header() {
    return ShapeCodec.header(
        FilterKind.BINARIZED_COUNTING,
        shape,
        List.of(theta, (long) decision, keys),
        List.of(8L * tprs.length, 8 * store.wordCount()));
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

  /** Reads a filter from a file of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static BinarizedCounting readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static BinarizedCounting fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static BinarizedCounting read(FilterReader reader) throws IOException {
    Shape shape = reader.shape(OWN_PARAMETERS, 2);
    int own = ShapeCodec.PARAMETERS;
    long theta = reader.parameter(own, "theta", 0, MAX_THETA);
    int decision = (int) reader.parameter(own + 1, "decision", 0, shape.hashes());
    long keys = reader.parameter(own + 2, "keys", 0, MAX_KEYS);
    byte[] table = reader.bytes();
    double[] tprs = reader.checked(own + 2, () -> rates(table, shape.hashes(), keys));
    HeapBits store = reader.bits(shape.bits());
    return new BinarizedCounting(shape, store, theta, decision, keys, tprs);
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

  @Override
  boolean hasSameRates(Binarized other) {
    return other instanceof BinarizedCounting filter && Arrays.equals(tprs, filter.tprs);
  }
}
