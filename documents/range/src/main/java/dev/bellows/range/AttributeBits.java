package dev.bellows.range;

import dev.bellows.HashScheme;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.range.DyadicRates;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The mapping from the numbers of one attribute to bits of a filter. Numbers are given in units of
 * the attribute's domain. The abstract methods, which the schemes implement, are only called with
 * numbers inside the domain and {@code low <= high}.
 */
abstract sealed class AttributeBits {
  /** The tag of a text. Tags below 64 are the levels of numbers and intervals. */
  static final int TEXT = 0xff;

  /** Added to a level for the mark of an interval, to distinguish it from the interval itself. */
  static final int MARK = 0x80;

  final Attribute attribute;

  AttributeBits(Attribute attribute) {
    this.attribute = attribute;
  }

  static AttributeBits of(long bits, Attribute attribute, HashScheme scheme) {
    return attribute.scheme() == RangePlan.Scheme.DYADIC
        ? new Dyadic(bits, attribute, scheme)
        : new Division(bits, attribute, scheme);
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
  final long units(long number) {
    return attribute.domain().units(number);
  }

  /** Returns a decimal number in units of the domain. */
  final long units(BigDecimal number) {
    return attribute.domain().units(number);
  }

  /**
   * Puts every number from low to high, which must be in the domain, and returns whether a bit
   * changed.
   */
  final boolean putAll(HeapBits store, long low, long high) {
    requireRange(low, high);
    if (outside(low, high)) {
      throw new IllegalArgumentException(
          "%s is not in the domain %s of '%s'"
              .formatted(text(low, high), attribute.domain(), Prose.escape(attribute.name())));
    }
    return put(store, low, high);
  }

  /** Returns whether every number from low to high may have been put. */
  final boolean mightContainAll(HeapBits store, long low, long high) {
    requireRange(low, high);
    return !outside(low, high) && containsAll(store, low, high);
  }

  /** Returns whether some number from low to high may have been put. */
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
    return low == high ? attribute.domain().text(low) : range(low, high);
  }

  /** Sets the bits of every number from low to high and returns whether a bit changed. */
  abstract boolean put(HeapBits store, long low, long high);

  /** Returns whether every number from low to high passes. */
  abstract boolean containsAll(HeapBits store, long low, long high);

  /** Returns whether a number from low to high passes. */
  abstract boolean intersects(HeapBits store, long low, long high);

  final IllegalArgumentException tooManyProbes(String what, int limit, String wayOut) {
    return new IllegalArgumentException(
        "%s of '%s' needs more than the maximum of %d probes per call: %s"
            .formatted(what, Prose.escape(attribute.name()), limit, wayOut));
  }

  final String range(long low, long high) {
    return "the range " + attribute.domain().text(low) + " to " + attribute.domain().text(high);
  }

  /** Returns the levels whose intervals fit into a domain: floor(log2(size)) + 1, 64 at most. */
  static int levels(Domain domain) {
    long steps = domain.high() - domain.low();
    return Long.SIZE - (steps == -1 ? 0 : Long.numberOfLeadingZeros(steps + 1));
  }

  /**
   * The mapping of PLAIN, DIVISION, OVERLAPPING and DIVISION_OVERLAPPING, which are one scheme with
   * different parameters (Range thesis, Section 3.3; for the index sets see erratum <a
   * href="{@docRoot}/doc-files/errata.html#R4">R4</a>).
   *
   * <p>Every division e has a row of {@code shift} positions. A number has the row of its division
   * and as many of the following rows as make up {@code hashes} positions; the last row may be used
   * only in part. A range of divisions therefore has consecutive whole rows, and possibly a part of
   * one more: {@code (divisions - 1) shift + hashes} positions. Rows beyond the domain are allowed;
   * after the largest long they continue with the smallest one.
   */
  private static final class Division extends AttributeBits {
    private final long divide;
    private final int shift;
    private final int wholeRows;
    private final int partOfRow;
    private final Positions row;
    private final Positions part;
    private final HashScheme scheme;
    private final long key;

    Division(long bits, Attribute attribute, HashScheme scheme) {
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

    /** Returns the number of whole rows of a range; throws if it would take too long. */
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

  /**
   * The mapping of DYADIC. An interval of level l contains the 2^l numbers with the same {@code
   * floor((number - domain.low) / 2^l)}; each interval is a key. A range is put as the fewest
   * intervals that cover it, and a number is found if one of the intervals around it is.
   *
   * <p>A stored range strictly inside the queried one contains neither of its ends, so every
   * interval inside would have to be tested to find it. Marks avoid that: each larger interval that
   * contains the whole stored range gets a mark, and a search follows the marks from the top level
   * down to the range.
   */
  private static final class Dyadic extends AttributeBits {
    /** Far more than the 63^2 probes along one path of marks per interval of a cover. */
    private static final int MAX_MARKED = 1 << 20;

    private final int top;
    private final boolean open;
    private final long origin;
    private final Positions interval;
    private final Positions mark;

    /** The cost of testing an interval; one with up to 31 positions costs 1. */
    private final long weight;

    private final HashScheme scheme;
    private final long[] intervalKeys;
    private final long[] markKeys;

    Dyadic(long bits, Attribute attribute, HashScheme scheme) {
      super(attribute);
      this.open = attribute.domain().open();
      this.origin = attribute.domain().low();
      this.top = levels(attribute.domain()) - 1;
      this.interval = Positions.classic(bits, attribute.hashes());
      this.mark = Positions.classic(bits, Math.max(1, attribute.marks()));
      this.weight = Math.max(1, attribute.hashes() / 16);
      this.scheme = scheme;
      this.intervalKeys = new long[top + 1];
      this.markKeys = new long[top + 1];
      for (int level = 0; level <= top; level++) {
        intervalKeys[level] = key(scheme, attribute.name(), level);
        markKeys[level] = attribute.marks() == 0 ? 0 : key(scheme, attribute.name(), MARK + level);
      }
    }

    /**
     * Counts the intervals that a search tests, if their number depends on the content of the
     * filter.
     */
    private final class Probes {
      private final long low;
      private final long high;
      private final int limit;
      private final String wayOut;
      private long made;

      Probes(long low, long high, int limit, String wayOut) {
        this.low = low;
        this.high = high;
        this.limit = limit;
        this.wayOut = wayOut;
      }

      void add(int more) {
        made += more * weight;
        if (made > limit) {
          throw tooManyProbes(range(low, high), limit, wayOut);
        }
      }
    }

    /** Visits the fewest intervals that cover the range. */
    private boolean cover(long low, long high, DyadicRates.Visitor visitor) {
      return DyadicRates.cover(low - origin, high - origin, top, open, visitor);
    }

    /**
     * Returns the index of the interval that contains this one, the given number of levels higher.
     */
    private long up(long index, int levels) {
      return open ? index >> levels : index >>> levels;
    }

    @Override
    boolean put(HeapBits store, long low, long high) {
      boolean[] changed = new boolean[1];
      cover(
          low,
          high,
          (level, index) -> {
            changed[0] |= interval.set(store, scheme.hash(index) ^ intervalKeys[level]);
            return true;
          });
      boolean marked = attribute.marks() > 0 && mark(store, low - origin, high - origin);
      return marked || changed[0];
    }

    /** Marks every interval that contains the range and other numbers. */
    private boolean mark(HeapBits store, long first, long last) {
      boolean changed = false;
      int common = first == last ? 0 : Long.SIZE - Long.numberOfLeadingZeros(first ^ last);
      for (int level = Math.max(1, common); level <= top; level++) {
        if (up(first, level) << level != first || last - first != (1L << level) - 1) {
          changed |= mark.set(store, scheme.hash(up(first, level)) ^ markKeys[level]);
        }
      }
      return changed;
    }

    @Override
    boolean containsAll(HeapBits store, long low, long high) {
      if (low == high) {
        return isInside(store, 0, low - origin);
      }
      Probes probes =
          new Probes(
              low,
              high,
              RangeBloomFilter.MAX_PROBES,
              "split the query, because the range was put in many parts");
      return cover(
          low,
          high,
          (level, index) ->
              isInside(store, level, index) || isCovered(store, level, index, probes));
    }

    /** Returns whether the interval, or one around it, is found. */
    private boolean isInside(HeapBits store, int level, long index) {
      for (int l = level; l <= top; l++) {
        if (has(store, l, up(index, l - level))) {
          return true;
        }
      }
      return false;
    }

    /** Returns whether both halves of the interval are found, as a whole or by halves again. */
    private boolean isCovered(HeapBits store, int level, long index, Probes probes) {
      if (level == 0) {
        return false;
      }
      probes.add(2);
      long half = index << 1;
      return (has(store, level - 1, half) || isCovered(store, level - 1, half, probes))
          && (has(store, level - 1, half + 1) || isCovered(store, level - 1, half + 1, probes));
    }

    /**
     * A stored range that overlaps this one either contains the first number of one of its
     * intervals, or its last number, or lies inside one interval without the interval's first
     * number.
     */
    @Override
    boolean intersects(HeapBits store, long low, long high) {
      if (attribute.marks() == 0 && tooLong(high - low)) {
        throw tooManyProbes(
            range(low, high) + ", when it is searched for ranges inside it,",
            RangeBloomFilter.MAX_PROBES,
            "give the attribute marks, or split the range");
      }
      Probes probes =
          new Probes(
              low, high, MAX_MARKED, "the filter is too full for marks: rebuild it with more bits");
      return isInside(store, 0, low - origin)
          || isInside(store, 0, high - origin)
          || !cover(
              low,
              high,
              (level, index) -> {
                boolean starts = isInside(store, level, index) || hasStart(store, level, index);
                return !(starts
                    || (attribute.marks() > 0
                        ? hasMarked(store, level, index, probes)
                        : hasAny(store, level, index)));
              });
    }

    private boolean tooLong(long steps) {
      return steps < 0 || steps >= RangeBloomFilter.MAX_PROBES / 2 / weight;
    }

    /** Returns whether a smaller interval is found that begins with this one. */
    private boolean hasStart(HeapBits store, int level, long index) {
      for (int l = level - 1; l >= 0; l--) {
        if (has(store, l, index << (level - l))) {
          return true;
        }
      }
      return false;
    }

    /** Returns whether any smaller interval inside this one is found, the largest first. */
    private boolean hasAny(HeapBits store, int level, long index) {
      for (int l = level - 1; l >= 0; l--) {
        long first = index << (level - l);
        for (long i = 0; i < 1L << (level - l); i++) {
          if (has(store, l, first + i)) {
            return true;
          }
        }
      }
      return false;
    }

    /** Returns whether marks lead from this interval down to one that is found. */
    private boolean hasMarked(HeapBits store, int level, long index, Probes probes) {
      probes.add(level + 1);
      if (level == 0 || !mark.test(store, scheme.hash(index) ^ markKeys[level])) {
        return false;
      }
      long half = index << 1;
      return has(store, level - 1, half)
          || has(store, level - 1, half + 1)
          || hasStart(store, level - 1, half + 1)
          || hasMarked(store, level - 1, half, probes)
          || hasMarked(store, level - 1, half + 1, probes);
    }

    private boolean has(HeapBits store, int level, long index) {
      return interval.test(store, scheme.hash(index) ^ intervalKeys[level]);
    }
  }
}
