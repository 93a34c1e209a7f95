package dev.bellows.internal.counters;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.ContentHash;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.bits.PackedCounters;
import dev.bellows.internal.layout.Positions;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An array of small counters packed into words: 4, 8, 16 or 32 bits each. The largest value of a
 * width means "saturated": it represents this value or any larger one, and never changes again. A
 * widening store doubles its width before a counter would saturate; at 32 bits every store
 * saturates.
 *
 * <p>One thread at a time may change the store; any thread may query single counters and keys
 * concurrently. Queries read the array that was published last. A counter is changed by one write
 * of its word, so a query sees it either before or after the change, and its neighbors unchanged.
 */
public final class CounterStore {
  private static final int WIDEST = 32;

  private static final long UNKNOWN = -1;

  private static final int REGION_SHIFT = Integer.numberOfTrailingZeros(FoldedWords.REGION);

  private final long size;
  private final boolean widens;
  private volatile PackedCounters now;

  /**
   * The number of nonzero counters, updated by every change; {@link #UNKNOWN} until it is needed.
   */
  private final AtomicLong occupied;

  /**
   * One bit for each {@link FoldedWords#REGION} counters, 0 only if all of them are zero. Folding a
   * filter with few keys reads only the marked regions.
   */
  private final long[] touched;

  /**
   * The largest number of nonzero counters that a folding has found since the marks were renewed.
   */
  private long peak;

  /** Created by the first removal. */
  private @Nullable KeyRemoval removal;

  /** Creates counters that are all zero. */
  public CounterStore(long size, int width, boolean widens) {
    this(
        size,
        widens,
        new PackedCounters(checkedWidth(width), new long[wordCount(size, width)]),
        0,
        new long[markWords(size)]);
  }

  /** Creates counters that use existing words. */
  public CounterStore(long size, int width, boolean widens, long[] words) {
    this(
        size,
        widens,
        new PackedCounters(checkedWidth(width), words),
        UNKNOWN,
        new long[markWords(size)]);
    Arrays.fill(touched, -1);
  }

  private CounterStore(
      long size, boolean widens, PackedCounters counters, long occupied, long[] touched) {
    this.size = size;
    this.widens = widens;
    this.now = counters;
    this.occupied = new AtomicLong(occupied);
    this.touched = touched;
  }

  private static int markWords(long size) {
    return (int) ((size - 1) / ((long) FoldedWords.REGION * Long.SIZE)) + 1;
  }

  /** Returns the width; throws unless it is 4, 8, 16 or 32. */
  public static int checkedWidth(int width) {
    if (width != 4 && width != 8 && width != 16 && width != WIDEST) {
      throw new IllegalArgumentException("counters have 4, 8, 16 or 32 bits, not " + width);
    }
    return width;
  }

  /** Returns the number of words for this many counters. */
  public static int wordCount(long size, int width) {
    long words = (size * checkedWidth(width) - 1) / Long.SIZE + 1;
    if (words > BitStore.MAX_BITS / Long.SIZE) {
      throw new IllegalArgumentException(
          size + " counters of " + width + " bits are more than one filter can hold");
    }
    return (int) words;
  }

  /** Returns the number of counters. */
  public long size() {
    return size;
  }

  /** Returns the current number of bits per counter. */
  public int width() {
    return now.width;
  }

  /** Returns whether the store widens before a counter saturates. */
  public boolean widens() {
    return widens;
  }

  /** Returns the packed words. */
  public long[] words() {
    return now.words;
  }

  /** Returns the value of a saturated counter, which means "this many or more". */
  public long saturated() {
    return now.saturated;
  }

  /** Returns the counter at a position. */
  public long get(long position) {
    return now.get(position);
  }

  /** Counts a key once at each of its probes, and returns whether a counter was zero. */
  public boolean put(Positions positions, long hash) {
    PackedCounters packed = now;
    long filled = 0;
    long marked = -1;
    long value = positions.begin(hash);
    for (int i = 0, hashes = positions.hashes(); i < hashes; i++) {
      value = positions.step(value, i);
      long position = positions.at(hash, value, i);
      long old = packed.get(position);
      if (old < packed.saturated - 1) {
        packed.change(position, 1);
      } else {
        raise(position, 1);
        packed = now;
      }
      // without a branch, which would be unpredictable
      filled += (old - 1) >>> 63;
      if (position >>> REGION_SHIFT != marked) {
        marked = position >>> REGION_SHIFT;
        touched[(int) (marked >>> 6)] |= 1L << marked;
      }
    }
    if (filled == 0) {
      return false;
    }
    addOccupied(filled);
    return true;
  }

  /** Returns whether no counter of a key is zero. */
  public boolean test(Positions positions, long hash) {
    return positions.test(now, hash);
  }

  /**
   * Subtracts one count of a key from each of its probes. Returns false and changes nothing if a
   * counter is too small.
   */
  public boolean remove(Positions positions, long hash) {
    KeyRemoval known = removal;
    if (known == null || known.mostHashes() < positions.hashes()) {
      known = new KeyRemoval(positions.hashes());
      removal = known;
    }
    int emptied = known.remove(now, positions, hash);
    if (emptied > 0) {
      addOccupied(-emptied);
    }
    return emptied != KeyRemoval.REFUSED;
  }

  /**
   * Adds to a counter, widening or saturating if the sum does not fit, and returns the old value.
   */
  public long add(long position, long amount) {
    long old = raise(position, amount);
    if (old == 0 && amount != 0) {
      addOccupied(1);
      mark(position);
    }
    return old;
  }

  private void addOccupied(long more) {
    long before = occupied.get();
    if (before != UNKNOWN) {
      occupied.lazySet(before + more);
    }
  }

  private void mark(long position) {
    long region = position >>> REGION_SHIFT;
    touched[(int) (region >>> 6)] |= 1L << region;
  }

  private long raise(long position, long amount) {
    PackedCounters packed = now;
    long old = packed.get(position);
    if (old == packed.saturated || amount == 0) {
      return old;
    }
    while (amount >= packed.saturated - old && widens && packed.width < WIDEST) {
      packed = widen();
    }
    packed.set(position, Math.min(packed.saturated, old + amount));
    return old;
  }

  /** Subtracts one from a counter unless it is saturated. Returns false if it was zero. */
  public boolean decrement(long position) {
    PackedCounters packed = now;
    long old = packed.get(position);
    if (old == 0) {
      return false;
    }
    if (old != packed.saturated) {
      packed.set(position, old - 1);
      if (old == 1) {
        addOccupied(-1);
      }
    }
    return true;
  }

  /** Publishes the same counters at twice the width. */
  private PackedCounters widen() {
    PackedCounters narrow = now;
    int width = 2 * narrow.width;
    PackedCounters wide = new PackedCounters(width, new long[wordCount(size, width)]);
    for (long i = 0; i < size; i++) {
      long value = narrow.get(i);
      wide.set(i, value == narrow.saturated ? wide.saturated : value);
    }
    now = wide;
    return wide;
  }

  /** Adds every counter of another store of the same or a multiple size: the fold law by sum. */
  public void addAll(CounterStore other) {
    PackedCounters theirs = other.now;
    if (occupied.get() == 0 && size == other.size && now.width == theirs.width) {
      System.arraycopy(theirs.words, 0, now.words, 0, theirs.words.length);
      System.arraycopy(other.touched, 0, touched, 0, touched.length);
      occupied.set(other.occupied.get());
      return;
    }
    long position = 0;
    for (long i = 0; i < other.size; i++) {
      long value = theirs.get(i);
      if (value == theirs.saturated) {
        while (widens && now.width < theirs.width) {
          widen();
        }
        if (now.get(position) == 0) {
          addOccupied(1);
          mark(position);
        }
        now.set(position, now.saturated);
      } else {
        add(position, value);
      }
      position = position + 1 == size ? 0 : position + 1;
    }
  }

  /**
   * Returns these counters folded to a divisor of their number; this store itself if that is its
   * size.
   */
  public CounterStore foldedTo(long cells) {
    if (cells == size) {
      return this;
    }
    long filled = occupied.get();
    peak = Math.max(peak, filled);
    if (filled == UNKNOWN) {
      recount();
    } else if (filled < peak / 2) {
      peak = filled;
      unmarkEmptyRegions();
    }
    long[] sums = FoldedWords.sums(now, size, cells, touched);
    if (sums != null) {
      return new CounterStore(cells, width(), widens, sums);
    }
    CounterStore folded = new CounterStore(cells, width(), widens);
    folded.addAll(this);
    return folded;
  }

  /**
   * Subtracts the counters of a store of the same size. Throws, and changes nothing, if a counter
   * would become negative, or is saturated in either store.
   */
  public void subtract(CounterStore other) {
    if (anySaturated() || other.anySaturated()) {
      throw new IllegalArgumentException(
          "cannot subtract: a counter of "
              + (anySaturated() ? this : other).width()
              + " bits is saturated and only has a lower bound; use wider counters");
    }
    PackedCounters mine = now;
    PackedCounters theirs = other.now;
    for (long i = 0; i < size; i++) {
      if (theirs.get(i) > mine.get(i)) {
        throw new IllegalArgumentException(
            ("cannot subtract: counter %d holds %d here and %d there, so some key "
                    + "there is not here")
                .formatted(i, mine.get(i), theirs.get(i)));
      }
    }
    for (long i = 0; i < size; i++) {
      mine.set(i, mine.get(i) - theirs.get(i));
    }
    occupied.set(UNKNOWN);
  }

  /**
   * Returns Pearson's correlation with the counters of a store of the same size, from -1 to 1; 0 if
   * all counters of either store are equal. A saturated counter counts as its maximum.
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

  /** Returns the sum of all counters. */
  public long total() {
    return split(saturated()).sumUpTo();
  }

  /** Returns the sum of the squares of all counters. */
  public double sumOfSquares() {
    PackedCounters packed = now;
    double sum = 0;
    for (long i = 0; i < size; i++) {
      double count = packed.get(i);
      sum += count * count;
    }
    return sum;
  }

  /** Returns whether any counter is saturated. */
  public boolean anySaturated() {
    return split(saturated() - 1).above() > 0;
  }

  /**
   * A division of the counters by a threshold.
   *
   * @param above the number of counters that exceed the threshold
   * @param sumUpTo the sum of all other counters
   */
  public record Split(long above, long sumUpTo) {}

  /** Counts the counters above a threshold and sums the others, in one pass. */
  public Split split(long threshold) {
    PackedCounters packed = now;
    long above = 0;
    long sum = 0;
    for (long i = 0; i < size; i++) {
      long count = packed.get(i);
      boolean exceeds = count > threshold;
      above += exceeds ? 1 : 0;
      sum += exceeds ? 0 : count;
    }
    return new Split(above, sum);
  }

  /** Returns the numbers of counters that hold 0, 1, 2, ..., and {@code top} or more. */
  public long[] histogram(int top) {
    PackedCounters packed = now;
    long[] histogram = new long[top + 1];
    for (long i = 0; i < size; i++) {
      histogram[(int) Math.min(top, packed.get(i))]++;
    }
    return histogram;
  }

  /**
   * Returns the number of nonzero counters. They are counted at most once, while changes wait:
   * every thread that changes counters holds the monitor of this store.
   */
  public long occupied() {
    long known = occupied.get();
    if (known != UNKNOWN) {
      return known;
    }
    synchronized (this) {
      if (occupied.get() == UNKNOWN) {
        recount();
      }
      return occupied.get();
    }
  }

  /** Counts the nonzero counters and marks exactly their regions. */
  private void recount() {
    PackedCounters packed = now;
    int perWord = Long.SIZE / packed.width;
    Arrays.fill(touched, 0);
    long count = 0;
    for (int i = 0; i < packed.words.length; i++) {
      long word = packed.words[i];
      if (word != 0) {
        mark((long) i * perWord);
        count += Long.bitCount(FoldedWords.marks(word, packed.width));
      }
    }
    occupied.set(count);
    peak = count;
  }

  /** Removes the marks of regions whose counters have all become zero. */
  private void unmarkEmptyRegions() {
    long[] words = now.words;
    int regionWords = FoldedWords.REGION / (Long.SIZE / now.width);
    for (int i = 0; i < touched.length; i++) {
      for (long left = touched[i]; left != 0; left &= left - 1) {
        int region = Long.SIZE * i + Long.numberOfTrailingZeros(left);
        int from = (int) Math.min(words.length, (long) region * regionWords);
        int to = (int) Math.min(words.length, (long) from + regionWords);
        long all = 0;
        for (int w = from; w < to; w++) {
          all |= words[w];
        }
        if (all == 0) {
          touched[i] &= ~(left & -left);
        }
      }
    }
  }

  /** Returns one bit per counter: whether it is above the threshold. */
  public HeapBits above(long threshold) {
    PackedCounters packed = now;
    HeapBits store = HeapBits.aligned(size);
    if (threshold == 0 && packed.width == 4) {
      for (int i = 0; i < packed.words.length; i++) {
        if (packed.words[i] != 0) {
          store.load(i >>> 2, FoldedWords.occupied(packed.words[i]) << (i << 4));
        }
      }
      return store;
    }
    for (long i = 0; i < size; i++) {
      if (packed.get(i) > threshold) {
        store.load(i >>> 6, 1L << i);
      }
    }
    return store;
  }

  /** Returns a 64-bit hash of the values, independent of their width. */
  public long contentHash() {
    PackedCounters packed = now;
    long sum = ContentHash.ofSize(size);
    int perWord = Long.SIZE / packed.width;
    for (int word = 0; word < packed.words.length; word++) {
      if (packed.words[word] != 0) { // a zero adds nothing
        long end = Math.min(size, (word + 1L) * perWord);
        for (long i = (long) word * perWord; i < end; i++) {
          sum += ContentHash.of(i, packed.valueOrSaturated(i));
        }
      }
    }
    return sum;
  }

  /** Throws if words have ones after the last counter. */
  public void requireClearTail() {
    PackedCounters packed = now;
    long used = size * packed.width;
    if ((used & 63) != 0 && packed.words[packed.words.length - 1] >>> used != 0) {
      throw new IllegalArgumentException("there are ones after the last of " + size + " counters");
    }
  }

  /** Returns an independent store with the same counters. */
  public CounterStore copy() {
    PackedCounters packed = now;
    return new CounterStore(
        size,
        widens,
        new PackedCounters(packed.width, packed.words.clone()),
        occupied.get(),
        touched.clone());
  }

  /** Sets every counter to zero. */
  public void clear() {
    Arrays.fill(now.words, 0);
    Arrays.fill(touched, 0);
    occupied.set(0);
    peak = 0;
  }

  /**
   * Returns whether the other store has the same counts, in any width; both must saturate or both
   * widen.
   */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof CounterStore store) || size != store.size || widens != store.widens) {
      return false;
    }
    PackedCounters mine = now;
    PackedCounters theirs = store.now;
    if (mine.width == theirs.width) {
      return Arrays.equals(mine.words, theirs.words);
    }
    for (long i = 0; i < size; i++) {
      if (mine.valueOrSaturated(i) != theirs.valueOrSaturated(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(contentHash());
  }
}
