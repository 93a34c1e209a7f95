package dev.bellows.range;

import dev.bellows.HashScheme;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.range.ProfilePlan.AttributePlan;
import java.math.BigDecimal;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The agreement between peers that want to compare range filters: the size, the numeric attributes
 * with their domains and their mapping to bits, and the text attributes. A schema names its text
 * attributes, so that a misspelled name is an error and not a certain "no"; or it is open, and
 * every name that is not numeric is a text attribute.
 *
 * @param bits size of a filter in bits; any positive number
 * @param hashes number of positions of a text
 * @param attributes the numeric attributes, in any order; they are sorted by name
 * @param texts the names of the text attributes, in any order
 * @param isOpen whether every other name is a text attribute; {@code texts} is then empty
 */
public record RangeSchema(
    long bits, int hashes, List<Attribute> attributes, List<String> texts, boolean isOpen) {
  /** The maximum number of attributes, more than any realistic profile has. */
  public static final int MAX_ATTRIBUTES = 1 << 12;

  private static final int MAX_NAME_BYTES = 255;

  /** Written instead of the number of texts if the schema is open. */
  private static final int OPEN = -1;

  /** Dyadic intervals, a scheme of early versions; the number is not used again. */
  private static final int REMOVED_SCHEME = 4;

  private static final int FIXED_BYTES = 8 + 4 + 4 + 4;
  private static final int ATTRIBUTE_BYTES = 4 * 1 + 3 * 4 + 3 * 8;

  /** Checks the sizes, and that no two attributes share a name. */
  public RangeSchema {
    Checks.inRange(1, BitStore.MAX_BITS, bits, "bits");
    Checks.inRange(1, Positions.MAX_HASHES, hashes, "hashes");
    Checks.inRange(0, MAX_ATTRIBUTES, attributes.size() + texts.size(), "number of attributes");
    if (isOpen && !texts.isEmpty()) {
      throw new IllegalArgumentException(
          "an open schema accepts text under any name: name no texts, not " + texts);
    }
    Set<String> names = new HashSet<>();
    for (Attribute attribute : attributes) {
      requireNew(names, attribute.name);
    }
    for (String text : texts) {
      checkName(text);
      requireNew(names, text);
    }
    texts = texts.stream().sorted(RangeSchema::compareNames).toList();
    attributes =
        attributes.stream()
            .sorted(Comparator.comparing(Attribute::name, RangeSchema::compareNames))
            .toList();
  }

  private static void requireNew(Set<String> names, String name) {
    if (!names.add(name)) {
      throw new IllegalArgumentException("two attributes are named '" + name + "': rename one");
    }
  }

  /**
   * Returns a schema of numeric attributes without texts. {@link #withTexts} and {@link #open} add
   * texts, which have {@code hashes} positions each.
   */
  public static RangeSchema of(long bits, int hashes, Attribute... attributes) {
    return new RangeSchema(bits, hashes, List.of(attributes), List.of(), false);
  }

  /** Returns this schema with text attributes of these names, and no others. */
  public RangeSchema withTexts(String... names) {
    return new RangeSchema(bits, hashes, attributes, List.of(names), false);
  }

  /** Returns this schema with text under any name that is not numeric. */
  public RangeSchema open() {
    return new RangeSchema(bits, hashes, attributes, List.of(), true);
  }

  /** Throws if the schema has no text attribute of this name. */
  void requireText(String name) {
    checkName(name);
    if (!isOpen && !texts.contains(name)) {
      throw new IllegalArgumentException(
          ("there is no attribute '%s': the schema has numbers under %s and text under %s; an open"
                  + " schema accepts text under any name")
              .formatted(name, attributes.stream().map(Attribute::name).toList(), texts));
    }
  }

  /**
   * Returns the schema that a plan describes. It is open if the plan includes strings.
   *
   * @param plan the shapes of the attributes
   * @param domains the domain of each attribute by its name; a missing domain is {@link
   *     Domain#ofSize open}
   */
  public static RangeSchema of(ProfilePlan plan, Map<String, Domain> domains) {
    List<Attribute> attributes = new ArrayList<>();
    for (AttributePlan planned : plan.attributes()) {
      long size = planned.attribute().domain();
      Domain domain = domains.get(planned.name());
      if (domain == null) {
        domain = Domain.ofSize(size);
      } else if (domain.size() != size) {
        throw new IllegalArgumentException(
            "the domain of '%s' has %d numbers, but was planned with %d: plan with its size"
                .formatted(planned.name(), domain.size(), size));
      }
      attributes.add(
          new Attribute(
              planned.name(),
              domain,
              plan.scheme(),
              planned.hashes(),
              planned.divide(),
              planned.shift()));
    }
    RangeSchema schema =
        new RangeSchema(plan.profile().bits(), plan.hashes(), attributes, List.of(), false);
    return plan.profile().strings() > 0 ? schema.open() : schema;
  }

  /** Returns the canonical bytes of spec/FORMAT.md: equal for equal schemas and only for those. */
  public byte[] toBytes() {
    int size = FIXED_BYTES;
    for (Attribute attribute : attributes) {
      size += ATTRIBUTE_BYTES + utf8(attribute.name()).length;
    }
    for (String text : texts) {
      size += 1 + utf8(text).length;
    }
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(bits).putInt(hashes).putInt(attributes.size());
    out.putInt(isOpen ? OPEN : texts.size());
    for (Attribute attribute : attributes) {
      byte[] name = utf8(attribute.name());
      Domain domain = attribute.domain();
      out.put((byte) attribute.scheme().id());
      out.put((byte) (domain.open() ? 1 : 0));
      out.put((byte) domain.scale());
      out.put((byte) name.length);
      out.putInt(attribute.hashes()).putInt(attribute.shift()).putInt(0);
      out.putLong(attribute.divide()).putLong(domain.low()).putLong(domain.high());
      out.put(name);
    }
    for (String text : texts) {
      byte[] name = utf8(text);
      out.put((byte) name.length).put(name);
    }
    return out.array();
  }

  /** Returns the schema with these canonical bytes; throws for any other bytes. */
  static RangeSchema ofBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    RangeSchema schema;
    try {
      long bits = in.getLong();
      int hashes = in.getInt();
      int count = in.getInt();
      int texts = in.getInt();
      if (texts < OPEN || texts > in.remaining()) {
        throw new IllegalArgumentException(
            "a schema of %d texts in %d bytes".formatted(texts, bytes.length));
      }
      if (count < 0 || count > in.remaining() / ATTRIBUTE_BYTES) {
        throw new IllegalArgumentException(
            "a schema of %d attributes in %d bytes".formatted(count, bytes.length));
      }
      List<Attribute> attributes = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        attributes.add(attribute(in));
      }
      List<String> names = new ArrayList<>();
      for (int i = 0; i < texts; i++) {
        names.add(name(in, Byte.toUnsignedInt(in.get())));
      }
      schema = new RangeSchema(bits, hashes, attributes, names, texts == OPEN);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a truncated schema", e);
    }
    if (!Arrays.equals(schema.toBytes(), bytes)) {
      throw new IllegalArgumentException("a schema whose bytes are not canonical");
    }
    return schema;
  }

  private static Attribute attribute(ByteBuffer in) {
    RangePlan.Scheme scheme = scheme(in.get());
    boolean open = in.get() != 0;
    int scale = in.get();
    int nameLength = Byte.toUnsignedInt(in.get());
    int hashes = in.getInt();
    int shift = in.getInt();
    in.getInt(); // reserved: other bytes than 0 are not canonical
    long divide = in.getLong();
    Domain domain = new Domain(in.getLong(), in.getLong(), scale, open);
    return new Attribute(name(in, nameLength), domain, scheme, hashes, divide, shift);
  }

  private static String name(ByteBuffer in, int length) {
    byte[] name = new byte[length];
    in.get(name);
    return new String(name, StandardCharsets.UTF_8);
  }

  private static RangePlan.Scheme scheme(int id) {
    for (RangePlan.Scheme scheme : RangePlan.Scheme.values()) {
      if (scheme.id() == id) {
        return scheme;
      }
    }
    throw new IllegalArgumentException(
        id == REMOVED_SCHEME
            ? "range scheme 4 (dyadic) was removed: build the filter again with another scheme"
            : "unknown range scheme " + id);
  }

  /** Throws if a name cannot be encoded in UTF-8 or is too long for a file. */
  static void checkName(String name) {
    byte[] bytes = utf8(name);
    if (bytes.length < 1 || bytes.length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "an attribute's name takes 1 to %d bytes of UTF-8, not %d: '%s'"
              .formatted(MAX_NAME_BYTES, bytes.length, name));
    }
    if (!new String(bytes, StandardCharsets.UTF_8).equals(name)) {
      throw new IllegalArgumentException("'" + name + "' contains an unpaired surrogate");
    }
  }

  static int compareNames(String a, String b) {
    byte[] one = utf8(a);
    byte[] other = utf8(b);
    // the page's compiler has no Arrays.compareUnsigned for bytes
    int at = Arrays.mismatch(one, other);
    return at >= 0 && at < Math.min(one.length, other.length)
        ? Integer.compare(Byte.toUnsignedInt(one[at]), Byte.toUnsignedInt(other[at]))
        : Integer.compare(one.length, other.length);
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the XXH3-64 hash of {@link #toBytes} with seed 0, which the header of every file
   * contains.
   */
  public long schemaHash() {
    return HashScheme.DEFAULT.hash(toBytes());
  }

  /**
   * Returns the number of bits that storing both ends of one range per attribute exactly would
   * take.
   */
  public long exactBits() {
    return attributes.stream().mapToLong(a -> RangeRates.exactBits(a.domain.size())).sum();
  }

  /**
   * The numbers that an attribute can take, both ends inclusive, counted in units of its last
   * decimal.
   *
   * @param low the lowest number, in units
   * @param high the highest number, in units
   * @param scale number of decimals: 0 for whole numbers, 2 for cents
   * @param open whether only the size of the domain is known; {@code low} is then 0, any number may
   *     be put, and no range may have more numbers than the domain
   */
  public record Domain(long low, long high, int scale, boolean open) {
    private static final int MAX_SCALE = 18;

    /** Checks the ends. */
    public Domain {
      if (low > high) {
        throw new IllegalArgumentException(
            "a domain from " + low + " to " + high + " is empty: swap its ends");
      }
      if (open && low != 0) {
        throw new IllegalArgumentException("an open domain counts from 0, not from " + low);
      }
      Checks.inRange(0, MAX_SCALE, scale, "scale");
    }

    /** Returns the domain of the whole numbers from low to high. */
    public static Domain of(long low, long high) {
      return new Domain(low, high, 0, false);
    }

    /**
     * Returns the domain of the decimals from low to high with {@code scale} digits after the
     * point.
     */
    public static Domain of(BigDecimal low, BigDecimal high, int scale) {
      Checks.inRange(0, MAX_SCALE, scale, "scale");
      return new Domain(units(low, scale), units(high, scale), scale, false);
    }

    /** Returns an open domain: this many consecutive whole numbers, starting anywhere. */
    public static Domain ofSize(long size) {
      return new Domain(0, Checks.positive(size, "domain") - 1, 0, true);
    }

    /** Returns the size of the domain, at most 2^63 - 1. */
    public long size() {
      long steps = high - low;
      return steps < 0 || steps == Long.MAX_VALUE ? Long.MAX_VALUE : steps + 1;
    }

    /** Returns the number in units of the last decimal; throws if it has more decimals. */
    long units(BigDecimal number) {
      return units(number, scale);
    }

    long units(long number) {
      return scale == 0 ? number : units(BigDecimal.valueOf(number), scale);
    }

    private static long units(BigDecimal number, int scale) {
      // a huge exponent must not create a huge array of digits
      if (number.signum() == 0) {
        return 0;
      }
      BigDecimal stripped = number.stripTrailingZeros();
      if (stripped.scale() > scale) {
        throw new IllegalArgumentException(
            "%s has %d decimals, but the domain has %d: round it first"
                .formatted(stripped, stripped.scale(), scale));
      }
      if ((long) stripped.precision() - stripped.scale() + scale > 19) {
        throw beyondLong(stripped, scale);
      }
      try {
        return stripped.setScale(scale).unscaledValue().longValueExact();
      } catch (ArithmeticException e) {
        throw beyondLong(stripped, scale);
      }
    }

    private static IllegalArgumentException beyondLong(BigDecimal number, int scale) {
      return new IllegalArgumentException(
          "%s with %d decimals does not fit into 64 bits: use a smaller scale"
              .formatted(number, scale));
    }

    /** Returns a number of units in decimal notation. */
    public String text(long units) {
      return BigDecimal.valueOf(units, scale).toPlainString();
    }

    @Override
    public String toString() {
      return open ? size() + " numbers" : "[" + text(low) + ", " + text(high) + "]";
    }
  }

  /**
   * A numeric attribute and the mapping of its numbers to bits.
   *
   * @param name its name
   * @param domain the numbers it can take
   * @param scheme how a range is mapped to bits
   * @param hashes the number of positions of a number
   * @param divide the number of neighboring numbers that share a key; 1 if no two numbers share one
   * @param shift the number of positions in which neighbors differ; equal to hashes if they differ
   *     in all
   */
  public record Attribute(
      String name, Domain domain, RangePlan.Scheme scheme, int hashes, long divide, int shift) {
    /** Checks that the shape suits the scheme. */
    public Attribute {
      checkName(name);
      Checks.inRange(1, Positions.MAX_HASHES, hashes, "hashes of " + name);
      Checks.positive(divide, "divide of " + name);
      Checks.inRange(1, hashes, shift, "shift of " + name);
      if (divide != 1 && !scheme.divides()) {
        throw unsuited(scheme, name, "divide 1", "divide " + divide);
      }
      if (shift != hashes && !scheme.shifts()) {
        throw unsuited(scheme, name, "shift = hashes = " + hashes, "shift " + shift);
      }
    }

    private static IllegalArgumentException unsuited(
        RangePlan.Scheme scheme, String name, String rule, String given) {
      return new IllegalArgumentException(
          "scheme %s has %s, but attribute '%s' has %s"
              .formatted(scheme.word(), rule, name, given));
    }

    /** Returns an attribute of which every number is a separate key. */
    public static Attribute plain(String name, Domain domain, int hashes) {
      return new Attribute(name, domain, RangePlan.Scheme.PLAIN, hashes, 1, hashes);
    }

    /** Returns an attribute of which {@code divide} neighboring numbers share a key. */
    public static Attribute division(String name, Domain domain, int hashes, long divide) {
      return new Attribute(name, domain, RangePlan.Scheme.DIVISION, hashes, divide, hashes);
    }

    /** Returns an attribute of which neighboring numbers differ in {@code shift} positions. */
    public static Attribute overlapping(String name, Domain domain, int hashes, int shift) {
      return new Attribute(name, domain, RangePlan.Scheme.OVERLAPPING, hashes, 1, shift);
    }

    /**
     * Returns an attribute of which {@code divide} neighboring numbers form a division, and
     * neighboring divisions differ in {@code shift} positions.
     */
    public static Attribute divisionOverlapping(
        String name, Domain domain, int hashes, long divide, int shift) {
      return new Attribute(
          name, domain, RangePlan.Scheme.DIVISION_OVERLAPPING, hashes, divide, shift);
    }

    /** Returns the parameters under their names in {@code info --json} and in a saved plan. */
    public Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", name);
      if (domain.open) {
        fields.put("domain", domain.size());
      } else {
        fields.put("low", domain.low);
        fields.put("high", domain.high);
      }
      fields.put("scale", domain.scale);
      fields.put("scheme", scheme.word());
      fields.put("hashes", hashes);
      fields.put("divide", divide);
      fields.put("shift", shift);
      return fields;
    }
  }
}
