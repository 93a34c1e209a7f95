package dev.bellows.internal.store;

import java.util.Arrays;

/**
 * An array of small counters packed into words: 4, 8, 16 or 32 bits each. The largest value of a
 * width means "saturated": it means this value or any larger one, and never changes again. A store
 * that widens changes to twice the width before a counter would saturate; at 32 bits every store
 * saturates.
 */
public final class CounterStore {
  private static final int WIDEST = 32;

  private final long size;
  private final boolean widens;
  private int width;
  private long[] words;

  /** Counters that are all zero. */
  public CounterStore(long size, int width, boolean widens) {
    this(size, width, widens, new long[wordCount(size, width)]);
  }

  /** Counters over existing words. */
  public CounterStore(long size, int width, boolean widens, long[] words) {
    this.size = size;
    this.width = checkedWidth(width);
    this.widens = widens;
    this.words = words;
  }

  /** Returns the width if it is one of 4, 8, 16 and 32. */
  public static int checkedWidth(int width) {
    if (width != 4 && width != 8 && width != 16 && width != WIDEST) {
      throw new IllegalArgumentException("counters have 4, 8, 16 or 32 bits, not " + width);
    }
    return width;
  }

  /** The number of words for this many counters. */
  public static int wordCount(long size, int width) {
    long words = (size * checkedWidth(width) - 1) / Long.SIZE + 1;
    if (words > BitStore.MAX_BITS / Long.SIZE) {
      throw new IllegalArgumentException(
          size + " counters of " + width + " bits are more than one filter can hold");
    }
    return (int) words;
  }

  /** The number of counters. */
  public long size() {
    return size;
  }

  /** Bits per counter, now. */
  public int width() {
    return width;
  }

  /** Whether it changes its width rather than saturate. */
  public boolean widens() {
    return widens;
  }

  /** The packed words. */
  public long[] words() {
    return words;
  }

  /** The value of a saturated counter, which means "this many or more". */
  public long saturated() {
    return (1L << width) - 1;
  }

  /** The counter at a position. */
  public long get(long position) {
    long bit = position * width;
    return (words[(int) (bit >>> 6)] >>> bit) & saturated();
  }

  private void set(long position, long value) {
    long bit = position * width;
    int index = (int) (bit >>> 6);
    words[index] = (words[index] & ~(saturated() << bit)) | (value << bit);
  }

  /** Adds to a counter, widening or saturating where it would not fit; returns the old value. */
  public long add(long position, long amount) {
    long old = get(position);
    if (old == saturated() || amount == 0) {
      return old;
    }
    while (amount >= saturated() - old && widens && width < WIDEST) {
      widen();
    }
    set(position, Math.min(saturated(), old + amount));
    return old;
  }

  /** Saturates a counter. */
  public void saturate(long position) {
    set(position, saturated());
  }

  /** Takes one from a counter that is not saturated; false if it was zero. */
  public boolean decrement(long position) {
    long old = get(position);
    if (old == 0) {
      return false;
    }
    if (old != saturated()) {
      set(position, old - 1);
    }
    return true;
  }

  private void widen() {
    CounterStore wide = new CounterStore(size, 2 * width, true);
    for (long i = 0; i < size; i++) {
      long value = get(i);
      wide.set(i, value == saturated() ? wide.saturated() : value);
    }
    width = wide.width;
    words = wide.words;
  }

  /** Adds every counter of another store of the same or a multiple size: the fold law by sum. */
  public void addAll(CounterStore other) {
    long position = 0;
    for (long i = 0; i < other.size; i++) {
      long value = other.get(i);
      if (value == other.saturated()) {
        while (widens && width < other.width) {
          widen();
        }
        saturate(position);
      } else {
        add(position, value);
      }
      position = position + 1 == size ? 0 : position + 1;
    }
  }

  /**
   * Pearson's correlation with the counters of a store of the same size, from -1 to 1; 0 where all
   * counters of one of the two are equal. A saturated counter is taken as its largest value.
   */
  public double correlation(CounterStore other) {
    double meanHere = (double) total() / size;
    double meanThere = (double) other.total() / size;
    double product = 0;
    double squareHere = 0;
    double squareThere = 0;
    for (long i = 0; i < size; i++) {
      double here = get(i) - meanHere;
      double there = other.get(i) - meanThere;
      product += here * there;
      squareHere += here * here;
      squareThere += there * there;
    }
    double scale = Math.sqrt(squareHere * squareThere);
    return scale == 0 ? 0 : Math.max(-1, Math.min(1, product / scale));
  }

  /** The sum of all counters. */
  public long total() {
    long total = 0;
    for (long i = 0; i < size; i++) {
      total += get(i);
    }
    return total;
  }

  /** Whether any counter is saturated. */
  public boolean anySaturated() {
    for (long i = 0; i < size; i++) {
      if (get(i) == saturated()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Both sides of a threshold.
   *
   * @param above how many counters exceed it
   * @param sumUpTo the sum of the counters that do not
   */
  public record Split(long above, long sumUpTo) {}

  /** Counts the counters above a threshold and sums the others, in one pass. */
  public Split split(long threshold) {
    long above = 0;
    long sum = 0;
    for (long i = 0; i < size; i++) {
      long count = get(i);
      boolean exceeds = count > threshold;
      above += exceeds ? 1 : 0;
      sum += exceeds ? 0 : count;
    }
    return new Split(above, sum);
  }

  /** How many counters hold 0, 1, 2, ... , {@code top} or more. */
  public long[] histogram(int top) {
    long[] histogram = new long[top + 1];
    for (long i = 0; i < size; i++) {
      histogram[(int) Math.min(top, get(i))]++;
    }
    return histogram;
  }

  /** One bit per counter: whether it is above the threshold. */
  public HeapBits above(long threshold) {
    HeapBits store = HeapBits.aligned(size);
    for (long i = 0; i < size; i++) {
      if (get(i) > threshold) {
        store.load(i >>> 6, 1L << i);
      }
    }
    return store;
  }

  /** A 64-bit hash of the values, independent of their width. */
  public long contentHash() {
    long sum = ContentHash.ofSize(size);
    for (long i = 0; i < size; i++) {
      sum += ContentHash.of(i, valueOrSaturated(i));
    }
    return sum;
  }

  /** Refuses words with ones after the last counter. */
  public void requireClearTail() {
    long used = size * width;
    if ((used & 63) != 0 && words[words.length - 1] >>> used != 0) {
      throw new IllegalArgumentException("there are ones after the last of " + size + " counters");
    }
  }

  /** An independent store with the same counters. */
  public CounterStore copy() {
    return new CounterStore(size, width, widens, words.clone());
  }

  /** Sets every counter to zero. */
  public void clear() {
    Arrays.fill(words, 0);
  }

  /**
   * Whether the other store has the same counts, in any width; both must saturate or both widen.
   */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof CounterStore store) || size != store.size || widens != store.widens) {
      return false;
    }
    if (width == store.width) {
      return Arrays.equals(words, store.words);
    }
    for (long i = 0; i < size; i++) {
      if (valueOrSaturated(i) != store.valueOrSaturated(i)) {
        return false;
      }
    }
    return true;
  }

  private long valueOrSaturated(long position) {
    long value = get(position);
    return value == saturated() ? -1 : value;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(contentHash());
  }
}
