package dev.bellows.frozen;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.columns.Columns;
import dev.bellows.internal.columns.Layer;
import dev.bellows.internal.columns.Rung;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.SerializedFilter;
import dev.bellows.internal.layout.Origin;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A range of columns of a {@link FrozenFilter}, for a receiver that has the columns before them.
 * Immutable. The first part can be queried by itself ({@link #filter}); each column of a further
 * part ({@link #with}) halves the rate. Every part contains the state of the filter that it was
 * taken from, so parts of different filters are never combined.
 *
 * <pre>{@code
 * FrozenPart first = filter.part(1, 0.1);
 * FrozenPart second = filter.part(0.1, 0.01);
 * FrozenFilter received = first.with(second).filter();
 * }</pre>
 */
public final class FrozenPart implements Filter, Serializable {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its parts from streams, files and bytes. */
  public static final FilterFormat<FrozenPart> FORMAT =
      FilterFormat.of(FilterKind.FROZEN_PART, FrozenPart.class, FrozenPart::read);

  /** The number of parameters in files: the state and three rungs. Those of the frame follow. */
  private static final int OWN_PARAMETERS = 7;

  private final transient Frame frame;
  private final transient long state;

  /** The rung of the filter that this part was taken from. */
  private final transient Rung whole;

  private final transient Rung low;
  private final transient Rung high;

  /** The layers with their thresholds if this is the first part, otherwise empty. */
  private final transient List<Layer> layers;

  private final transient HeapBits words;
  private final transient double fpp;

  private FrozenPart(
      Frame frame,
      long state,
      Rung whole,
      Rung low,
      Rung high,
      List<Layer> layers,
      HeapBits words) {
    this.frame = frame;
    this.state = state;
    this.whole = whole;
    this.low = low;
    this.high = high;
    this.layers = layers;
    this.words = words;
    // without thresholds, only the number of groups with one more column is known
    this.fpp = frame.fpp(isFirst() ? Columns.fpp(layers, high) : high.fpp(frame.groups()));
  }

  /** Returns the columns of a filter between two rungs. */
  static FrozenPart of(Frame frame, Columns columns, Rung low, Rung high) {
    HeapBits words = HeapBits.aligned(Long.SIZE * frame.words(low, high));
    int[] at = {words.first()};
    try {
      columns.between(
          low,
          high,
          (chunk, length) -> {
            System.arraycopy(chunk, 0, words.array(), at[0], length);
            at[0] += length;
          });
    } catch (IOException e) {
      throw new AssertionError("writing to memory cannot fail", e);
    }
    return new FrozenPart(
        frame,
        columns.contentHash(),
        columns.rung(),
        low,
        high,
        low.equals(Rung.NONE) ? columns.layers() : List.of(),
        words);
  }

  @Override
  public FilterKind kind() {
    return FilterKind.FROZEN_PART;
  }

  @Override
  public HashScheme hashScheme() {
    return frame.scheme();
  }

  /** Returns whether this part begins with the first column, so that it can be queried. */
  public boolean isFirst() {
    return low.equals(Rung.NONE);
  }

  /** Returns whether this part ends with the last column of the filter that it was taken from. */
  public boolean isLast() {
    return high.equals(whole);
  }

  /** Returns the state of the filter that this part was taken from, a hash of its content. */
  public long sourceState() {
    return state;
  }

  /**
   * Returns the number of columns, averaged over all rows, that a receiver needs before this part.
   */
  public double fromColumns() {
    return low.mean(frame.groups());
  }

  /** Returns the number of columns, averaged over all rows, that a receiver has after this part. */
  public double toColumns() {
    return high.mean(frame.groups());
  }

  /** Returns the number of keys of the filter. */
  public long keys() {
    return frame.keys();
  }

  /** Returns the rate of a receiver that has this part and all parts before it. */
  @Override
  public double expectedFpp() {
    return fpp;
  }

  @Override
  public boolean isEmpty() {
    return frame.keys() == 0;
  }

  /**
   * Returns the filter of a part that begins with the first column: bit for bit the folding to its
   * rate.
   *
   * @throws IllegalStateException if the part begins with another column
   */
  public FrozenFilter filter() {
    requireFirst();
    return new FrozenFilter(frame, columns(), Rung.NONE);
  }

  private void requireFirst() {
    if (!isFirst()) {
      throw new IllegalStateException(
          Prose.format(
              "the part begins with column %.4g and cannot be queried without the columns before"
                  + " it: receive the first part first",
              fromColumns()));
    }
  }

  private Columns columns() {
    return new Columns(layers, words, high);
  }

  /**
   * Returns this part, which begins with the first column, combined with the part that follows it.
   *
   * @throws IllegalArgumentException if the other part was taken from another filter, or does not
   *     begin where this one ends
   */
  public FrozenPart with(FrozenPart next) {
    if (!frame.equals(next.frame) || state != next.state || !whole.equals(next.whole)) {
      throw new IllegalArgumentException(
          "the parts belong to different filters: states %016x and %016x"
              .formatted(state, next.state));
    }
    if (next.high.compareTo(high) <= 0) {
      return this;
    }
    if (!next.low.equals(high)) {
      throw new IllegalArgumentException(
          Prose.format(
              "the parts so far end with column %.4g, but this one begins with %.4g: receive the"
                  + " part between them first",
              toColumns(), next.fromColumns()));
    }
    requireFirst();
    Columns both = columns().with(next.high, next.words);
    FrozenPart joined =
        new FrozenPart(frame, state, whole, low, next.high, layers, (HeapBits) both.words());
    if (joined.isLast() && both.contentHash() != state) {
      throw new IllegalArgumentException(
          ("all parts have arrived, but they do not form the filter with state %016x: "
                  + "start again with the first part")
              .formatted(state));
    }
    return joined;
  }

  @Override
  public FilterStats stats() {
    return new FilterStats(
        FilterKind.FROZEN_PART,
        null,
        words.bits() + Byte.SIZE * thresholdBytes(frame, low),
        1,
        frame.scheme(),
        null,
        (double) frame.keys(),
        fpp);
  }

  @Override
  public String explain() {
    return Prose.format(
            "Columns %.4g to %.4g of a frozen filter of %.4g columns%s.\n\n",
            fromColumns(),
            toColumns(),
            whole.mean(frame.groups()),
            isFirst()
                ? ", which can be queried"
                : ", for a receiver that has the columns before them")
        + stats().lines("bits", sizeInBytes())
        + Prose.format("  state              %016x\n", state);
  }

  @Override
  public long sizeInBytes() {
    return header(frame, state, whole, low, high).fileBytes();
  }

  private static long thresholdBytes(Frame frame, Rung low) {
    return low.equals(Rung.NONE) ? frame.thresholdBytes() : 0;
  }

  static FilterHeader header(Frame frame, long state, Rung whole, Rung low, Rung high) {
    List<Long> parameters = new ArrayList<>();
    parameters.add(state);
    for (Rung rung : List.of(whole, low, high)) {
      parameters.add((long) rung.columns());
      parameters.add(rung.lead());
    }
    frame.addTo(parameters);
    return FilterHeader.of(
        FilterKind.FROZEN_PART,
        frame.scheme(),
        Origin.NONE,
        parameters,
        List.of(thresholdBytes(frame, low), Long.BYTES * frame.words(low, high)));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header(frame, state, whole, low, high));
    writer.bytes(isFirst() ? frame.thresholds(layers) : new byte[0]);
    writer.bits(words);
    writer.end();
  }

  private static FrozenPart read(FilterReader reader) throws IOException {
    Frame frame = Frame.read(reader, OWN_PARAMETERS);
    Rung whole = frame.readRung(reader, 1, new Rung(Rung.MOST_COLUMNS, 0));
    Rung high = frame.readRung(reader, 5, whole);
    Rung low = frame.readRung(reader, 3, high);
    long bits = reader.requireBits(0, Long.SIZE * frame.words(low, high));
    boolean isFirst = low.equals(Rung.NONE);
    List<Layer> layers = isFirst ? frame.readLayers(reader, OWN_PARAMETERS) : List.of();
    if (!isFirst && reader.bytes().length > 0) {
      throw reader.parameterError(3, "only the first part has thresholds");
    }
    HeapBits words = reader.bits(bits);
    frame.requireClear(reader, words, low, high);
    long state = reader.header().parameters().get(0);
    FrozenPart part = new FrozenPart(frame, state, whole, low, high, layers, words);
    if (isFirst && part.isLast() && part.columns().contentHash() != part.state) {
      throw reader.parameterError(0, "the state does not match the columns");
    }
    return part;
  }

  /** Reads a part from a file of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static FrozenPart readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a part from the bytes that {@link #toBytes} returned. */
  public static FrozenPart fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private Object writeReplace() {
    return new SerializedFilter(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw SerializedFilter.refusal();
  }

  /** Returns whether the other object is the same part of an equal filter. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FrozenPart part
        && state == part.state
        && frame.equals(part.frame)
        && whole.equals(part.whole)
        && low.equals(part.low)
        && high.equals(part.high)
        && layers.equals(part.layers)
        && words.equals(part.words);
  }

  @Override
  public int hashCode() {
    return Objects.hash(frame, state, low, high);
  }

  @Override
  public String toString() {
    return "FrozenPart[columns %s to %s, %d keys]".formatted(fromColumns(), toColumns(), keys());
  }
}
