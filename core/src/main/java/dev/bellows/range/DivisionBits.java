package dev.bellows.range;

import dev.bellows.HashScheme;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.range.RangeSchema.Attribute;

/**
 * The bits of PLAIN, DIVISION, OVERLAPPING and DIVISION_OVERLAPPING, which are one scheme (003
 * section 3.3; index sets as errata <a href="{@docRoot}/doc-files/errata.html#R4">R4</a>).
 *
 * <p>Every division e is a row of {@code shift} positions. A number has the rows of its division
 * and of the next ones, until these are {@code hashes} positions; it may have only a part of the
 * last row. So a range of divisions has consecutive whole rows, and perhaps a part of one more:
 * {@code (divisions - 1) shift + hashes} positions. Rows beyond the domain are allowed; after the
 * largest long they continue with the smallest one.
 */
final class DivisionBits extends AttributeBits {
  private final long divide;
  private final int shift;
  private final int wholeRows;
  private final int partOfRow;
  private final Positions row;
  private final Positions part;
  private final HashScheme scheme;
  private final long key;

  DivisionBits(long bits, Attribute attribute, HashScheme scheme) {
    super(attribute);
    this.divide = attribute.divide();
    this.shift = attribute.shift();
    this.wholeRows = attribute.hashes() / shift;
    this.partOfRow = attribute.hashes() % shift;
    this.row = Positions.classic(bits, shift);
    this.part = Positions.classic(bits, Math.max(1, partOfRow));
    this.scheme = scheme;
    this.key = key(scheme, attribute.name(), 0);
  }

  @Override
  boolean put(HeapBits store, long low, long high) {
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

  @Override
  boolean containsAll(HeapBits store, long low, long high) {
    long first = Math.floorDiv(low, divide);
    long rows = rows(low, high);
    for (long i = 0; i < rows; i++) {
      if (!row.test(store, hash(first + i))) {
        return false;
      }
    }
    return partOfRow == 0 || part.test(store, hash(first + rows));
  }

  @Override
  boolean intersects(HeapBits store, long low, long high) {
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

  /** The whole rows that belong to a range; refuses a range that would take too long. */
  private long rows(long low, long high) {
    long steps = Math.floorDiv(high, divide) - Math.floorDiv(low, divide);
    if (steps < 0 || steps > (RangeBloomFilter.MAX_PROBES - attribute.hashes()) / shift) {
      throw tooManyProbes(
          range(low, high),
          RangeBloomFilter.MAX_PROBES,
          "raise divide above " + divide + ", split the range or use DYADIC");
    }
    return steps + wholeRows;
  }
}
