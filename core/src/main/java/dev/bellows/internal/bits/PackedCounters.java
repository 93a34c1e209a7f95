package dev.bellows.internal.bits;

/**
 * Counters of a fixed width, packed into words. {@link dev.bellows.internal.counters.CounterStore}
 * replaces the whole object when it widens.
 */
public final class PackedCounters {
  /**
   * The width of nearly all counters, for which shifts by constants are faster than a
   * multiplication.
   */
  private static final int USUAL = 4;

  public final int width;
  public final long saturated;
  public final long[] words;

  public PackedCounters(int width, long[] words) {
    this.width = width;
    this.saturated = (1L << width) - 1;
    this.words = words;
  }

  public long get(long position) {
    if (width == USUAL) {
      return words[(int) (position >>> 4)] >>> (position << 2) & 15;
    }
    long bit = position * width;
    return (words[(int) (bit >>> 6)] >>> bit) & saturated;
  }

  public void set(long position, long value) {
    long bit = position * width;
    int index = (int) (bit >>> 6);
    words[index] = (words[index] & ~(saturated << bit)) | (value << bit);
  }

  /** Adds to a counter. The sum must fit into its width. */
  public void change(long position, int amount) {
    if (width == USUAL) {
      words[(int) (position >>> 4)] += (long) amount << (position << 2);
      return;
    }
    long bit = position * width;
    words[(int) (bit >>> 6)] += (long) amount << bit;
  }

  /** Returns the value, or -1 if the counter is saturated, regardless of the width. */
  public long valueOrSaturated(long position) {
    long value = get(position);
    return value == saturated ? -1 : value;
  }
}
