package dev.bellows.internal.prefixes;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Counts prefixes by length and tag, and how many of them are copies. A length and a tag are
 * combined into an index, {@link #place}, which is the length if there are no tags.
 */
public final class PrefixTally {
  /** The heap size of a tally with adders for some lengths, without contention. */
  private static final int HEAP_BYTES = 640;

  /** The heap size of another tag: references for four lengths, and adders for half of the tags. */
  private static final int TAG_BYTES = 4 * (4 + 32 / 2);

  /** The number of possible lengths. */
  static final int LENGTHS = PrefixChunk.MAX_LENGTH + 1;

  /**
   * Adders by length and then by tag, created when the first such prefix is counted, because few
   * filters have many lengths.
   */
  private final AtomicReferenceArray<AtomicReferenceArray<LongAdder>> counts =
      new AtomicReferenceArray<>(LENGTHS);

  private final int tags;

  private final LongAdder copies = new LongAdder();

  private final Supplier<LongAdder> adders;

  PrefixTally() {
    this(0, LongAdder::new);
  }

  /** Creates a tally with these adders, which tests make fail. */
  PrefixTally(int tagBits, Supplier<LongAdder> adders) {
    this.tags = 1 << tagBits;
    this.adders = adders;
  }

  /** Returns the index at which prefixes with a length and a tag are counted. */
  static int place(int length, int tag) {
    return tag * LENGTHS + length;
  }

  void add(int place, long count) {
    int length = place % LENGTHS;
    AtomicReferenceArray<LongAdder> ofLength = counts.get(length);
    if (ofLength == null) {
      counts.compareAndSet(length, null, new AtomicReferenceArray<>(tags));
      ofLength = counts.get(length);
    }
    int tag = place / LENGTHS;
    LongAdder adder = ofLength.get(tag);
    if (adder == null) {
      ofLength.compareAndSet(tag, null, adders.get());
      adder = ofLength.get(tag);
    }
    adder.add(count);
  }

  /** Returns the approximate heap size in bytes. */
  long heapBytes() {
    return HEAP_BYTES + TAG_BYTES * (tags - 1L);
  }

  void addCopies(long count) {
    copies.add(count);
  }

  /** Returns zero counts, one for each index, to be {@linkplain #addAll added} later. */
  int[] changes() {
    return new int[LENGTHS * tags];
  }

  /** Adds those of these numbers that are positive, or those that are negative. */
  void addAll(int[] changes, boolean isPositive) {
    for (int place = 0; place < changes.length; place++) {
      if (isPositive ? changes[place] > 0 : changes[place] < 0) {
        add(place, changes[place]);
      }
    }
  }

  /** Returns the number of prefixes of a length. */
  public long count(int length) {
    return IntStream.range(0, tags).mapToLong(tag -> at(length, tag)).sum();
  }

  private long at(int length, int tag) {
    AtomicReferenceArray<LongAdder> ofLength = counts.get(length);
    LongAdder adder = ofLength == null ? null : ofLength.get(tag);
    return adder == null ? 0 : adder.sum();
  }

  private static long sum(IntToLongFunction ofLength) {
    return IntStream.range(0, LENGTHS).mapToLong(ofLength).sum();
  }

  /** Returns the number of prefixes with a tag. */
  public long totalOf(int tag) {
    return sum(length -> at(length, tag));
  }

  /** Returns the sum of 2^-length over all prefixes with a tag: their contribution to the rate. */
  public double rateOf(int tag) {
    double sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += Math.scalb((double) at(length, tag), -length);
    }
    return sum;
  }

  /** Returns the total number of bits of all prefixes with a tag. */
  public long bitsOf(int tag) {
    return sum(length -> length * at(length, tag));
  }

  /** Returns the number of all prefixes, including copies. */
  public long total() {
    return sum(this::count);
  }

  /** Returns the total number of bits of all prefixes. */
  public long bits() {
    return sum(length -> length * count(length));
  }

  /**
   * Returns the number of copies: prefixes that splits added by replacing an ending by two
   * prefixes.
   */
  public long copies() {
    return copies.sum();
  }

  /**
   * Returns the sum of 2^-length over all prefixes. While prefixes are being replaced, the result
   * may be too high but never too low: new prefixes are counted first, and shorter lengths are
   * added up first.
   */
  public double rate() {
    return rateAt(PrefixChunk.MAX_LENGTH);
  }

  /** Returns the sum of 2^-length over all prefixes if they were cut to this length. */
  public double rateAt(int most) {
    double sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += Math.scalb((double) count(length), -Math.min(most, length));
    }
    return sum;
  }

  /** Returns the smallest length of a prefix; 0 if there is none. */
  public int shortest() {
    int length = 0;
    while (length < LENGTHS && count(length) <= 0) {
      length++;
    }
    return length < LENGTHS ? length : 0;
  }

  /** Returns the greatest length of a prefix; 0 if there is none. */
  public int longest() {
    int length = LENGTHS - 1;
    while (length > 0 && count(length) <= 0) {
      length--;
    }
    return length;
  }
}
