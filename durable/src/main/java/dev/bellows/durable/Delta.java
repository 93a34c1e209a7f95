package dev.bellows.durable;

import dev.bellows.Durable;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.StoredFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.journal.Changes;
import dev.bellows.internal.layout.Origin;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.OutputStream;
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
public final class Delta extends StoredFilter {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads deltas from streams, files and bytes. */
  public static final FilterFormat<Delta> FORMAT =
      FilterFormat.of(FilterKind.DELTA, Delta.class, Delta::read);

  /** The maximum number of bytes of hashes or content. */
  static final long MOST_BYTES = Integer.MAX_VALUE - 64;

  private static final int PARAMETERS = 5;
  private static final int HASHES = 0;
  private static final int CONTENT = 1;

  /** Stored instead of the number of hashes: the clock advances to the time of the run. */
  private static final long TICK = -1;

  /** Like {@link #TICK}, and all keys expire as a result. */
  private static final long EMPTYING_TICK = -2;

  /**
   * The number of words before the hashes of a run: its time and the number of its hashes, or a
   * {@link #TICK} without hashes.
   */
  private static final int RUN_WORDS = 2;

  private final transient byte[] settings;
  private final transient FilterKind sourceKind;
  private final transient HashScheme scheme;
  private final transient Range range;

  /** Runs of hashes, or the image of the content. */
  private final transient byte[] body;

  /**
   * The changes that a delta has.
   *
   * @param hasContent whether it has the whole content rather than the changed hashes
   * @param sourceId the id of the source folder
   * @param epoch the version of the last removal at the source
   * @param from the version at which the changes begin
   * @param to the version at which they end
   */
  private record Range(boolean hasContent, long sourceId, long epoch, long from, long to) {}

  private Delta(
      FilterKind sourceKind, byte[] settings, HashScheme scheme, Range range, byte[] body) {
    this.sourceKind = sourceKind;
    this.settings = settings;
    this.scheme = scheme;
    this.range = range;
    this.body = body;
  }

  /**
   * Returns the changes of a filter between two versions.
   *
   * @param id the id of its folder
   * @param body the image of its content, or {@link #runs}
   */
  static Delta of(
      Durable source, long id, long epoch, long from, long to, boolean hasContent, byte[] body) {
    byte[] settings = source.durableContent().settings();
    Range range = new Range(hasContent, id, epoch, from, to);
    return new Delta(source.kind(), settings, source.hashScheme(), range, body);
  }

  /** Returns the body of a delta with these puts and advances of the clock. */
  static byte[] runs(Changes changes) {
    ByteBuffer body =
        ByteBuffer.allocate(8 * (RUN_WORDS * changes.runs() + changes.count()))
            .order(ByteOrder.LITTLE_ENDIAN);
    changes.forEach(
        0,
        (operation, time, at, words, first, end) -> {
          body.putLong(time);
          if (operation == Changes.ADVANCE) {
            body.putLong(words[first] == 0 ? TICK : EMPTYING_TICK);
            return;
          }
          body.putLong(end - first);
          body.asLongBuffer().put(words, first, end - first);
          body.position(body.position() + 8 * (end - first));
        });
    return Arrays.copyOf(body.array(), body.position());
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
    return range.sourceId;
  }

  /** Returns the version of the last removal at the source. */
  public long epoch() {
    return range.epoch;
  }

  /** Returns the version at which the changes begin; 0 if the delta contains the whole content. */
  public long from() {
    return range.from;
  }

  /** Returns the version at which the changes end. */
  public long to() {
    return range.to;
  }

  /** Returns whether the delta contains the whole content rather than the changed hashes. */
  public boolean hasContent() {
    return range.hasContent;
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
     * Receives changes of one time.
     *
     * @param operation {@link Changes#PUT} with some hashes, or {@link Changes#ADVANCE}
     * @param to the version after these changes
     */
    void run(int operation, long time, long[] words, long to) throws IOException;
  }

  /** Passes the changes since a version to a visitor, at most {@code most} hashes at a time. */
  void forEachFrom(long version, int most, Visitor visitor) throws IOException {
    ByteBuffer words = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    long at = range.from;
    while (words.hasRemaining()) {
      long time = words.getLong();
      long count = words.getLong();
      if (count < 0) {
        if (at++ >= version) {
          visitor.run(Changes.ADVANCE, time, new long[] {count == EMPTYING_TICK ? 1 : 0}, at);
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
        visitor.run(Changes.PUT, time, hashes, at - run.remaining());
      }
    }
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  @Override
  public FilterStats stats() {
    return FilterStats.of(this, null, 8L * body.length, 1, null, (double) (range.to - range.from));
  }

  @Override
  public long sizeInBytes() {
    return header().fileBytes();
  }

  /** Returns whether nothing changed. */
  @Override
  public boolean isEmpty() {
    return range.from == range.to && !range.hasContent;
  }

  /** Returns 0, because a delta cannot be queried. */
  @Override
  public double expectedFpp() {
    return 0;
  }

  @Override
  public String explain() {
    return (range.hasContent
            ? "A delta: the whole content of a durable filter of kind %s at version %d"
                .formatted(sourceKind.word(), range.to)
            : "A delta: what changed in a durable filter of kind %s from version %d to %d"
                .formatted(sourceKind.word(), range.from, range.to))
        + ".\n\n"
        + Prose.format("  source             %016x\n", range.sourceId)
        + Prose.format("  changes            %,d\n", range.to - range.from)
        + Prose.format(
            "  last removal       %s\n", range.epoch == 0 ? "none" : "version " + range.epoch)
        + Prose.format("  file               %s\n", Prose.bytes(sizeInBytes()));
  }

  private FilterHeader header() {
    return FilterHeader.of(
        FilterKind.DELTA,
        scheme,
        Origin.NONE,
        List.of(
            range.hasContent ? (long) CONTENT : HASHES,
            range.sourceId,
            range.epoch,
            range.from,
            range.to),
        List.of((long) settings.length, (long) body.length));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter.begin(out, header()).bytes(settings).bytes(body).end();
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
    if (!hasContent && changes(body) != to - from) {
      throw reader.parameterError(
          4, "%d bytes of hashes where there are %d changes".formatted(body.length, to - from));
    }
    FilterKind kind = inner.header().kind();
    Range range = new Range(hasContent, sourceId, epoch, from, to);
    return new Delta(kind, settings, scheme, range, body);
  }

  /** Returns the number of changes in runs, or -1 if they are not valid. */
  private static long changes(byte[] runs) {
    if (runs.length % 8 != 0) {
      return -1;
    }
    ByteBuffer words = ByteBuffer.wrap(runs).order(ByteOrder.LITTLE_ENDIAN);
    long changes = 0;
    while (words.hasRemaining()) {
      if (words.remaining() < 8 * RUN_WORDS) {
        return -1;
      }
      words.getLong();
      long count = words.getLong();
      if (count == TICK || count == EMPTYING_TICK) {
        changes++;
        continue;
      }
      if (count <= 0 || count > words.remaining() / 8) {
        return -1;
      }
      words.position(words.position() + 8 * (int) count);
      changes += count;
    }
    return changes;
  }

  /** Reads a delta from a file of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static Delta readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a delta from the bytes that {@link #toBytes} returned, at most 1 GiB. */
  public static Delta fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Delta delta
        && range.equals(delta.range)
        && Arrays.equals(settings, delta.settings)
        && Arrays.equals(body, delta.body);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(body) + Long.hashCode(range.to);
  }

  @Override
  public String toString() {
    return "Delta[%s, %s, versions %d to %d of %016x]"
        .formatted(
            sourceKind.word(),
            range.hasContent ? "content" : "hashes",
            range.from,
            range.to,
            range.sourceId);
  }
}
