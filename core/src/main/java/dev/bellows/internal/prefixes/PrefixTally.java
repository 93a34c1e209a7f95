package dev.bellows.internal.prefixes;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * How many prefixes there are of each length and tag, and how many of them are copies. A length
 * with a tag is one number, {@link #place}; without tags it is the length.
 */
public final class PrefixTally {
  /** What it takes on the heap with adders for some lengths, if threads do not contend. */
  private static final int HEAP_BYTES = 640;

  /** The number of possible lengths. */
  static final int LENGTHS = PrefixChunk.MAX_LENGTH + 1;

  /** Created when the first prefix of a length comes: few filters have many lengths. */
  private final AtomicReferenceArray<LongAdder> counts;

  private final LongAdder copies = new LongAdder();

  private final Supplier<LongAdder> adders;

  PrefixTally() {
    this(0, LongAdder::new);
  }

  /** A tally that counts with these; tests let them throw. */
  PrefixTally(int tagBits, Supplier<LongAdder> adders) {
    this.counts = new AtomicReferenceArray<>(LENGTHS << tagBits);
    this.adders = adders;
  }

  /** Where prefixes with a length and a tag are counted. */
  static int place(int length, int tag) {
    return tag * LENGTHS + length;
  }

  void add(int place, long count) {
    LongAdder adder = counts.get(place);
    if (adder == null) {
      counts.compareAndSet(place, null, adders.get());
      adder = counts.get(place);
    }
    adder.add(count);
  }

  /** Counts one prefix at another place: there first, so that the rate is never too low. */
  void move(int from, int to) {
    add(to, 1);
    add(from, -1);
  }

  /** Returns what it takes on the heap, about. */
  long heapBytes() {
    return HEAP_BYTES + 4L * (counts.length() - LENGTHS);
  }

  void addCopies(long count) {
    copies.add(count);
  }

  /** Counts that are all 0, one for each place, to be {@linkplain #addAll added} later. */
  int[] changes() {
    return new int[counts.length()];
  }

  /** Adds those of these numbers that are positive, or the negative ones. */
  void addAll(int[] changes, boolean isPositive) {
    for (int place = 0; place < changes.length; place++) {
      if (isPositive ? changes[place] > 0 : changes[place] < 0) {
        add(place, changes[place]);
      }
    }
  }

  /** Returns the number of prefixes of a length. */
  public long count(int length) {
    long sum = 0;
    for (int place = length; place < counts.length(); place += LENGTHS) {
      sum += at(place);
    }
    return sum;
  }

  private long at(int place) {
    LongAdder adder = counts.get(place);
    return adder == null ? 0 : adder.sum();
  }

  /** Returns the number of prefixes with a tag. */
  public long totalOf(int tag) {
    long sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += at(place(length, tag));
    }
    return sum;
  }

  /**
   * Returns the sum of 2^-length over all prefixes with a tag: what they contribute to the rate.
   */
  public double rateOf(int tag) {
    double sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += Math.scalb((double) at(place(length, tag)), -length);
    }
    return sum;
  }

  /** Returns the bits of all prefixes with a tag. */
  public long bitsOf(int tag) {
    long sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      LongAdder adder = counts.get(place(length, tag));
      sum += adder == null ? 0 : length * adder.sum();
    }
    return sum;
  }

  /** Returns all prefixes, copies included. */
  public long total() {
    long sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += count(length);
    }
    return sum;
  }

  /** Returns the bits of all prefixes. */
  public long bits() {
    long sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += length * count(length);
    }
    return sum;
  }

  /** Returns the prefixes that splits made out of shorter ones, beyond their number before. */
  public long copies() {
    return copies.sum();
  }

  /**
   * Returns the sum of 2^-length over all prefixes. While prefixes are replaced by others it may be
   * higher, but never lower: new ones are counted first, and this sums up shorter lengths first.
   */
  public double rate() {
    return rateAt(PrefixChunk.MAX_LENGTH);
  }

  /** Returns the sum of 2^-length if no prefix had more bits. */
  public double rateAt(int most) {
    double sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += Math.scalb((double) count(length), -Math.min(most, length));
    }
    return sum;
  }

  /** Returns the least length that a prefix has; 0 if there is none. */
  public int shortest() {
    int length = 0;
    while (length < LENGTHS && count(length) <= 0) {
      length++;
    }
    return length < LENGTHS ? length : 0;
  }

  /** Returns the greatest length that a prefix has; 0 if there is none. */
  public int longest() {
    int length = LENGTHS - 1;
    while (length > 0 && count(length) <= 0) {
      length--;
    }
    return length;
  }
}
