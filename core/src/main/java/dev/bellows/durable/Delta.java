package dev.bellows.durable;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.SerializedFilter;
import dev.bellows.internal.journal.Journal;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The changes of a durable filter between two versions: the hashes that were put, or the whole
 * content if that is smaller, if the journal does not reach back that far, or if keys were removed.
 * Immutable. Deltas are written in the same container as filters, with checksums, and are checked
 * as untrusted input when they are read. A {@link Replica} or another {@link DurableFilter} applies
 * them.
 *
 * <p>A delta cannot be queried. Hashes are spread evenly over a filter, so by the time that the
 * changed hashes take more bytes than the content, hardly any part of the content is unchanged.
 * There is therefore no form between the hashes and the whole content.
 */
public final class Delta implements Filter, Serializable {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads deltas from streams, files and bytes. */
  public static final FilterFormat<Delta> FORMAT =
      FilterFormat.of(FilterKind.DELTA, Delta.class, Delta::read);

  /** The maximum number of bytes of hashes or content. */
  static final long MOST_BYTES = Integer.MAX_VALUE - 64;

  private static final int PARAMETERS = 5;
  private static final int HASHES = 0;
  private static final int CONTENT = 1;

  /**
   * The number of words before the hashes of a run: its time and the number of its hashes, or a
   * {@link Journal#TICK} without hashes.
   */
  private static final int RUN_WORDS = 2;

  private final transient byte[] settings;
  private final transient FilterKind sourceKind;
  private final transient HashScheme scheme;
  private final transient long sourceId;
  private final transient long epoch;
  private final transient long from;
  private final transient long to;
  private final transient boolean hasContent;

  /** Runs of hashes, or the image of the content. */
  private final transient byte[] body;

  private Delta(
      FilterReader settingsReader,
      byte[] settings,
      HashScheme scheme,
      long sourceId,
      long epoch,
      long from,
      long to,
      boolean hasContent,
      byte[] body) {
    this.sourceKind = settingsReader.header().kind();
    this.settings = settings;
    this.scheme = scheme;
    this.sourceId = sourceId;
    this.epoch = epoch;
    this.from = from;
    this.to = to;
    this.hasContent = hasContent;
    this.body = body;
  }

  private static Delta of(
      byte[] settings,
      HashScheme scheme,
      long sourceId,
      long epoch,
      long from,
      long to,
      boolean hasContent,
      byte[] body) {
    try {
      FilterReader reader = FilterReader.ofHeader(settings, ReadOptions.UNLIMITED);
      return new Delta(reader, settings, scheme, sourceId, epoch, from, to, hasContent, body);
    } catch (FilterFormatException e) {
      throw new AssertionError("a filter wrote its own settings", e);
    }
  }

  /** Returns the hashes that were put from one version to another. */
  static Delta ofHashes(
      byte[] settings,
      HashScheme scheme,
      long sourceId,
      long epoch,
      long from,
      long to,
      long[] runs) {
    ByteBuffer words = ByteBuffer.allocate(8 * runs.length).order(ByteOrder.LITTLE_ENDIAN);
    words.asLongBuffer().put(runs);
    return of(settings, scheme, sourceId, epoch, from, to, false, words.array());
  }

  /** Returns the whole content at a version. */
  static Delta ofContent(
      byte[] settings, HashScheme scheme, long sourceId, long epoch, long to, byte[] image) {
    return of(settings, scheme, sourceId, epoch, 0, to, true, image);
  }

  @Override
  public FilterKind kind() {
    return FilterKind.DELTA;
  }

  /** Returns the kind of the filter that changed. */
  public FilterKind sourceKind() {
    return sourceKind;
  }

  /** Returns the id of the source folder. */
  public long sourceId() {
    return sourceId;
  }

  /** Returns the version of the last removal at the source. */
  public long epoch() {
    return epoch;
  }

  /** Returns the version at which the changes begin; 0 if the delta contains the whole content. */
  public long from() {
    return from;
  }

  /** Returns the version at which the changes end. */
  public long to() {
    return to;
  }

  /** Returns whether the delta contains the whole content rather than the changed hashes. */
  public boolean hasContent() {
    return hasContent;
  }

  /**
   * Returns the settings of the filter that changed. {@link FilterFormat#empty} creates an empty
   * filter from them, with which a replica begins.
   */
  public byte[] settings() {
    return settings.clone();
  }

  byte[] image() {
    return body;
  }

  /** Receives changes. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Receives hashes that were put at one time.
     *
     * @param to the version after these hashes
     */
    void hashes(long time, long[] hashes, long to) throws IOException;

    /** Receives a time to which the clock advanced. */
    default void tick(long time, boolean empties) throws IOException {}
  }

  /** Passes the changes since a version to a visitor, at most {@code most} hashes at a time. */
  void forEachFrom(long version, int most, Visitor visitor) throws IOException {
    ByteBuffer words = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    long at = from;
    while (words.hasRemaining()) {
      long time = words.getLong();
      long count = words.getLong();
      if (count < 0) {
        if (at++ >= version) {
          visitor.tick(time, count == Journal.EMPTYING_TICK);
        }
        continue;
      }
      LongBuffer run =
          words.slice(words.position(), 8 * (int) count).order(words.order()).asLongBuffer();
      run.position((int) Math.min(count, Math.max(0, version - at)));
      words.position(words.position() + 8 * (int) count);
      at += count;
      while (run.hasRemaining()) {
        long[] hashes = new long[Math.min(most, run.remaining())];
        run.get(hashes);
        visitor.hashes(time, hashes, at - run.remaining());
      }
    }
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  @Override
  public FilterStats stats() {
    return new FilterStats(
        FilterKind.DELTA, null, 8L * body.length, 1, scheme, null, (double) (to - from), 0);
  }

  @Override
  public long sizeInBytes() {
    return header().fileBytes();
  }

  /** Returns whether nothing changed. */
  @Override
  public boolean isEmpty() {
    return from == to && !hasContent;
  }

  /** Returns 0, because a delta cannot be queried. */
  @Override
  public double expectedFpp() {
    return 0;
  }

  @Override
  public String explain() {
    return (hasContent
            ? "A delta: the whole content of a durable filter of kind %s at version %d"
                .formatted(sourceKind.word(), to)
            : "A delta: what changed in a durable filter of kind %s from version %d to %d"
                .formatted(sourceKind.word(), from, to))
        + ".\n\n"
        + Prose.format("  source             %016x\n", sourceId)
        + Prose.format("  changes            %,d\n", to - from)
        + Prose.format("  last removal       %s\n", epoch == 0 ? "none" : "version " + epoch)
        + Prose.format("  file               %s\n", Prose.bytes(sizeInBytes()));
  }

  private FilterHeader header() {
    return FilterHeader.of(
        FilterKind.DELTA,
        scheme,
        Origin.NONE,
        List.of(hasContent ? (long) CONTENT : HASHES, sourceId, epoch, from, to),
        List.of((long) settings.length, (long) body.length));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header());
    writer.bytes(settings);
    writer.bytes(body);
    writer.end();
  }

  private static Delta read(FilterReader reader) throws IOException {
    reader.expect(PARAMETERS, 2);
    HashScheme scheme = reader.scheme();
    boolean hasContent = reader.parameter(0, "form", HASHES, CONTENT) == CONTENT;
    long sourceId = reader.header().parameters().get(1);
    if (sourceId == 0) {
      throw reader.parameterError(1, "the id of its source is 0");
    }
    long to = reader.parameter(4, "version", 0, Long.MAX_VALUE);
    long epoch = reader.parameter(2, "epoch", 0, to);
    long from = reader.parameter(3, "first version", hasContent ? 0 : epoch, hasContent ? 0 : to);
    byte[] settings = reader.bytes();
    FilterReader inner;
    try {
      inner = FilterReader.ofHeader(settings, ReadOptions.UNLIMITED);
    } catch (FilterFormatException e) {
      throw reader.parameterError(0, "its settings: " + e.getMessage());
    }
    if (inner.header().hashScheme() != reader.header().hashScheme()
        || inner.header().hashIdentity() != reader.header().hashIdentity()
        || inner.header().keyType() != reader.header().keyType()) {
      throw reader.schemeError("its settings have another hash scheme");
    }
    byte[] body = reader.bytes();
    if (!hasContent) {
      requireRuns(reader, body, to - from);
    }
    return new Delta(inner, settings, scheme, sourceId, epoch, from, to, hasContent, body);
  }

  private static void requireRuns(FilterReader reader, byte[] body, long changes)
      throws FilterFormatException {
    ByteBuffer words = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    long found = 0;
    boolean isValid = body.length % 8 == 0;
    while (isValid && words.hasRemaining()) {
      isValid = words.remaining() >= 8 * RUN_WORDS;
      if (isValid) {
        words.getLong();
        long count = words.getLong();
        boolean isTick = count == Journal.TICK || count == Journal.EMPTYING_TICK;
        isValid = isTick || (count > 0 && count <= words.remaining() / 8);
        if (isValid) {
          words.position(words.position() + (isTick ? 0 : 8 * (int) count));
          found += isTick ? 1 : count;
        }
      }
    }
    if (!isValid || found != changes) {
      throw reader.parameterError(
          4, "%d bytes of hashes where there are %d changes".formatted(body.length, changes));
    }
  }

  /** Reads a delta from a file of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static Delta readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a delta from the bytes that {@link #toBytes} returned, at most 1 GiB. */
  public static Delta fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private Object writeReplace() {
    return new SerializedFilter(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw SerializedFilter.refusal();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Delta delta
        && sourceId == delta.sourceId
        && epoch == delta.epoch
        && from == delta.from
        && to == delta.to
        && hasContent == delta.hasContent
        && Arrays.equals(settings, delta.settings)
        && Arrays.equals(body, delta.body);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(body) + Long.hashCode(to);
  }

  @Override
  public String toString() {
    return "Delta[%s, %s, versions %d to %d of %016x]"
        .formatted(sourceKind.word(), hasContent ? "content" : "hashes", from, to, sourceId);
  }
}
