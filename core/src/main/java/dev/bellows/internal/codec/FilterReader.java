package dev.bellows.internal.codec;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.rates.Cells;
import dev.bellows.internal.store.BitStore;
import dev.bellows.internal.store.CounterStore;
import dev.bellows.internal.store.HeapBits;
import dev.bellows.internal.store.Origin;
import dev.bellows.internal.store.Positions;
import dev.bellows.internal.store.Shape;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads one filter from untrusted input. The header is checked before anything else; a section's
 * memory grows with the bytes that really arrive; a section is returned only after its checksum
 * matched. It reads the bytes of one filter from the stream and no more.
 */
public final class FilterReader {
  private static final int CHUNK_BYTES = 1 << 16;

  private final InputStream in;
  private final ReadOptions options;
  private final FilterHeader header;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private long offset;
  private long nestedBytes;
  private int section;

  private FilterReader(InputStream in, ReadOptions options, FilterHeader header, long offset) {
    this.in = in;
    this.options = options;
    this.header = header;
    this.offset = offset;
  }

  /**
   * Reads and checks the header; for a stream that stands for an opened reader, returns that
   * reader.
   */
  public static FilterReader open(InputStream in, ReadOptions options) throws IOException {
    if (in instanceof Opened opened) {
      return opened.reader();
    }
    byte[] fixed = in.readNBytes(FilterHeader.FIXED_BYTES);
    FilterHeader.requireMagic(fixed);
    if (fixed.length < FilterHeader.FIXED_BYTES) {
      throw new FilterFormatException(fixed.length, "it ends inside the header");
    }
    int length = FilterHeader.claimedLength(fixed);
    byte[] whole = Arrays.copyOf(fixed, length);
    int read = in.readNBytes(whole, fixed.length, length - fixed.length);
    if (read < length - fixed.length) {
      throw new FilterFormatException(fixed.length + read, "it ends inside the header");
    }
    FilterHeader header = FilterHeader.decode(whole);
    long body = bodyBytes(header);
    if (body > options.maxBytes()) {
      throw new FilterFormatException(
          FilterHeader.parameterOffset(header.parameters().size()),
          "its body takes %d bytes where the limit is %d: read it with ReadOptions of a higher limit"
              .formatted(body, options.maxBytes()));
    }
    return new FilterReader(in, options, header, length);
  }

  private static long bodyBytes(FilterHeader header) {
    return header.sectionBytes().stream().mapToLong(Long::longValue).sum();
  }

  /** This reader as a stream whose header was read, for the reading method of a kind. */
  public InputStream asInput() {
    return new Opened(this);
  }

  /** A stream that stands for an opened reader. */
  private static final class Opened extends InputStream {
    private final FilterReader reader;

    Opened(FilterReader reader) {
      this.reader = reader;
    }

    FilterReader reader() {
      return reader;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("an opened filter is read by its kind");
    }

    @Override
    public int read(byte[] into, int at, int length) {
      throw new UnsupportedOperationException("an opened filter is read by its kind");
    }
  }

  /** The header. */
  public FilterHeader header() {
    return header;
  }

  /** Refuses a filter of another kind, and an id where the kind has none. */
  FilterReader expect(FilterKind kind) throws FilterFormatException {
    if (header.kind() != kind) {
      throw new FilterFormatException(
          FilterHeader.KIND_OFFSET,
          "a filter of kind " + header.kind().word() + " where " + kind.word() + " was asked for");
    }
    boolean mayHaveId = kind.can(FilterKind.Ability.IDENTIFY);
    if (header.filterId() != 0 && !mayHaveId) {
      throw new FilterFormatException(
          FilterHeader.FILTER_ID_OFFSET, "a filter of kind " + kind.word() + " has no id");
    }
    if (header.filterId() == 0 && header.state() != 0) {
      throw new FilterFormatException(
          FilterHeader.STATE_OFFSET, "a filter without an id has no state");
    }
    return this;
  }

  /** Refuses a state in the header of a kind that stores it in the filter inside. */
  public void requireNoState() throws FilterFormatException {
    if (header.state() != 0) {
      throw new FilterFormatException(
          FilterHeader.STATE_OFFSET,
          "a filter of kind " + header.kind().word() + " has no state of its own");
    }
  }

  /**
   * The scheme with which its keys were hashed: the given one, if it is the scheme of the filter.
   */
  public HashScheme scheme() throws FilterFormatException {
    HashScheme named;
    try {
      named = HashScheme.named(header.hashScheme(), header.hashIdentity());
    } catch (IllegalArgumentException e) {
      throw schemeError(e.getMessage());
    }
    HashScheme given = options.hashScheme();
    if (given != null && !given.equals(named)) {
      throw schemeError("its keys were hashed with " + named + ", not with the given " + given);
    }
    return given == null ? named : given;
  }

  /** The exception for a hash scheme that is unknown or not the caller's. */
  public FilterFormatException schemeError(@Nullable String what) {
    return new FilterFormatException(FilterHeader.SCHEME_OFFSET, what);
  }

  /**
   * The shape that the first parameters describe; the kind has further parameters, and sections.
   */
  public Shape shape(int ownParameters, int sections) throws FilterFormatException {
    expect(ShapeCodec.PARAMETERS + ownParameters, sections);
    HashScheme scheme = scheme();
    Layout layout = ShapeCodec.layout((int) parameter(0, "layout", 0, 1));
    long bits = parameter(1, "bits", 1, BitStore.MAX_BITS);
    int hashes = (int) parameter(2, "hashes", 1, Positions.MAX_HASHES);
    boolean classic = layout == Layout.CLASSIC;
    int words = (int) parameter(3, "words of the pattern", classic ? 0 : 1, classic ? 0 : 8);
    Cells cells = checked(3, () -> ShapeCodec.cells(layout, hashes, words));
    return checked(1, () -> new Shape(cells, bits, scheme));
  }

  /** The shape of a filter of one section whose keys take distinct positions anywhere. */
  public Shape distinctShape(int ownParameters) throws FilterFormatException {
    Shape shape = classicShape(ownParameters, 1);
    return checked(2, () -> Shape.distinct(shape.bits(), shape.hashes(), shape.scheme()));
  }

  /** The shape of a kind that has layout CLASSIC only. */
  public Shape classicShape(int ownParameters, int sections) throws FilterFormatException {
    parameter(0, "layout", ShapeCodec.id(Layout.CLASSIC), ShapeCodec.id(Layout.CLASSIC));
    return shape(ownParameters, sections);
  }

  /**
   * The origin of the bits: the owner itself if the state is the hash of their content, otherwise a
   * folding.
   */
  public Origin origin(long contentHash) {
    return header.state() == contentHash
        ? Origin.owner(header.filterId())
        : Origin.folding(header.filterId(), header.state());
  }

  /** Parameter {@code index}, if it lies in {@code [low, high]}. */
  public long parameter(int index, String name, long low, long high) throws FilterFormatException {
    if (index >= header.parameters().size()) {
      throw new FilterFormatException(
          FilterHeader.PARAMETER_COUNT_OFFSET, "parameter '" + name + "' is missing");
    }
    long value = header.parameters().get(index);
    if (value < low || value > high) {
      throw parameterError(
          index, name + " " + value + " does not lie in [" + low + ", " + high + "]");
    }
    return value;
  }

  /** Parameter {@code index} as a finite double. */
  public double real(int index) throws FilterFormatException {
    double value = Double.longBitsToDouble(header.parameters().get(index));
    if (!Double.isFinite(value)) {
      throw parameterError(index, "a parameter is " + value);
    }
    return value;
  }

  /** The exception for an impossible value of parameter {@code index}. */
  public FilterFormatException parameterError(int index, @Nullable String what) {
    return new FilterFormatException(FilterHeader.parameterOffset(index), what);
  }

  /**
   * The result of the supplier for parameter {@code index}; if it refuses the value, the file is
   * refused.
   */
  public <T> T checked(int index, Supplier<T> supplier) throws FilterFormatException {
    try {
      return supplier.get();
    } catch (IllegalArgumentException e) {
      throw parameterError(index, e.getMessage());
    }
  }

  /** Refuses a header whose counts differ from those of its kind. */
  public void expect(int parameters, int sections) throws FilterFormatException {
    if (header.parameters().size() != parameters) {
      throw new FilterFormatException(
          FilterHeader.PARAMETER_COUNT_OFFSET,
          header.parameters().size() + " parameters where the kind has " + parameters);
    }
    if (header.sectionBytes().size() != sections) {
      throw new FilterFormatException(
          FilterHeader.SECTION_COUNT_OFFSET,
          header.sectionBytes().size() + " sections where the kind has " + sections);
    }
  }

  /** The next section as a store of this many bits. */
  public HeapBits bits(long bits) throws IOException {
    return bits(List.of(bits)).get(0);
  }

  /** The next section as stores of this many bits each, in whole words one after the other. */
  public List<HeapBits> bits(List<Long> sizes) throws IOException {
    long words = 0;
    for (long size : sizes) {
      words += BitStore.words(size);
    }
    long payload = nextSection(8 * words);
    CRC32C crc = new CRC32C();
    List<HeapBits> stores = new ArrayList<>();
    for (long size : sizes) {
      int first = HeapBits.first(size);
      stores.add(HeapBits.over(size, words(first, BitStore.words(size), crc), first));
    }
    endSection(payload, crc);
    return checked(
        1,
        () -> {
          stores.forEach(BitStore::requireClearTail);
          return stores;
        });
  }

  /** The next section as counters; their width is parameter {@code widthIndex}. */
  public CounterStore counters(long size, int widthIndex, boolean widens) throws IOException {
    int width = (int) parameter(widthIndex, "counter bits", 4, 32);
    int count = checked(widthIndex, () -> CounterStore.wordCount(size, width));
    long payload = nextSection(8L * count);
    CRC32C crc = new CRC32C();
    long[] words = words(0, count, crc);
    endSection(payload, crc);
    return checked(
        1,
        () -> {
          CounterStore counters = new CounterStore(size, width, widens, words);
          counters.requireClearTail();
          return counters;
        });
  }

  /**
   * The next words of a section, after some words of 0. Memory for bytes that the stream reports as
   * available is allocated at once; otherwise it doubles as they arrive.
   */
  private long[] words(int zeros, long count, CRC32C crc) throws IOException {
    LongBuffer piece = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    long first = Math.max(piece.capacity(), in.available() / 8);
    long[] words = new long[(int) (zeros + Math.min(count, first))];
    for (long done = 0; done < count; ) {
      int length = (int) Math.min(piece.capacity(), count - done);
      readChunk(8 * length, crc);
      int at = (int) (zeros + done);
      done += length;
      if (words.length < at + length) {
        words = Arrays.copyOf(words, (int) (zeros + Math.min(count, Math.max(done, 2L * at))));
      }
      piece.get(0, words, at, length);
    }
    return words;
  }

  /** The next section as bytes. */
  public byte[] bytes() throws IOException {
    long payload = nextSection(header.sectionBytes().get(section));
    if (payload > Integer.MAX_VALUE - 8) {
      throw new FilterFormatException(offset, "a byte section of " + payload + " bytes");
    }
    CRC32C crc = new CRC32C();
    byte[] bytes = in.readNBytes((int) payload);
    if (bytes.length < payload) {
      throw new FilterFormatException(offset + bytes.length, "it ends inside a section");
    }
    offset += payload;
    crc.update(bytes, 0, bytes.length);
    endSection(payload, crc);
    return bytes;
  }

  /**
   * Reads the filter that follows the last section, which is a part of this one: of one of the
   * given kinds, so that nesting has an end, and all parts together within the limit.
   */
  public <F> F nested(Part<F> part, FilterKind... kinds) throws IOException {
    Counted counted = new Counted(in);
    try {
      long left = options.maxBytes() - bodyBytes(header) - nestedBytes;
      FilterReader inner = open(counted, options.withMaxBytes(Math.max(1, left)));
      if (!List.of(kinds).contains(inner.header.kind())) {
        throw new FilterFormatException(
            FilterHeader.KIND_OFFSET,
            "a filter of kind "
                + inner.header.kind().word()
                + " inside one of kind "
                + header.kind().word());
      }
      nestedBytes += bodyBytes(inner.header);
      return part.readFrom(inner.asInput(), options);
    } catch (FilterFormatException e) {
      throw e.shifted(offset);
    } finally {
      offset += counted.count;
    }
  }

  /** The reading method of a filter. */
  @FunctionalInterface
  public interface Part<F> {
    /** Reads it from the stream. */
    F readFrom(InputStream in, ReadOptions options) throws IOException;
  }

  /** Counts the bytes that are read. */
  private static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      int read = super.read(into, at, length);
      count += Math.max(0, read);
      return read;
    }
  }

  /** Refuses bytes after the last section. */
  void requireEnd() throws IOException {
    if (in.read() >= 0) {
      throw new FilterFormatException(offset, "bytes follow its end");
    }
  }

  private long nextSection(long expected) throws FilterFormatException {
    long payload = header.sectionBytes().get(section);
    if (payload != expected) {
      throw new FilterFormatException(
          FilterHeader.parameterOffset(header.parameters().size() + section),
          "a section of " + payload + " bytes where the parameters need " + expected);
    }
    section++;
    return payload;
  }

  private void endSection(long payload, CRC32C crc) throws IOException {
    int padding = (int) (FilterHeader.paddedSection(payload) - payload - 4);
    readChunk(padding, crc);
    for (int i = 0; i < padding; i++) {
      if (chunk[i] != 0) {
        throw new FilterFormatException(offset - padding + i, "a padding byte is not 0");
      }
    }
    int computed = (int) crc.getValue();
    readChunk(4, crc);
    if (ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).getInt(0) != computed) {
      throw new FilterFormatException(offset - 4, "a section's checksum does not match");
    }
  }

  private void readChunk(int length, CRC32C crc) throws IOException {
    int read = in.readNBytes(chunk, 0, length);
    if (read < length) {
      throw new FilterFormatException(offset + read, "it ends inside a section");
    }
    crc.update(chunk, 0, length);
    offset += length;
  }
}
