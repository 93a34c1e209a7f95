package dev.bellows;

import dev.bellows.RangeSchema.Attribute;
import dev.bellows.RangeSchema.Domain;
import dev.bellows.internal.BitLayout;
import dev.bellows.internal.Checks;
import dev.bellows.internal.Words;
import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import dev.bellows.plan.Layout;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A filter of numeric ranges and texts under named attributes, lock-free and safe from any thread
 * as {@link BloomFilter} is; a range being put beside a question may be seen in part.
 *
 * <p>Two filters of the same schema can be compared without knowing what they hold: {@link
 * #isSubsetOf} (003 chapter 2). Numbers of an attribute with decimals are exact: 12 and 12.00 are
 * the same, and a number with more decimals than the domain has is refused.
 *
 * <p>Putting a range, or asking about one, takes {@code range / divide * shift} probes in the four
 * schemes of the document; more than {@link #MAX_PROBES} are refused. With DYADIC a range that was
 * put as a whole takes O(log range), whatever its length.
 */
public final class RangeBloomFilter implements Filter {
  /** The most positions that one call visits: about a second. */
  public static final int MAX_PROBES = 1 << 26;

  private final RangeSchema schema;
  private final FilterShape shape;
  private final BitLayout texts;
  private final long[] words;
  private volatile @Nullable Map<String, AttributeBits> attributes;

  private RangeBloomFilter(RangeSchema schema, HashScheme scheme, long[] words) {
    this(schema, new FilterShape(Layout.CLASSIC, schema.bits(), schema.hashes(), scheme), words);
  }

  private RangeBloomFilter(RangeSchema schema, FilterShape shape, long[] words) {
    this.schema = schema;
    this.shape = shape;
    this.texts = shape.positions();
    this.words = words;
  }

  /** An empty filter with the default hash scheme. */
  public static RangeBloomFilter create(RangeSchema schema) {
    return create(schema, HashScheme.DEFAULT);
  }

  /** An empty filter. */
  public static RangeBloomFilter create(RangeSchema schema, HashScheme scheme) {
    return new RangeBloomFilter(schema, scheme, new long[wordCount(schema)]);
  }

  private static int wordCount(RangeSchema schema) {
    return BitLayout.of(Layout.CLASSIC, schema.bits(), schema.hashes()).wordCount();
  }

  /** What it can hold, and how. */
  public RangeSchema schema() {
    return schema;
  }

  /** How keys become hashes. */
  public HashScheme hashScheme() {
    return shape.scheme();
  }

  /** Puts a text; true iff a bit changed. */
  public boolean put(String attribute, CharSequence text) {
    return texts.set(words, textHash(attribute, text));
  }

  /** Puts a number; true iff a bit changed. */
  public boolean put(String attribute, long number) {
    return putRange(attribute, number, number);
  }

  /** Puts a decimal number; true iff a bit changed. */
  public boolean put(String attribute, BigDecimal number) {
    return putRange(attribute, number, number);
  }

  /** Puts every number from low to high, both included; true iff a bit changed. */
  public boolean putRange(String attribute, long low, long high) {
    AttributeBits bits = numeric(attribute);
    Domain domain = bits.attribute.domain();
    return bits.putAll(words, domain.units(low), domain.units(high));
  }

  /** Puts every decimal number from low to high, both included; true iff a bit changed. */
  public boolean putRange(String attribute, BigDecimal low, BigDecimal high) {
    AttributeBits bits = numeric(attribute);
    Domain domain = bits.attribute.domain();
    return bits.putAll(words, domain.units(low), domain.units(high));
  }

  /** Whether the text may have been put. */
  public boolean mightContain(String attribute, CharSequence text) {
    return texts.test(words, textHash(attribute, text));
  }

  /** Whether the number may have been put. */
  public boolean mightContain(String attribute, long number) {
    return mightContainRange(attribute, number, number);
  }

  /** Whether the decimal number may have been put. */
  public boolean mightContain(String attribute, BigDecimal number) {
    return mightContainRange(attribute, number, number);
  }

  /** Whether every number from low to high may have been put; "no": one of them surely was not. */
  public boolean mightContainRange(String attribute, long low, long high) {
    AttributeBits bits = numeric(attribute);
    Domain domain = bits.attribute.domain();
    return bits.mightContainAll(words, domain.units(low), domain.units(high));
  }

  /** Whether every decimal number from low to high may have been put. */
  public boolean mightContainRange(String attribute, BigDecimal low, BigDecimal high) {
    AttributeBits bits = numeric(attribute);
    Domain domain = bits.attribute.domain();
    return bits.mightContainAll(words, domain.units(low), domain.units(high));
  }

  /** Whether some number from low to high may have been put; "no": surely none of them. */
  public boolean mightIntersect(String attribute, long low, long high) {
    AttributeBits bits = numeric(attribute);
    Domain domain = bits.attribute.domain();
    return bits.mightContainSome(words, domain.units(low), domain.units(high));
  }

  /** Whether some decimal number from low to high may have been put. */
  public boolean mightIntersect(String attribute, BigDecimal low, BigDecimal high) {
    AttributeBits bits = numeric(attribute);
    Domain domain = bits.attribute.domain();
    return bits.mightContainSome(words, domain.units(low), domain.units(high));
  }

  private long textHash(String attribute, CharSequence text) {
    if (attributes().containsKey(attribute)) {
      throw new IllegalArgumentException(
          "attribute '%s' holds numbers, not the text '%s'".formatted(attribute, text));
    }
    RangeSchemaCodec.checkName(attribute);
    HashScheme scheme = hashScheme();
    return scheme.hash(text) ^ AttributeBits.key(scheme, attribute, AttributeBits.TEXT);
  }

  private AttributeBits numeric(String attribute) {
    AttributeBits bits = attributes().get(attribute);
    if (bits == null) {
      throw new IllegalArgumentException(
          "no numeric attribute is called '%s': the schema has %s"
              .formatted(attribute, schema.attributes().stream().map(Attribute::name).toList()));
    }
    return bits;
  }

  /** The attributes by name, once a question needs them: a sealed hash scheme has none. */
  private Map<String, AttributeBits> attributes() {
    Map<String, AttributeBits> made = attributes;
    if (made == null) {
      made = new HashMap<>();
      for (Attribute attribute : schema.attributes()) {
        made.put(attribute.name(), AttributeBits.of(schema.bits(), attribute, hashScheme()));
      }
      attributes = made;
    }
    return made;
  }

  /**
   * Whether the other filter has every bit of this one: true whenever everything in this filter is
   * in the other one, under every attribute. Also true by chance, the more likely the fuller the
   * other filter and the emptier this one. "No" is certain.
   *
   * @throws IllegalArgumentException if the schemas or hash schemes differ, or an attribute is
   *     DYADIC, where a part of a range has other bits than the range
   */
  public boolean isSubsetOf(RangeBloomFilter other) {
    requireSame(other);
    requireComparable("be compared bit by bit");
    return Words.isSubset(words, other.words);
  }

  /** The chance that {@link #isSubsetOf} holds although the two have nothing to do with another. */
  public double subsetFpp(RangeBloomFilter other) {
    requireSame(other);
    requireComparable("be compared bit by bit");
    return Math.pow(other.fill(), Words.ones(words));
  }

  /** A filter of everything in either: the OR of the arrays. */
  public RangeBloomFilter union(RangeBloomFilter other) {
    requireSame(other);
    return merge(other, Words::union);
  }

  /**
   * A filter of everything in both, and more: the AND of the arrays. Refused if an attribute is
   * DYADIC, because the AND of two covers loses numbers that are in both.
   */
  public RangeBloomFilter intersection(RangeBloomFilter other) {
    requireSame(other);
    requireComparable("be intersected");
    return merge(other, Words::intersection);
  }

  private RangeBloomFilter merge(RangeBloomFilter other, BinaryOperator<long[]> merger) {
    return new RangeBloomFilter(schema, shape, merger.apply(words, other.words));
  }

  /** Why the two filters cannot be merged or compared, or nothing if they can. */
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
                  "range filters of different making: " + reason + "; build both from one schema");
            });
  }

  private void requireComparable(String what) {
    for (Attribute attribute : schema.attributes()) {
      if (!attribute.scheme().comparable()) {
        throw new IllegalArgumentException(
            "filters with attribute '%s' of scheme %s cannot %s: ask with mightContain, or take another scheme"
                .formatted(attribute.name(), attribute.scheme().word(), what));
      }
    }
  }

  /** The share of bits that are one. */
  public double fill() {
    return (double) Words.ones(words) / schema.bits();
  }

  /** The mean of the rates of a text and of every numeric attribute, from the real fill. */
  public double expectedFpp() {
    double fill = fill();
    double sum = Math.pow(fill, schema.hashes());
    for (Attribute attribute : schema.attributes()) {
      sum += attribute.farFpp(fill);
    }
    return sum / (schema.attributes().size() + 1);
  }

  /**
   * The rate at which an attribute's values pass that were not put, from the real fill. Of a
   * numeric attribute: numbers far from all that were put; those close by pass more often.
   */
  public double expectedFpp(String attribute) {
    for (Attribute numeric : schema.attributes()) {
      if (numeric.name().equals(attribute)) {
        return numeric.farFpp(fill());
      }
    }
    return Math.pow(fill(), schema.hashes());
  }

  /**
   * The mean rate of all numbers outside of one range of so many numbers, those close by included,
   * from the real fill (003 Eq 3-15, clamped: errata R6).
   */
  public double expectedFpp(String attribute, long range) {
    return numeric(attribute).attribute.fpp(range, fill());
  }

  /** An independent filter with the same bits. */
  public RangeBloomFilter copy() {
    return new RangeBloomFilter(schema, shape, words.clone());
  }

  /** Removes everything. */
  public void clear() {
    Arrays.fill(words, 0);
  }

  @Override
  public FilterStats stats() {
    return shape.stats(
        FilterKind.RANGE,
        Words.ones(words),
        texts.keys(words),
        expectedFpp(),
        header(schema.toBytes()).fileBytes());
  }

  @Override
  public String explain() {
    return RangeExplanation.of(this);
  }

  /**
   * The bits alone, 8 to a byte, lowest first: all that peers who know the schema and the hash
   * scheme have to send.
   */
  public byte[] toBareBytes() {
    ByteBuffer out = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    out.asLongBuffer().put(words);
    return Arrays.copyOf(out.array(), bareBytes(schema));
  }

  /** The filter of {@link #toBareBytes}. */
  public static RangeBloomFilter ofBareBytes(RangeSchema schema, HashScheme scheme, byte[] bytes) {
    if (bytes.length != bareBytes(schema)) {
      throw new IllegalArgumentException(
          "%d bytes where a filter of %d bits has %d"
              .formatted(bytes.length, schema.bits(), bareBytes(schema)));
    }
    RangeBloomFilter filter = create(schema, scheme);
    ByteBuffer.wrap(Arrays.copyOf(bytes, 8 * filter.words.length))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(filter.words);
    filter.texts.requireClearTail(filter.words);
    return filter;
  }

  private static int bareBytes(RangeSchema schema) {
    return (int) Checks.inRange(1, Integer.MAX_VALUE - 8, (schema.bits() + 7) / 8, "bytes");
  }

  private FilterHeader header(byte[] schemaBytes) {
    return shape.header(
        FilterKind.RANGE,
        Origin.anonymous(),
        List.of(schema.schemaHash()),
        List.of((long) schemaBytes.length, 8L * words.length));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    byte[] schemaBytes = schema.toBytes();
    FilterWriter writer = FilterWriter.begin(out, header(schemaBytes));
    writer.bytes(schemaBytes);
    writer.words(words);
    writer.end();
  }

  /** Reads a filter, to the end of the stream. */
  public static RangeBloomFilter readFrom(InputStream in, ReadLimits limits) throws IOException {
    return readFrom(in, limits, null);
  }

  /** Reads a filter built with a keyed scheme; a wrong key is refused. */
  public static RangeBloomFilter readFrom(
      InputStream in, ReadLimits limits, @Nullable HashScheme scheme) throws IOException {
    return read(FilterReader.open(in, limits).expect(FilterKind.RANGE), scheme);
  }

  /** Reads a filter from a file. */
  public static RangeBloomFilter readFrom(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return readFrom(in, ReadLimits.NONE);
    }
  }

  /** Reads a filter from the bytes of {@link #toBytes}. */
  public static RangeBloomFilter fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE);
  }

  static RangeBloomFilter read(FilterReader reader, @Nullable HashScheme given) throws IOException {
    FilterShape shape = FilterShape.read(reader, given, 1, 2);
    long schemaHash =
        reader.parameter(FilterShape.PARAMETERS, "schema", Long.MIN_VALUE, Long.MAX_VALUE);
    byte[] schemaBytes = reader.bytes();
    RangeSchema schema =
        reader.checked(FilterShape.PARAMETERS, () -> agreed(schemaBytes, schemaHash, shape));
    long[] words = reader.words(wordCount(schema));
    reader.end();
    return new RangeBloomFilter(schema, shape, shape.requireClearTail(reader, words));
  }

  /** The schema of a file, if it is the one that the header speaks of. */
  private static RangeSchema agreed(byte[] bytes, long hash, FilterShape shape) {
    RangeSchema schema = RangeSchemaCodec.decode(bytes);
    if (schema.schemaHash() != hash) {
      throw new IllegalArgumentException(
          "schema %016x where the header says %016x".formatted(schema.schemaHash(), hash));
    }
    if (shape.layout() != Layout.CLASSIC
        || schema.bits() != shape.bits()
        || schema.hashes() != shape.hashes()) {
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
        && Arrays.equals(words, filter.words);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return "RangeBloomFilter[" + shape + ", " + schema.attributes().size() + " numeric attributes]";
  }
}
