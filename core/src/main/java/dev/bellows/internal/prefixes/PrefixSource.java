package dev.bellows.internal.prefixes;

/**
 * Prefixes of hashes one after the other, in the order of their bits, and of equal bits the shorter
 * first: so a prefix comes before all prefixes that it covers.
 */
public abstract class PrefixSource {
  private long bits;
  private int length;

  /** Goes to the next prefix; false if there is none. */
  public abstract boolean next();

  /** The bits of the present prefix, from the top of the word. */
  public final long bits() {
    return bits;
  }

  /** The number of its bits. */
  public final int length() {
    return length;
  }

  /** Makes a prefix the present one; always true. */
  protected final boolean found(long newBits, int newLength) {
    bits = newBits;
    length = newLength;
    return true;
  }

  /** The first bits of a hash, the others zero. */
  public static long first(long hash, int length) {
    return length == 0 ? 0 : hash & -1L << (64 - length);
  }

  /** Whether a prefix is one of a longer or equal prefix. */
  static boolean covers(long bits, int length, long others, int longer) {
    return length <= longer && first(others, length) == bits;
  }

  /** The present prefixes of two sources in their order: negative, 0 or positive. */
  static int compare(PrefixSource one, PrefixSource other) {
    int order = Long.compareUnsigned(one.bits, other.bits);
    return order != 0 ? order : Integer.compare(one.length, other.length);
  }

  /** The prefixes of both sources. */
  public static PrefixSource both(PrefixSource one, PrefixSource other) {
    return new PrefixSource() {
      private boolean hasOne = one.next();
      private boolean hasOther = other.next();

      @Override
      public boolean next() {
        if (hasOne && (!hasOther || compare(one, other) <= 0)) {
          found(one.bits, one.length);
          hasOne = one.next();
          return true;
        }
        if (hasOther) {
          found(other.bits, other.length);
          hasOther = other.next();
          return true;
        }
        return false;
      }
    };
  }

  /**
   * The prefixes of each source that some prefix of the other covers: of two that agree as far as
   * the shorter one goes, the longer. Equal ones are taken from the first source.
   */
  public static PrefixSource common(PrefixSource one, PrefixSource other) {
    return new PrefixSource() {
      private boolean hasOne = one.next();
      private boolean hasOther = other.next();
      private final Cover ofOne = new Cover();
      private final Cover ofOther = new Cover();

      @Override
      public boolean next() {
        while (hasOne || hasOther) {
          boolean isOne = hasOne && (!hasOther || compare(one, other) < 0);
          PrefixSource from = isOne ? one : other;
          long bits = from.bits;
          int length = from.length;
          // of equal ones the other comes first, and is covered by strictly shorter ones only
          boolean isCovered = (isOne ? ofOther : ofOne).covers(bits, length);
          (isOne ? ofOne : ofOther).add(bits, length);
          if (isOne) {
            hasOne = one.next();
          } else {
            hasOther = other.next();
          }
          if (isCovered) {
            return found(bits, length);
          }
        }
        return false;
      }
    };
  }

  /** Without prefixes that an earlier one covers: the same answers from fewer. */
  public static PrefixSource distinct(PrefixSource source) {
    return new PrefixSource() {
      private final Cover cover = new Cover();

      @Override
      public boolean next() {
        while (source.next()) {
          if (!cover.covers(source.bits, source.length)) {
            cover.add(source.bits, source.length);
            return found(source.bits, source.length);
          }
        }
        return false;
      }
    };
  }

  /**
   * Prefixes cut to a length, about the first {@code shorter} of those that are cut to one bit
   * less. Those that are equal then stay equal: there may be so many of them that nobody counts
   * further.
   */
  public static PrefixSource cut(PrefixSource source, int length, long shorter) {
    return new PrefixSource() {
      private boolean hasNext = source.next();
      private long left = shorter;
      private int equal;

      @Override
      public boolean next() {
        if (equal > 0) {
          equal--;
          return true;
        }
        if (!hasNext) {
          return false;
        }
        int kept = Math.min(source.length, length);
        long bits = first(source.bits, kept);
        do {
          equal++;
          hasNext = source.next();
        } while (hasNext
            && Math.min(source.length, length) == kept
            && first(source.bits, kept) == bits);
        if (kept == length) {
          // behind the first that keep their length all do, or a shorter one could come too late
          left = equal <= left ? left - equal : -1;
          kept -= left >= 0 ? 1 : 0;
        }
        equal--;
        return found(first(bits, kept), kept);
      }
    };
  }

  /** The outermost prefix that reaches to the present place. */
  private static final class Cover {
    private long bits;
    private int length = Integer.MAX_VALUE;

    boolean covers(long others, int longer) {
      return length <= longer && PrefixSource.covers(bits, length, others, longer);
    }

    void add(long newBits, int newLength) {
      if (!covers(newBits, newLength)) {
        bits = newBits;
        length = newLength;
      }
    }
  }
}
