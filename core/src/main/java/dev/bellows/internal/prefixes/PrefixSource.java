package dev.bellows.internal.prefixes;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * A sequence of prefixes, ordered by their bits; of equal bits, the shorter prefix comes first. A
 * prefix thus comes before all prefixes that it covers.
 */
public abstract class PrefixSource {
  private long bits;
  private int length;
  private int tag;

  /** Moves to the next prefix. Returns false if there is none. */
  public abstract boolean next();

  /** Returns the bits of the current prefix, aligned to the top of the word. */
  public final long bits() {
    return bits;
  }

  /** Returns the number of bits of the current prefix. */
  public final int length() {
    return length;
  }

  /** Returns the tag of the current prefix; 0 if it has none. */
  public final int tag() {
    return tag;
  }

  /** Sets the current prefix, without a tag. Always returns true. */
  protected final boolean found(long newBits, int newLength) {
    return found(newBits, newLength, 0);
  }

  /** Sets the current prefix. Always returns true. */
  protected final boolean found(long newBits, int newLength, int newTag) {
    bits = newBits;
    length = newLength;
    tag = newTag;
    return true;
  }

  /** Returns the first bits of a hash; all others are zero. */
  public static long first(long hash, int length) {
    return length == 0 ? 0 : hash & -1L << (64 - length);
  }

  /** Returns whether a prefix covers another one, which is at least as long. */
  static boolean covers(long bits, int length, long others, int longer) {
    return length <= longer && first(others, length) == bits;
  }

  /** Returns whether two sources have the same prefixes with the same tags. */
  public static boolean areEqual(PrefixSource one, PrefixSource other) {
    while (one.next()) {
      if (!other.next() || compare(one, other) != 0 || one.tag != other.tag) {
        return false;
      }
    }
    return !other.next();
  }

  /** Compares the current prefixes of two sources. */
  static int compare(PrefixSource one, PrefixSource other) {
    int order = Long.compareUnsigned(one.bits, other.bits);
    return order != 0 ? order : Integer.compare(one.length, other.length);
  }

  /** Returns the prefixes of both sources. */
  public static PrefixSource both(PrefixSource one, PrefixSource other) {
    return new Both(one, other);
  }

  /** The prefixes of two sources; of equal ones, those of the first source come first. */
  private static final class Both extends PrefixSource {
    private final PrefixSource first;
    private final PrefixSource second;
    private boolean hasFirst;
    private boolean hasSecond;

    /** Whether the current prefix is from the first source. */
    private boolean isFirst;

    Both(PrefixSource first, PrefixSource second) {
      this.first = first;
      this.second = second;
      this.hasFirst = first.next();
      this.hasSecond = second.next();
    }

    @Override
    public boolean next() {
      isFirst = hasFirst && (!hasSecond || compare(first, second) <= 0);
      if (isFirst) {
        found(first.bits, first.length, first.tag);
        hasFirst = first.next();
        return true;
      }
      if (hasSecond) {
        found(second.bits, second.length, second.tag);
        hasSecond = second.next();
        return true;
      }
      return false;
    }
  }

  /**
   * Returns the prefixes of each source that a prefix of the other covers. Equal ones are taken
   * from the first source.
   */
  public static PrefixSource common(PrefixSource one, PrefixSource other) {
    // of equal ones, the other comes first, and only strictly shorter ones cover it
    Both all = new Both(other, one);
    return new PrefixSource() {
      private final Cover ofFirst = new Cover();
      private final Cover ofSecond = new Cover();

      @Override
      public boolean next() {
        while (all.next()) {
          long bits = all.bits();
          int length = all.length();
          boolean isCovered = (all.isFirst ? ofSecond : ofFirst).covers(bits, length);
          (all.isFirst ? ofFirst : ofSecond).add(bits, length);
          if (isCovered) {
            return found(bits, length, all.tag());
          }
        }
        return false;
      }
    };
  }

  /** Returns the prefixes with their tags translated. */
  public static PrefixSource retagged(PrefixSource source, IntUnaryOperator tags) {
    return new PrefixSource() {
      @Override
      public boolean next() {
        return source.next() && found(source.bits, source.length, tags.applyAsInt(source.tag));
      }
    };
  }

  /**
   * Merges equal prefixes into one, and omits prefixes that are covered by an earlier one whose tag
   * is the merged tag of both, which does not change the set of matching hashes.
   */
  static PrefixSource merged(PrefixSource source, PrefixStore.Tags tags) {
    return new PrefixSource() {
      private boolean hasNext = source.next();

      // the kept prefixes that cover the current position, each longer than the one before
      private final long[] outer = new long[PrefixTally.LENGTHS];
      private final int[] lengths = new int[PrefixTally.LENGTHS];
      private final int[] outerTags = new int[PrefixTally.LENGTHS];
      private int covers;

      @Override
      public boolean next() {
        while (hasNext) {
          long bits = source.bits;
          int length = source.length;
          int tag = source.tag;
          hasNext = source.next();
          while (hasNext && source.bits == bits && source.length == length) {
            tag = tags.merge(tag, source.tag);
            hasNext = source.next();
          }
          if (isKept(bits, length, tag)) {
            return found(bits, length, tag);
          }
        }
        return false;
      }

      private boolean isKept(long bits, int length, int tag) {
        while (covers > 0 && !covers(outer[covers - 1], lengths[covers - 1], bits, length)) {
          covers--;
        }
        for (int i = 0; i < covers; i++) {
          if (tags.merge(outerTags[i], tag) == outerTags[i]) {
            return false;
          }
        }
        outer[covers] = bits;
        lengths[covers] = length;
        outerTags[covers++] = tag;
        return true;
      }
    };
  }

  /**
   * Cuts prefixes to a length, and about the first {@code shorter} of those that are cut to one bit
   * less. Prefixes that become equal are all kept, possibly more than a store counts.
   */
  public static PrefixSource cut(PrefixSource source, int length, long shorter) {
    return new PrefixSource() {
      private boolean hasNext = source.next();
      private long left = shorter;

      // the tags of equal prefixes, in reverse order
      private byte[] tags = new byte[16];
      private int equal;

      @Override
      public boolean next() {
        if (equal > 0) {
          return found(bits(), length(), tags[--equal] & 0xFF);
        }
        if (!hasNext) {
          return false;
        }
        int kept = Math.min(source.length, length);
        long bits = first(source.bits, kept);
        do {
          if (equal == tags.length) {
            tags = Arrays.copyOf(tags, 2 * equal);
          }
          tags[equal++] = (byte) source.tag;
          hasNext = source.next();
        } while (hasNext
            && Math.min(source.length, length) == kept
            && first(source.bits, kept) == bits);
        if (kept == length) {
          // once one group keeps the full length, all later ones do; otherwise a shorter prefix
          // could come too late
          left = equal <= left ? left - equal : -1;
          kept -= left >= 0 ? 1 : 0;
        }
        return found(first(bits, kept), kept, tags[--equal] & 0xFF);
      }
    };
  }

  /** The shortest prefix that covers the current position. */
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
