package dev.bellows.internal.files;

import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.bits.MappedBits;
import dev.bellows.internal.bits.MappedFile;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.files.HeaderFields.Field;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads one filter from untrusted input. The header is checked before anything else; a section's
 * memory grows with the bytes that actually arrive; a section is returned only after its checksums
 * matched, unless it is mapped and checks them itself. It reads exactly the bytes of one filter
 * from the stream.
 */
public final class FilterReader {
  private static final int BUFFER_BYTES = 1 << 16;

  private final SectionReader in;
  private final ReadOptions options;
  private final FilterHeader header;
  private final HeaderFields offsets;
  private final @Nullable MappedFile file;
  private final long mostBits;
  private long nestedBytes;
  private int section;
  private boolean isMapped;

  private FilterReader(
      InputStream in,
      ReadOptions options,
      Opening opening,
      @Nullable MappedFile file,
      long mostBits) {
    this.in = new SectionReader(in, opening);
    this.options = options;
    this.header = opening.header();
    this.offsets = opening.offsets();
    this.file = file;
    this.mostBits = mostBits;
  }

  /**
   * Checks a header whose sections are stored elsewhere; they may be as large as those of a mapped
   * file.
   */
  public static FilterReader ofHeader(byte[] header, ReadOptions options)
      throws FilterFormatException {
    InputStream in = new ByteArrayInputStream(header);
    return ofArray(
        () -> {
          FilterReader reader =
              new FilterReader(in, options, Opening.read(in), null, MappedBits.MAX_BITS);
          if (in.read() >= 0) {
            throw new FilterFormatException(header.length, "bytes follow the header");
          }
          return reader;
        });
  }

  /** Builds a filter from its checked header and its sections. */
  @FunctionalInterface
  public interface Body<F> {
    /** Reads every section. */
    F read(FilterReader reader) throws IOException;
  }

  /** Reads one filter and leaves the stream at the byte after it. */
  public static <F> F readFrom(InputStream in, ReadOptions options, Body<F> body)
      throws IOException {
    Objects.requireNonNull(in, "in");
    return body.read(open(in, Objects.requireNonNull(options, "options")));
  }

  /** Reads the filter of a file, which must contain nothing else. */
  public static <F> F readFrom(Path path, ReadOptions options, Body<F> body) throws IOException {
    InputStream file = PathInput.open(Objects.requireNonNull(path, "path"));
    try (InputStream in = new BufferedInputStream(file, BUFFER_BYTES)) {
      return readFrom(in, options, reader -> reader.whole(body));
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  /** Reads a filter from bytes, which must contain nothing else. */
  public static <F> F fromBytes(byte[] bytes, ReadOptions options, Body<F> body)
      throws FilterFormatException {
    InputStream in = new ByteArrayInputStream(Objects.requireNonNull(bytes, "bytes"));
    return ofArray(() -> readFrom(in, options, reader -> reader.whole(body)));
  }

  /** A step that reads from a file or a stream. */
  @FunctionalInterface
  public interface Reading<T> {
    /** Reads and returns the result. */
    T read() throws IOException;
  }

  /** Returns the result of reading from an array, which fails only if the bytes are wrong. */
  public static <T> T ofArray(Reading<T> reading) throws FilterFormatException {
    try {
      return reading.read();
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new AssertionError("an array cannot fail", e);
    }
  }

  /**
   * Maps the filter of a regular file if its kind can be mapped; otherwise reads it. The limit of
   * the options is ignored.
   */
  public static <F> F map(Path path, ReadOptions options, Body<F> body) throws IOException {
    Objects.requireNonNull(options, "options");
    MappedFile file = MappedFile.open(Objects.requireNonNull(path, "path"));
    boolean isMapped = false;
    try {
      FilterReader reader = open(file, options);
      F filter = reader.whole(body);
      isMapped = reader.isMapped;
      return filter;
    } catch (FilterFormatException e) {
      throw e.in(path);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (!isMapped) {
        file.close();
      }
    }
  }

  /** Returns the filter; throws if anything follows it. */
  private <F> F whole(Body<F> body) throws IOException {
    F filter = body.read(this);
    in.requireEnd();
    return filter;
  }

  /** Reads and checks the header. */
  public static FilterReader open(InputStream in, ReadOptions options) throws IOException {
    FilterReader reader = new FilterReader(in, options, Opening.read(in), null, BitStore.MAX_BITS);
    long body = reader.header.bodyBytes();
    if (body > options.maxBytes()) {
      throw new FilterFormatException(
          reader.offsets.number(reader.header.parameters().size()),
          ("its body takes %d bytes, more than the limit of %d: read it with ReadOptions with a"
                  + " higher limit")
              .formatted(body, options.maxBytes()));
    }
    return reader;
  }

  /**
   * Reads and checks the header of a file, whose bits are mapped if it is of kind bloom or frozen.
   * The limit of the options is ignored, because mapped bits are not on the heap.
   */
  private static FilterReader open(MappedFile file, ReadOptions options) throws IOException {
    InputStream in = file.input(0);
    Opening opening = Opening.read(in);
    FilterKind kind = opening.header().kind();
    boolean canMap = kind == FilterKind.BLOOM || kind == FilterKind.FROZEN;
    return canMap
        ? new FilterReader(in, options, opening, file, MappedBits.MAX_BITS)
        : new FilterReader(in, options, opening, null, BitStore.MAX_BITS);
  }

  /** Returns the header. */
  public FilterHeader header() {
    return header;
  }

  /** Throws if the filter has another kind, or has an id although its kind has none. */
  public FilterReader expect(FilterKind kind, boolean mayHaveId) throws FilterFormatException {
    if (header.kind() != kind) {
      throw new FilterFormatException(
          offsets.of(Field.KIND),
          "a filter of kind " + header.kind().word() + " where " + kind.word() + " was expected");
    }
    if (header.filterId() != 0 && !mayHaveId) {
      throw new FilterFormatException(
          offsets.of(Field.FILTER_ID), "a filter of kind " + kind.word() + " has no id");
    }
    if (header.filterId() == 0 && header.state() != 0) {
      throw new FilterFormatException(
          offsets.of(Field.STATE), "a filter without an id has no state");
    }
    return this;
  }

  /** Throws if the header has a state although the kind stores it in the nested filter. */
  public void requireNoState() throws FilterFormatException {
    if (header.state() != 0) {
      throw new FilterFormatException(
          offsets.of(Field.STATE),
          "a filter of kind " + header.kind().word() + " has no state of its own");
    }
  }

  /**
   * Returns the hash scheme of the keys: the given one, which must match that of the filter, or the
   * one that the header names.
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
      throw FilterFormatException.otherScheme(
          offsets.of(Field.SCHEME),
          "its keys were hashed with " + named + ", not with the given " + given);
    }
    return (given == null ? named : given).withKeyType(KeyType.ofId(header.keyType()));
  }

  /** Returns the exception for a kind that cannot be read. */
  public FilterFormatException kindError(String what) {
    return new FilterFormatException(offsets.of(Field.KIND), what);
  }

  /** Returns the exception for a hash scheme that is unknown or not the caller's. */
  public FilterFormatException schemeError(@Nullable String what) {
    return new FilterFormatException(offsets.of(Field.SCHEME), what);
  }

  /**
   * Returns the shape that the first parameters describe.
   *
   * @param ownParameters the number of further parameters of the kind
   * @param sections the number of sections of the kind
   */
  public Shape shape(int ownParameters, int sections) throws FilterFormatException {
    expect(ShapeCodec.PARAMETERS + ownParameters, sections);
    HashScheme scheme = scheme();
    int number = (int) parameter(0, "layout", ShapeCodec.CLASSIC, ShapeCodec.BLOCKED);
    long bits = parameter(1, "bits", 1, mostBits);
    int hashes = (int) parameter(2, "hashes", 1, Positions.MAX_HASHES);
    int words = (int) parameter(3, "words of the pattern", 0, Pattern.BLOCK_WORDS);
    Layout layout = checked(3, () -> ShapeCodec.layout(number, hashes, words));
    return checked(1, () -> new Shape(layout, bits, scheme));
  }

  /** Returns the shape of a filter with one section whose keys have distinct positions anywhere. */
  public Shape distinctShape(int ownParameters) throws FilterFormatException {
    Shape shape = classicShape(ownParameters, 1);
    return checked(2, () -> Shape.distinct(shape.bits(), shape.hashes(), shape.scheme()));
  }

  /** Returns the shape of a kind that has layout CLASSIC only. */
  public Shape classicShape(int ownParameters, int sections) throws FilterFormatException {
    parameter(0, "layout", ShapeCodec.CLASSIC, ShapeCodec.CLASSIC);
    return shape(ownParameters, sections);
  }

  /**
   * Returns the origin of the bits according to the header, which does not distinguish an owner
   * from a folding.
   */
  public Origin origin() {
    return Origin.folding(header.filterId(), header.state());
  }

  /** Returns parameter {@code index}; throws unless it is in {@code [low, high]}. */
  public long parameter(int index, String name, long low, long high) throws FilterFormatException {
    if (index >= header.parameters().size()) {
      throw new FilterFormatException(
          offsets.of(Field.PARAMETER_COUNT), "parameter '" + name + "' is missing");
    }
    long value = header.parameters().get(index);
    if (value < low || value > high) {
      throw parameterError(index, name + " " + value + " is not in [" + low + ", " + high + "]");
    }
    return value;
  }

  /** Returns parameter {@code index} as a finite double. */
  public double real(int index) throws FilterFormatException {
    double value = Double.longBitsToDouble(header.parameters().get(index));
    if (!Double.isFinite(value)) {
      throw parameterError(index, "a parameter is " + value);
    }
    return value;
  }

  /** Returns the exception for an impossible value of parameter {@code index}. */
  public FilterFormatException parameterError(int index, @Nullable String what) {
    return new FilterFormatException(offsets.number(index), what);
  }

  /**
   * Returns the result of the supplier for parameter {@code index}; if it throws, the file is
   * rejected.
   */
  public <T> T checked(int index, Supplier<T> supplier) throws FilterFormatException {
    try {
      return supplier.get();
    } catch (IllegalArgumentException e) {
      throw parameterError(index, e.getMessage());
    }
  }

  /** Throws, naming parameter {@code index}, if a filter of this many bytes exceeds the limit. */
  public void requireWithinLimit(int index, long bytes) throws FilterFormatException {
    checked(
        index,
        () -> {
          limit().accept(bytes);
          return bytes;
        });
  }

  /**
   * Returns a function that throws if a filter would take more memory than the limit. It is called
   * inside {@link #checked} before memory is allocated, because some kinds take far more memory
   * than their files have bytes.
   */
  public LongConsumer limit() {
    return bytes -> {
      if (bytes > options.maxBytes()) {
        throw new IllegalArgumentException(
            ("it would take %d bytes of memory, more than the limit of %d: read it with ReadOptions"
                    + " with a higher limit")
                .formatted(bytes, options.maxBytes()));
      }
    };
  }

  /**
   * Returns the number of bits; throws, naming parameter {@code index}, if a store cannot hold that
   * many.
   */
  public long requireBits(int index, long bits) throws FilterFormatException {
    if (bits < 1 || bits > mostBits) {
      throw parameterError(index, "%d bits, but at most %d fit".formatted(bits, mostBits));
    }
    return bits;
  }

  /** Throws if the counts in the header differ from those of its kind. */
  public void expect(int parameters, int sections) throws FilterFormatException {
    if (header.parameters().size() != parameters) {
      throw new FilterFormatException(
          offsets.of(Field.PARAMETER_COUNT),
          header.parameters().size() + " parameters, but the kind has " + parameters);
    }
    if (header.sectionBytes().size() != sections) {
      throw new FilterFormatException(
          offsets.of(Field.SECTION_COUNT),
          header.sectionBytes().size() + " sections, but the kind has " + sections);
    }
  }

  /** Returns the next section as a store of this many bits, which is mapped if the file is. */
  public BitStore store(long bits) throws IOException {
    if (file == null) {
      return bits(bits);
    }
    long payload = nextSection(8 * BitStore.words(bits));
    MappedBits store = in.mapped(file, payload, bits);
    isMapped = true;
    return cleared(store, BitStore::requireClearTail);
  }

  /** Returns the next section as a store of this many bits. */
  public HeapBits bits(long bits) throws IOException {
    return bits(List.of(bits)).get(0);
  }

  /** Returns the next section as stores with these numbers of bits, each in whole words. */
  public List<HeapBits> bits(List<Long> sizes) throws IOException {
    long words = 0;
    for (long size : sizes) {
      words += BitStore.words(size);
    }
    in.begin(nextSection(8 * words));
    List<HeapBits> stores = new ArrayList<>();
    for (long size : sizes) {
      int first = HeapBits.first(size);
      stores.add(HeapBits.over(size, in.words(first, BitStore.words(size)), first));
    }
    in.end();
    return cleared(stores, all -> all.forEach(BitStore::requireClearTail));
  }

  /** Returns the next section as counters; their width is parameter {@code widthIndex}. */
  public CounterStore counters(long size, int widthIndex, boolean widens) throws IOException {
    int width = (int) parameter(widthIndex, "counter bits", 4, 32);
    int count = checked(widthIndex, () -> CounterStore.wordCount(size, width));
    in.begin(nextSection(8L * count));
    CounterStore counters = new CounterStore(size, width, widens, in.words(0, count));
    in.end();
    return cleared(counters, CounterStore::requireClearTail);
  }

  /** Returns content that a check accepts; otherwise the file is rejected. */
  private <T> T cleared(T content, Consumer<T> check) throws FilterFormatException {
    return checked(
        1,
        () -> {
          check.accept(content);
          return content;
        });
  }

  /** Returns the next section as bytes. */
  public byte[] bytes() throws IOException {
    return in.bytes(nextSection(header.sectionBytes().get(section)));
  }

  /** Returns the next section as bytes; null if the input ends before all of it was read. */
  public byte @Nullable [] bytesUnlessCut() throws IOException {
    return in.bytesUnlessCut(nextSection(header.sectionBytes().get(section)));
  }

  /**
   * Reads the nested filter that follows the last section. It must have one of the given kinds, so
   * that nesting ends, and all parts together must be within the limit.
   */
  public <F> F nested(Body<F> body, FilterKind... kinds) throws IOException {
    try {
      long left = options.maxBytes() - header.bodyBytes() - nestedBytes;
      FilterReader inner = open(in.input(), options.withMaxBytes(Math.max(1, left)));
      if (!List.of(kinds).contains(inner.header.kind())) {
        throw new FilterFormatException(
            inner.offsets.of(Field.KIND),
            "a filter of kind "
                + inner.header.kind().word()
                + " inside one of kind "
                + header.kind().word());
      }
      nestedBytes += inner.header.bodyBytes();
      F filter = body.read(inner);
      in.passed(inner.in.offset());
      return filter;
    } catch (FilterFormatException e) {
      throw e.shifted(in.offset());
    }
  }

  private long nextSection(long expected) throws FilterFormatException {
    long payload = header.sectionBytes().get(section);
    if (payload != expected) {
      throw new FilterFormatException(
          offsets.number(header.parameters().size() + section),
          "a section of " + payload + " bytes, but the parameters need " + expected);
    }
    section++;
    return payload;
  }
}
