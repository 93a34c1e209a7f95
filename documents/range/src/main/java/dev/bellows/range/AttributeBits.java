package dev.bellows.range;

import dev.bellows.HashScheme;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The mapping from the numbers of one attribute to bits of a filter, given in units of the
 * attribute's domain. PLAIN, DIVISION, OVERLAPPING and DIVISION_OVERLAPPING are one mapping with
 * different parameters (Range thesis, Section 3.3; for the index sets see erratum <a
 * href="{@docRoot}/doc-files/errata.html#R4">R4</a>).
 *
 * <p>Every division e has a row of {@code shift} positions. A number has the row of its division
 * and as many of the following rows as make up {@code hashes} positions; the last row may be used
 * only in part. A range of divisions therefore has consecutive whole rows, and possibly a part of
 * one more: {@code (divisions - 1) shift + hashes} positions. Rows beyond the domain are allowed;
 * after the largest long they continue with the smallest one.
 */
final class AttributeBits {
  /** The tag of a text; numbers have tag 0. */
  static final int TEXT = 0xff;

  final Attribute attribute;
  private final long divide;
  private final int shift;
  private final int wholeRows;
  private final int partOfRow;
  private final Positions row;
  private final Positions part;
  private final HashScheme scheme;
  private final long key;

  AttributeBits(long bits, Attribute attribute, HashScheme scheme) {
    this.attribute = attribute;
    this.divide = attribute.divide();
    this.shift = attribute.shift();
    this.wholeRows = attribute.hashes() / shift;
    this.partOfRow = attribute.hashes() % shift;
    this.row = Positions.classic(bits, shift);
    this.part = Positions.classic(bits, Math.max(1, partOfRow));
    this.scheme = scheme;
    this.key = key(scheme, attribute.name(), 0);
  }

  /**
   * Returns the part of a key's hash that belongs to the attribute and the tag (spec/HASHING.md).
   */
  static long key(HashScheme scheme, String name, int tag) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(utf8.length + 5).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(utf8).putInt(utf8.length).put((byte) tag);
    return scheme.hash(bytes.array());
  }

  /** Returns a number in units of the domain. */
  long units(long number) {
    return attribute.domain().units(number);
  }

  /** Returns a decimal number in units of the domain. */
  long units(BigDecimal number) {
    return attribute.domain().units(number);
  }

  /**
   * Puts every number from low to high, which must be in the domain, and returns whether a bit
   * changed.
   */
  boolean putAll(HeapBits store, long low, long high) {
    requireRange(low, high);
    if (outside(low, high)) {
      throw new IllegalArgumentException(
          "%s is not in the domain %s of '%s'"
              .formatted(text(low, high), attribute.domain(), Prose.escape(attribute.name())));
    }
    return put(store, low, high);
  }

  /** Returns whether every number from low to high may have been put. */
  boolean mightContainAll(HeapBits store, long low, long high) {
    requireRange(low, high);
    return !outside(low, high) && containsAll(store, low, high);
  }

  /** Returns whether some number from low to high may have been put. */
  boolean mightContainSome(HeapBits store, long low, long high) {
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
   * Throws if a range is empty, or has more numbers than a domain of which only the size is known.
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
          "%s has more numbers than the %d of the domain of '%s'"
              .formatted(text(low, high), domain.size(), Prose.escape(attribute.name())));
    }
  }

  private String text(long low, long high) {
    Domain domain = attribute.domain();
    return low == high
        ? domain.text(low)
        : "the range " + domain.text(low) + " to " + domain.text(high);
  }

  /** Sets the bits of every number from low to high and returns whether a bit changed. */
  private boolean put(HeapBits store, long low, long high) {
    long first = Math.floorDiv(low, divide);
    long rows = rows(low, high);
    boolean changed = false;
    for (long i = 0; i < rows; i++) {
      changed |= row.set(store, hash(first + i));
    }
    if (partOfRow > 0) {
      changed |= part.set(store, hash(first + rows));
    }
    return changed;
  }

  /** Returns whether every number from low to high passes. */
  private boolean containsAll(HeapBits store, long low, long high) {
    long first = Math.floorDiv(low, divide);
    long rows = rows(low, high);
    for (long i = 0; i < rows; i++) {
      if (!row.test(store, hash(first + i))) {
        return false;
      }
    }
    return partOfRow == 0 || part.test(store, hash(first + rows));
  }

  /** Returns whether a number from low to high passes. */
  private boolean intersects(HeapBits store, long low, long high) {
    long first = Math.floorDiv(low, divide);
    long rows = rows(low, high);
    long run = 0;
    for (long i = 0; i < rows; i++) {
      long hash = hash(first + i);
      if (partOfRow > 0 && run >= wholeRows && part.test(store, hash)) {
        return true;
      }
      run = row.test(store, hash) ? run + 1 : 0;
      if (partOfRow == 0 && run >= wholeRows) {
        return true;
      }
    }
    return partOfRow > 0 && run >= wholeRows && part.test(store, hash(first + rows));
  }

  private long hash(long division) {
    return scheme.hash(division) ^ key;
  }

  /** Returns the number of whole rows of a range; throws if it would take too long. */
  private long rows(long low, long high) {
    long steps = Math.floorDiv(high, divide) - Math.floorDiv(low, divide);
    if (steps < 0 || steps > (RangeBloomFilter.MAX_PROBES - attribute.hashes()) / shift) {
      throw new IllegalArgumentException(
          "%s of '%s' needs more than the maximum of %d probes per call: raise divide above %d, or split the range"
              .formatted(
                  text(low, high),
                  Prose.escape(attribute.name()),
                  RangeBloomFilter.MAX_PROBES,
                  divide));
    }
    return steps + wholeRows;
  }
}
