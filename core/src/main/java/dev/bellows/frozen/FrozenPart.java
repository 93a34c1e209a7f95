package dev.bellows.frozen;

import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.StoredFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.columns.Columns;
import dev.bellows.internal.columns.Layer;
import dev.bellows.internal.columns.Rung;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
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
public final class FrozenPart extends StoredFilter {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its parts from streams, files and bytes. */
  public static final FilterFormat<FrozenPart> FORMAT =
      FilterFormat.of(FilterKind.FROZEN_PART, FrozenPart.class, FrozenPart::read);

  /** The number of parameters in files: the state and three rungs. Those of the frame follow. */
  private static final int OWN_PARAMETERS = 7;

  private final transient Source source;
  private final transient Rung low;
  private final transient Rung high;

  /** The layers with their thresholds if this is the first part, otherwise empty. */
  private final transient List<Layer> layers;

  private final transient BitStore words;
  private final transient double fpp;

  /**
   * The filter that a part was taken from.
   *
   * @param state a hash of its content
   * @param rung its columns
   */
  record Source(FrozenFrame frame, long state, Rung rung) {
    /** Returns the header of the columns between two rungs. */
    FilterHeader header(Rung low, Rung high) {
      return frame.header(
          FilterKind.FROZEN_PART, List.of(state), List.of(rung, low, high), low, high);
    }
  }

  private FrozenPart(Source source, Rung low, Rung high, List<Layer> layers, BitStore words) {
    this.source = source;
    this.low = low;
    this.high = high;
    this.layers = layers;
    this.words = words;
    FrozenFrame frame = source.frame;
    // without thresholds, only the number of groups with one more column is known
    this.fpp = frame.fpp(isFirst() ? Columns.fpp(layers, high) : high.fpp(frame.groups()));
  }

  /** Returns the columns of a filter between two rungs. */
  static FrozenPart of(FrozenFrame frame, Columns columns, Rung low, Rung high) {
    Source source = new Source(frame, columns.contentHash(), columns.rung());
    List<Layer> layers = low.equals(Rung.NONE) ? columns.layers() : List.of();
    return new FrozenPart(source, low, high, layers, columns.between(low, high));
  }

  @Override
  public FilterKind kind() {
    return FilterKind.FROZEN_PART;
  }

  @Override
  public HashScheme hashScheme() {
    return source.frame.scheme();
  }

  /** Returns whether this part begins with the first column, so that it can be queried. */
  public boolean isFirst() {
    return low.equals(Rung.NONE);
  }

  /** Returns whether this part ends with the last column of the filter that it was taken from. */
  public boolean isLast() {
    return high.equals(source.rung);
  }

  /** Returns the state of the filter that this part was taken from, a hash of its content. */
  public long sourceState() {
    return source.state;
  }

  /**
   * Returns the number of columns, averaged over all rows, that a receiver needs before this part.
   */
  public double fromColumns() {
    return low.mean(source.frame.groups());
  }

  /** Returns the number of columns, averaged over all rows, that a receiver has after this part. */
  public double toColumns() {
    return high.mean(source.frame.groups());
  }

  /** Returns the number of keys of the filter. */
  public long keys() {
    return source.frame.keys();
  }

  /** Returns the rate of a receiver that has this part and all parts before it. */
  @Override
  public double expectedFpp() {
    return fpp;
  }

  @Override
  public boolean isEmpty() {
    return source.frame.keys() == 0;
  }

  /**
   * Returns the filter of a part that begins with the first column: bit for bit the folding to its
   * rate.
   *
   * @throws IllegalStateException if the part begins with another column
   */
  public FrozenFilter filter() {
    requireFirst();
    return new FrozenFilter(source.frame, columns(), Rung.NONE);
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
    if (!source.equals(next.source)) {
      throw new IllegalArgumentException(
          "the parts belong to different filters: states %016x and %016x"
              .formatted(source.state, next.source.state));
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
    FrozenPart joined = new FrozenPart(source, low, next.high, layers, both.words());
    if (joined.isLast() && both.contentHash() != source.state) {
      throw new IllegalArgumentException(
          ("all parts have arrived, but they do not form the filter with state %016x: "
                  + "start again with the first part")
              .formatted(source.state));
    }
    return joined;
  }

  @Override
  public FilterStats stats() {
    return FilterStats.of(
        this,
        null,
        words.bits() + Byte.SIZE * source.frame.thresholdBytes(low),
        1,
        null,
        (double) keys());
  }

  @Override
  public String explain() {
    return Prose.format(
            "Columns %.4g to %.4g of a frozen filter of %.4g columns%s.\n\n",
            fromColumns(),
            toColumns(),
            source.rung.mean(source.frame.groups()),
            isFirst()
                ? ", which can be queried"
                : ", for a receiver that has the columns before them")
        + stats().lines("bits", sizeInBytes())
        + Prose.format("  state              %016x\n", source.state);
  }

  @Override
  public long sizeInBytes() {
    return source.header(low, high).fileBytes();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter.begin(out, source.header(low, high))
        .bytes(source.frame.thresholds(layers))
        .bits(words)
        .end();
  }

  private static FrozenPart read(FilterReader reader) throws IOException {
    FrozenFrame frame = FrozenFrame.read(reader, OWN_PARAMETERS);
    Rung whole = frame.readRung(reader, 1, new Rung(Rung.MOST_COLUMNS, 0));
    Rung high = frame.readRung(reader, 5, whole);
    Rung low = frame.readRung(reader, 3, high);
    List<Layer> layers = frame.readLayers(reader, OWN_PARAMETERS, low);
    Source source = new Source(frame, reader.header().parameters().get(0), whole);
    FrozenPart part = new FrozenPart(source, low, high, layers, frame.readWords(reader, low, high));
    if (part.isFirst() && part.isLast() && part.columns().contentHash() != source.state) {
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

  /** Returns whether the other object is the same part of an equal filter. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FrozenPart part
        && source.equals(part.source)
        && low.equals(part.low)
        && high.equals(part.high)
        && layers.equals(part.layers)
        && words.equals(part.words);
  }

  @Override
  public int hashCode() {
    return Objects.hash(source, low, high);
  }

  @Override
  public String toString() {
    return "FrozenPart[columns %s to %s, %d keys]".formatted(fromColumns(), toColumns(), keys());
  }
}
