package dev.bellows.range;

import dev.bellows.HashScheme;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Maps the numbers of one attribute to bits of a filter. Numbers are units of the attribute's
 * domain; the schemes get only numbers inside it, with {@code low <= high}.
 */
abstract sealed class AttributeBits permits DivisionBits, DyadicBits {
  /** The tag of a text; tags below 64 are levels of numbers and intervals. */
  static final int TEXT = 0xff;

  /** Added to a level for the mark of an interval, to distinguish it from the interval itself. */
  static final int MARK = 0x80;

  final Attribute attribute;

  AttributeBits(Attribute attribute) {
    this.attribute = attribute;
  }

  static AttributeBits of(long bits, Attribute attribute, HashScheme scheme) {
    return attribute.scheme() == RangePlan.Scheme.DYADIC
        ? new DyadicBits(bits, attribute, scheme)
        : new DivisionBits(bits, attribute, scheme);
  }

  /** The part of a key's hash that belongs to the attribute and the tag (spec/HASHING.md). */
  static long key(HashScheme scheme, String name, int tag) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(utf8.length + 5).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(utf8).putInt(utf8.length).put((byte) tag);
    return scheme.hash(bytes.array());
  }

  /** A number in units of the domain. */
  final long units(long number) {
    return attribute.domain().units(number);
  }

  /** A decimal number in units of the domain. */
  final long units(BigDecimal number) {
    return attribute.domain().units(number);
  }

  /** Puts every number from low to high, which must lie in the domain; true iff a bit changed. */
  final boolean putAll(HeapBits store, long low, long high) {
    requireRange(low, high);
    if (outside(low, high)) {
      throw new IllegalArgumentException(
          "%s does not lie in the domain %s of '%s'"
              .formatted(text(low, high), attribute.domain(), Prose.escape(attribute.name())));
    }
    return put(store, low, high);
  }

  /** Whether every number from low to high may have been put. */
  final boolean mightContainAll(HeapBits store, long low, long high) {
    requireRange(low, high);
    return !outside(low, high) && containsAll(store, low, high);
  }

  /** Whether some number from low to high may have been put. */
  final boolean mightContainSome(HeapBits store, long low, long high) {
    requireRange(low, high);
    Domain domain = attribute.domain();
    long from = domain.open() ? low : Math.max(low, domain.low());
    long to = domain.open() ? high : Math.min(high, domain.high());
    return from <= to && intersects(store, from, to);
  }

  private boolean outside(long low, long high) {
    Domain domain = attribute.domain();
    return !domain.open() && (low < domain.low() || high > domain.high());
  }

  /**
   * Refuses an empty range, and one of more numbers than a domain of which only the size is known.
   */
  private void requireRange(long low, long high) {
    Domain domain = attribute.domain();
    if (low > high) {
      throw new IllegalArgumentException(
          "the range from %s to %s is empty: swap its ends"
              .formatted(domain.text(low), domain.text(high)));
    }
    long steps = high - low;
    if (domain.open() && (steps < 0 || steps >= domain.size())) {
      throw new IllegalArgumentException(
          "%s holds more numbers than the %d of the domain of '%s'"
              .formatted(text(low, high), domain.size(), Prose.escape(attribute.name())));
    }
  }

  private String text(long low, long high) {
    return low == high ? attribute.domain().text(low) : range(low, high);
  }

  /** Sets the bits of every number from low to high; true iff one changed. */
  abstract boolean put(HeapBits store, long low, long high);

  /** Whether every number from low to high passes. */
  abstract boolean containsAll(HeapBits store, long low, long high);

  /** Whether a number from low to high passes. */
  abstract boolean intersects(HeapBits store, long low, long high);

  final IllegalArgumentException tooManyProbes(String what, int limit, String wayOut) {
    return new IllegalArgumentException(
        "%s of '%s' takes more than the %d probes that one call may make: %s"
            .formatted(what, Prose.escape(attribute.name()), limit, wayOut));
  }

  final String range(long low, long high) {
    return "the range " + attribute.domain().text(low) + " to " + attribute.domain().text(high);
  }
}
