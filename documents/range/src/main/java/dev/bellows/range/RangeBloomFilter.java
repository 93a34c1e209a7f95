package dev.bellows.range;

import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.Mergeable;
import dev.bellows.StoredFilter;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.range.RangeSchema.Attribute;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A lock-free, thread-safe filter of numeric ranges and texts under named attributes: copies,
 * merges and files contain every put that returned before they began; they, and queries, may see a
 * part of a range that is put concurrently.
 *
 * <p>Two filters with the same schema can be compared without knowing their content: see {@link
 * #isSubsetOf} (Range thesis, Chapter 2). Decimal numbers are exact: 12 and 12.00 are the same
 * number, and a number with more decimals than its domain is rejected.
 *
 * <p>Putting or querying a range takes {@code range / divide * shift} probes; a call that needs
 * more than {@link #MAX_PROBES} throws an {@link IllegalArgumentException}.
 *
 * <p>Every question has a false positive rate of its own, computed from the actual fill: {@link
 * #valueFpp} and {@link #outsideFpp} are the rates of {@code mightContain}, {@link #rangeFpp} that
 * of {@code mightContainRange}, and {@link #intersectionFpp} that of {@code mightIntersect}, which
 * grows with the length of the range.
 */
public final class RangeBloomFilter extends StoredFilter
    implements Mergeable.Intersectable<RangeBloomFilter> {
  private static final long serialVersionUID = 1L;

  /** The format of this kind, which reads its filters from streams, files and byte arrays. */
  public static final FilterFormat<RangeBloomFilter> FORMAT =
      FilterFormat.of(FilterKind.RANGE, RangeBloomFilter.class, RangeBloomFilter::read);

  /** The maximum number of positions that one call visits; this many take about a second. */
  public static final int MAX_PROBES = 1 << 26;

  private final RangeSchema schema;
  private final Shape shape;

  /** Hashes names, numbers and texts, so it has no key type. */
  private final HashScheme scheme;

  private final Positions texts;
  private final HeapBits store;

  /** Created lazily, because a hash scheme without its key cannot create them. */
  private volatile @Nullable Map<String, AttributeBits> numeric;

  private RangeBloomFilter(RangeSchema schema, Shape shape, HeapBits store) {
    this.schema = schema;
    this.shape = shape;
    this.scheme = shape.scheme().withKeyType(HashScheme.KeyType.UNKNOWN);
    this.texts = shape.positions();
    this.store = store;
  }

  /** Returns an empty filter with the default hash scheme. */
  public static RangeBloomFilter create(RangeSchema schema) {
    return create(schema, HashScheme.DEFAULT);
  }

  /** Returns an empty filter. */
  public static RangeBloomFilter create(RangeSchema schema, HashScheme scheme) {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(scheme, "hashScheme");
    return create(schema, scheme, HeapBits.aligned(schema.bits()));
  }

  private static RangeBloomFilter create(RangeSchema schema, HashScheme scheme, HeapBits store) {
    Shape shape = new Shape(new Layout.Classic(schema.hashes()), schema.bits(), scheme);
    return new RangeBloomFilter(schema, shape, store);
  }

  @Override
  public FilterKind kind() {
    return FilterKind.RANGE;
  }

  /** Returns the schema: its attributes and how they become bits. */
  public RangeSchema schema() {
    return schema;
  }

  @Override
  public HashScheme hashScheme() {
    return shape.scheme();
  }

  /** Returns the bits of an attribute of numbers. */
  private AttributeBits numeric(String name) {
    AttributeBits bits = numeric().get(name);
    if (bits == null) {
      throw noNumbers(name);
    }
    return bits;
  }

  private IllegalArgumentException noNumbers(String name) {
    return new IllegalArgumentException(
        "there is no numeric attribute '%s': the schema has %s"
            .formatted(name, schema.attributes().stream().map(Attribute::name).toList()));
  }

  /** Returns the hash of a text under an attribute. */
  private long textHash(String name, CharSequence text) {
    if (numeric().containsKey(name)) {
      throw new IllegalArgumentException(
          "attribute '%s' holds numbers, not the text '%s'".formatted(name, text));
    }
    schema.requireText(name);
    return scheme.hash(text) ^ AttributeBits.key(scheme, name, AttributeBits.TEXT);
  }

  private Map<String, AttributeBits> numeric() {
    Map<String, AttributeBits> made = numeric;
    if (made == null) {
      made = new HashMap<>();
      for (Attribute attribute : schema.attributes()) {
        made.put(attribute.name(), new AttributeBits(schema.bits(), attribute, scheme));
      }
      numeric = made;
    }
    return made;
  }

  /** Puts a text and returns whether a bit changed. */
  public boolean put(String attribute, CharSequence text) {
    return texts.set(store, textHash(attribute, text));
  }

  /** Puts a character, as text of length one, and returns whether a bit changed. */
  public boolean put(String attribute, char text) {
    return put(attribute, String.valueOf(text));
  }

  /** Puts a number and returns whether a bit changed. */
  public boolean put(String attribute, long number) {
    return putRange(attribute, number, number);
  }

  /** Puts a decimal number and returns whether a bit changed. */
  public boolean put(String attribute, BigDecimal number) {
    return putRange(attribute, number, number);
  }

  /** Puts every number from low to high, both inclusive, and returns whether a bit changed. */
  public boolean putRange(String attribute, long low, long high) {
    AttributeBits bits = numeric(attribute);
    return bits.putAll(store, bits.units(low), bits.units(high));
  }

  /**
   * Puts every decimal number from low to high, both inclusive, and returns whether a bit changed.
   */
  public boolean putRange(String attribute, BigDecimal low, BigDecimal high) {
    AttributeBits bits = numeric(attribute);
    return bits.putAll(store, bits.units(low), bits.units(high));
  }

  /** Returns whether the text may have been put. */
  public boolean mightContain(String attribute, CharSequence text) {
    return texts.test(store, textHash(attribute, text));
  }

  /** Returns whether the character, as text of length one, may have been put. */
  public boolean mightContain(String attribute, char text) {
    return mightContain(attribute, String.valueOf(text));
  }

  /** Returns whether the number may have been put. */
  public boolean mightContain(String attribute, long number) {
    return mightContainRange(attribute, number, number);
  }

  /** Returns whether the decimal number may have been put. */
  public boolean mightContain(String attribute, BigDecimal number) {
    return mightContainRange(attribute, number, number);
  }

  /**
   * Returns whether every number from low to high may have been put. If not, one of them was
   * certainly not put.
   */
  public boolean mightContainRange(String attribute, long low, long high) {
    AttributeBits bits = numeric(attribute);
    return bits.mightContainAll(store, bits.units(low), bits.units(high));
  }

  /** Returns whether every decimal number from low to high may have been put. */
  public boolean mightContainRange(String attribute, BigDecimal low, BigDecimal high) {
    AttributeBits bits = numeric(attribute);
    return bits.mightContainAll(store, bits.units(low), bits.units(high));
  }

  /**
   * Returns whether some number from low to high may have been put. If not, certainly none of them
   * was.
   */
  public boolean mightIntersect(String attribute, long low, long high) {
    AttributeBits bits = numeric(attribute);
    return bits.mightContainSome(store, bits.units(low), bits.units(high));
  }

  /** Returns whether some decimal number from low to high may have been put. */
  public boolean mightIntersect(String attribute, BigDecimal low, BigDecimal high) {
    AttributeBits bits = numeric(attribute);
    return bits.mightContainSome(store, bits.units(low), bits.units(high));
  }

  /**
   * Returns whether the other filter has every bit of this one: true whenever everything in this
   * filter is in the other one, under every attribute. It may also be true by chance, more likely
   * if the other filter is full and this one is nearly empty. "No" is certain.
   *
   * @throws IllegalArgumentException if the schemas or hash schemes differ
   */
  public boolean isSubsetOf(RangeBloomFilter other) {
    requireSame(other);
    return store.isSubsetOf(other.store);
  }

  /**
   * Returns the probability that {@link #isSubsetOf} is true by chance, if the filters are
   * unrelated.
   */
  public double subsetFpp(RangeBloomFilter other) {
    requireSame(other);
    return Math.pow(other.fill(), store.ones());
  }

  /** Returns the current rate, because this kind stores no target. */
  @Override
  public double targetFpp() {
    return expectedFpp();
  }

  /**
   * Returns a filter with everything that is in either filter: the OR of the bits.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result
   */
  @Override
  public RangeBloomFilter union(RangeBloomFilter other, double maxFpp) {
    requireSame(other);
    return merge(other, store.union(other.store), maxFpp);
  }

  /**
   * Returns a filter with everything that is in both filters: the AND of the bits. It has more
   * false positives than a filter built from the intersection.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result
   */
  @Override
  public RangeBloomFilter intersection(RangeBloomFilter other, double maxFpp) {
    requireSame(other);
    return merge(other, store.intersection(other.store), maxFpp);
  }

  private RangeBloomFilter merge(RangeBloomFilter other, HeapBits merged, double maxFpp) {
    RangeBloomFilter result =
        new RangeBloomFilter(schema, shape.mergedWith(other.shape, shape.bits()), merged);
    Merging.requireUseful(result.expectedFpp(), maxFpp, "build both with more bits");
    return result;
  }

  @Override
  public Optional<String> incompatibility(RangeBloomFilter other) {
    if (!schema.equals(other.schema)) {
      return Optional.of(
          "schema %016x here and %016x there"
              .formatted(schema.schemaHash(), other.schema.schemaHash()));
    }
    return shape.incompatibility(other.shape);
  }

  private void requireSame(RangeBloomFilter other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(
                  "the range filters were built differently: "
                      + reason
                      + "; build both from one schema");
            });
  }

  /** Returns the share of bits that are one. */
  public double fill() {
    return (double) store.ones() / schema.bits();
  }

  /** Returns the average of {@link #valueFpp} over a text and every numeric attribute. */
  @Override
  public double expectedFpp() {
    double fill = fill();
    double sum = Math.pow(fill, schema.hashes());
    for (Attribute attribute : schema.attributes()) {
      sum += Math.pow(fill, attribute.hashes());
    }
    return sum / (schema.attributes().size() + 1);
  }

  /**
   * Returns the rate at which {@link #mightContain(String, long) mightContain} accepts a text that
   * is not in it, or a number far from all stored ones. Numbers close to stored ones pass more
   * often: see {@link #outsideFpp}.
   */
  public double valueFpp(String attribute) {
    Optional<Attribute> numeric = find(attribute);
    if (numeric.isEmpty()) {
      schema.requireText(attribute);
    }
    return Math.pow(fill(), numeric.map(Attribute::hashes).orElse(schema.hashes()));
  }

  /**
   * Returns the rate at which {@link #mightContain(String, long) mightContain} accepts a number
   * outside one stored range of this length: the mean over all numbers of the domain that are not
   * in the range, including those close to it (Range thesis, Eq. 3-15, clamped; see erratum <a
   * href="{@docRoot}/doc-files/errata.html#R6">R6</a>).
   */
  public double outsideFpp(String attribute, long storedLength) {
    Attribute a = checked(attribute, storedLength);
    return RangeRates.fppAtFill(
        a.hashes(), a.domain().size(), storedLength, a.divide(), a.shift(), fill());
  }

  /**
   * Returns the rate at which {@link #mightContainRange(String, long, long) mightContainRange}
   * accepts a range of this length, all of it far from the stored numbers: the mean over all
   * starts.
   */
  public double rangeFpp(String attribute, long length) {
    Attribute a = checked(attribute, length);
    return RangeRates.everyFppAtFill(a.hashes(), length, a.divide(), a.shift(), fill());
  }

  /**
   * Returns the rate at which {@link #mightIntersect(String, long, long) mightIntersect} accepts a
   * range of this length, all of it far from the stored numbers: the probability that at least one
   * of its divisions passes, exact for independent positions and averaged over all starts. A range
   * that shares a division with a stored number always passes, and one within {@code ceil(hashes /
   * shift)} divisions of it passes more often than this.
   */
  public double intersectionFpp(String attribute, long length) {
    Attribute a = checked(attribute, length);
    return RangeRates.someFppAtFill(a.hashes(), length, a.divide(), a.shift(), fill());
  }

  /** Returns a numeric attribute whose domain has ranges of this length. */
  private Attribute checked(String name, long length) {
    Attribute attribute = find(name).orElseThrow(() -> noNumbers(name));
    Checks.inRange(1, attribute.domain().size(), length, "length of " + name);
    return attribute;
  }

  private Optional<Attribute> find(String name) {
    return schema.attributes().stream().filter(a -> a.name().equals(name)).findFirst();
  }

  @Override
  public RangeBloomFilter copy() {
    return new RangeBloomFilter(schema, shape, store.copy());
  }

  /** Removes everything. */
  public void clear() {
    store.clear();
  }

  @Override
  public FilterStats stats() {
    return FilterStats.of(this, shape.layout(), schema.bits(), schema.hashes(), store.ones(), null);
  }

  @Override
  public long sizeInBytes() {
    return header(schema.toBytes()).fileBytes();
  }

  @Override
  public boolean isEmpty() {
    return store.ones() == 0;
  }

  @Override
  public String explain() {
    FilterStats stats = stats();
    StringBuilder page = new StringBuilder();
    page.append("A Bloom filter of numeric ranges and texts.\n\n");
    page.append(
        Prose.format(
            """
              size         %,d bits (%s in a file, schema included)
              hash scheme  %s
              schema       %016x
              ones         %,d of %,d (%.2f %%)
            """,
            stats.bits(),
            Prose.bytes(sizeInBytes()),
            stats.hashScheme(),
            schema.schemaHash(),
            Math.round(fill() * stats.bits()),
            stats.bits(),
            100 * fill()));
    page.append(
        "\nThese pass although they are not in it, if they are far from what is: a value, and");
    page.append("\na search for any number of a range as long as a tenth of the domain.\n\n");
    page.append(
        Prose.format(
            "  %-16s %-24s %-12s %7s %8s %6s  %-26s  %s\n",
            "attribute",
            "domain",
            "scheme",
            "hashes",
            "divide",
            "shift",
            "value",
            "some of a tenth"));
    for (Attribute attribute : schema.attributes()) {
      long tenth = Math.max(1, attribute.domain().size() / 10);
      page.append(
          Prose.format(
              "  %-16s %-24s %-12s %7d %8d %6d  %-26s  %s\n",
              Prose.escape(attribute.name()),
              attribute.domain(),
              attribute.scheme().word(),
              attribute.hashes(),
              attribute.divide(),
              attribute.shift(),
              Prose.rate(valueFpp(attribute.name())),
              Prose.rate(intersectionFpp(attribute.name(), tenth))));
    }
    for (String text : schema.isOpen() ? List.of("(text)") : schema.texts()) {
      page.append(textRow(text));
    }
    page.append(limits());
    return page.toString();
  }

  private String textRow(String name) {
    return Prose.format(
        "  %-16s %-24s %-12s %7d %8s %6s  %s\n",
        Prose.escape(name),
        schema.isOpen() ? "any other name" : "text",
        "-",
        schema.hashes(),
        "-",
        "-",
        Prose.rate(Math.pow(fill(), schema.hashes())));
  }

  private String limits() {
    StringBuilder text = new StringBuilder("\n");
    if (schema.attributes().stream().anyMatch(a -> a.divide() > 1)) {
      text.append("A number that shares its division with one that is in it always passes.\n");
    }
    if (!schema.attributes().isEmpty()) {
      text.append("A query for a range takes (range / divide) * shift probes.\n");
    }
    long exact = schema.exactBits();
    if (exact > 0 && exact < schema.bits()) {
      text.append(
          Prose.format(
              "Storing both ends of one range per numeric attribute exactly takes %,d bits, less"
                  + " than these %,d:\n"
                  + "do that unless peers must compare filters without knowing their values.\n",
              exact, schema.bits()));
    }
    return text.toString();
  }

  /**
   * Returns the bits without a header, 8 per byte, lowest first. They suffice for peers that know
   * the schema and the hash scheme.
   */
  public byte[] toBareBytes() {
    int length = bareBytes(store.bits());
    PackedLongs.Writer out = new PackedLongs.Writer();
    out.putWords(store);
    return Arrays.copyOf(out.toBytes(), length);
  }

  /** Returns the filter with the bits that {@link #toBareBytes} returned. */
  public static RangeBloomFilter ofBareBytes(RangeSchema schema, HashScheme scheme, byte[] bytes) {
    if (bytes.length != bareBytes(schema.bits())) {
      throw new IllegalArgumentException(
          "%d bytes, but a filter of %d bits has %d"
              .formatted(bytes.length, schema.bits(), bareBytes(schema.bits())));
    }
    byte[] words = Arrays.copyOf(bytes, (int) (Long.BYTES * BitStore.words(schema.bits())));
    return create(schema, scheme, new PackedLongs.Reader(words).bits(schema.bits()));
  }

  private static int bareBytes(long bits) {
    return (int) Checks.inRange(1, Integer.MAX_VALUE - 8, (bits + 7) / 8, "bytes");
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    byte[] schemaBytes = schema.toBytes();
    FilterWriter.begin(out, header(schemaBytes)).bytes(schemaBytes).bits(store).end();
  }

  private FilterHeader header(byte[] schemaBytes) {
    return ShapeCodec.header(
        FilterKind.RANGE,
        shape,
        List.of(schema.schemaHash()),
        List.of((long) schemaBytes.length, 8 * store.wordCount()));
  }

  /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static RangeBloomFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static RangeBloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static RangeBloomFilter read(FilterReader reader) throws IOException {
    Shape shape = reader.classicShape(1, 2);
    long schemaHash =
        reader.parameter(ShapeCodec.PARAMETERS, "schema", Long.MIN_VALUE, Long.MAX_VALUE);
    byte[] schemaBytes = reader.bytes();
    RangeSchema schema =
        reader.checked(ShapeCodec.PARAMETERS, () -> agreed(schemaBytes, schemaHash, shape));
    return new RangeBloomFilter(schema, shape, reader.bits(schema.bits()));
  }

  /** Returns the schema of a file; throws unless it matches the header. */
  private static RangeSchema agreed(byte[] bytes, long hash, Shape shape) {
    RangeSchema schema = RangeSchema.ofBytes(bytes);
    if (schema.schemaHash() != hash) {
      throw new IllegalArgumentException(
          "schema %016x, but the header has %016x".formatted(schema.schemaHash(), hash));
    }
    if (schema.bits() != shape.bits() || schema.hashes() != shape.hashes()) {
      throw new IllegalArgumentException(
          "a schema of %d bits and %d hashes in a filter of %s"
              .formatted(schema.bits(), schema.hashes(), shape));
    }
    return schema;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RangeBloomFilter filter
        && schema.equals(filter.schema)
        && shape.equals(filter.shape)
        && store.equals(filter.store);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + store.hashCode();
  }

  @Override
  public String toString() {
    return "RangeBloomFilter[" + shape + ", " + schema.attributes().size() + " numeric attributes]";
  }
}
