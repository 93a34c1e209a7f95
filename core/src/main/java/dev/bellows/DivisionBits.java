package dev.bellows;

import dev.bellows.RangeSchema.Attribute;
import dev.bellows.internal.BitLayout;
import dev.bellows.plan.Layout;

/**
 * The bits of PLAIN, DIVISION, OVERLAPPING and DIVISION_OVERLAPPING, which are one scheme (003
 * section 3.3; index sets as errata R4).
 *
 * <p>Every division e is a row of {@code shift} positions. A number owns the rows of its division
 * and of the next ones, until they are {@code hashes} positions; of the last row it may own a part
 * only. So a range of divisions owns whole rows, one after the other, and perhaps a part of one
 * more: {@code (divisions - 1) shift + hashes} positions. Rows behind the domain are legitimate;
 * behind the last long they go on from the first one.
 */
final class DivisionBits extends AttributeBits {
  private final long divide;
  private final int shift;
  private final int wholeRows;
  private final int partOfRow;
  private final BitLayout row;
  private final BitLayout part;
  private final HashScheme scheme;
  private final long key;

  DivisionBits(long bits, Attribute attribute, HashScheme scheme) {
    super(attribute);
    this.divide = attribute.divide();
    this.shift = attribute.shift();
    this.wholeRows = attribute.hashes() / shift;
    this.partOfRow = attribute.hashes() % shift;
    this.row = BitLayout.of(Layout.CLASSIC, bits, shift);
    this.part = BitLayout.of(Layout.CLASSIC, bits, Math.max(1, partOfRow));
    this.scheme = scheme;
    this.key = key(scheme, attribute.name(), 0);
  }

  @Override
  boolean put(long[] words, long low, long high) {
    long first = Math.floorDiv(low, divide);
    long rows = rows(low, high);
    boolean changed = false;
    for (long i = 0; i < rows; i++) {
      changed |= row.set(words, hash(first + i));
    }
    if (partOfRow > 0) {
      changed |= part.set(words, hash(first + rows));
    }
    return changed;
  }

  @Override
  boolean containsAll(long[] words, long low, long high) {
    long first = Math.floorDiv(low, divide);
    long rows = rows(low, high);
    for (long i = 0; i < rows; i++) {
      if (!row.test(words, hash(first + i))) {
        return false;
      }
    }
    return partOfRow == 0 || part.test(words, hash(first + rows));
  }

  @Override
  boolean intersects(long[] words, long low, long high) {
    long first = Math.floorDiv(low, divide);
    long rows = rows(low, high);
    long run = 0;
    for (long i = 0; i < rows; i++) {
      long hash = hash(first + i);
      if (partOfRow > 0 && run >= wholeRows && part.test(words, hash)) {
        return true;
      }
      run = row.test(words, hash) ? run + 1 : 0;
      if (partOfRow == 0 && run >= wholeRows) {
        return true;
      }
    }
    return partOfRow > 0 && run >= wholeRows && part.test(words, hash(first + rows));
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
          "raise divide above " + divide + ", split the range or take DYADIC");
    }
    return steps + wholeRows;
  }
}
