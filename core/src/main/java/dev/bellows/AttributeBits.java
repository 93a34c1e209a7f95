package dev.bellows;

import dev.bellows.RangeSchema.Attribute;
import dev.bellows.plan.RangeScheme;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * From the numbers of one attribute to bits of a filter. Numbers are units of the attribute's
 * domain and lie in it; {@code low <= high} always.
 */
abstract sealed class AttributeBits permits DivisionBits, DyadicBits {
  /** The tag of a text; tags below 64 are levels of numbers and intervals. */
  static final int TEXT = 0xff;

  /** Added to a level: the mark of an interval, not the interval itself. */
  static final int MARK = 0x80;

  final Attribute attribute;

  AttributeBits(Attribute attribute) {
    this.attribute = attribute;
  }

  static AttributeBits of(long bits, Attribute attribute, HashScheme scheme) {
    return attribute.scheme() == RangeScheme.DYADIC
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

  /** Sets the bits of every number from low to high; true iff one changed. */
  abstract boolean put(long[] words, long low, long high);

  /** Whether every number from low to high passes. */
  abstract boolean containsAll(long[] words, long low, long high);

  /** Whether a number from low to high passes. */
  abstract boolean intersects(long[] words, long low, long high);

  final IllegalArgumentException tooManyProbes(String what, int limit, String wayOut) {
    return new IllegalArgumentException(
        "%s of '%s' takes more than the %d probes that one call may make: %s"
            .formatted(what, attribute.name(), limit, wayOut));
  }

  final String range(long low, long high) {
    return "the range " + attribute.domain().text(low) + " to " + attribute.domain().text(high);
  }
}
