package dev.bellows.internal.prefixes;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** How many prefixes there are of each length, and how many of them are copies. */
public final class PrefixTally {
  /** What it takes on the heap with adders for some lengths, if threads do not contend. */
  static final int HEAP_BYTES = 640;

  /** The number of possible lengths. */
  static final int LENGTHS = PrefixChunk.MAX_LENGTH + 1;

  /** Created when the first prefix of a length comes: few filters have many lengths. */
  private final AtomicReferenceArray<LongAdder> counts = new AtomicReferenceArray<>(LENGTHS);

  private final LongAdder copies = new LongAdder();

  private final Supplier<LongAdder> adders;

  PrefixTally() {
    this(LongAdder::new);
  }

  /** A tally that counts with these; tests let them throw. */
  PrefixTally(Supplier<LongAdder> adders) {
    this.adders = adders;
  }

  void add(int length, long count) {
    LongAdder adder = counts.get(length);
    if (adder == null) {
      counts.compareAndSet(length, null, adders.get());
      adder = counts.get(length);
    }
    adder.add(count);
  }

  void addCopies(long count) {
    copies.add(count);
  }

  /** Adds those of these numbers by length that are positive, or the negative ones. */
  void addAll(int[] changes, boolean isPositive) {
    for (int length = 0; length < changes.length; length++) {
      if (isPositive ? changes[length] > 0 : changes[length] < 0) {
        add(length, changes[length]);
      }
    }
  }

  /** The number of prefixes of a length. */
  public long count(int length) {
    LongAdder adder = counts.get(length);
    return adder == null ? 0 : adder.sum();
  }

  /** All prefixes, copies included. */
  public long total() {
    long sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += count(length);
    }
    return sum;
  }

  /** The bits of all prefixes. */
  public long bits() {
    long sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += length * count(length);
    }
    return sum;
  }

  /** The prefixes that splits made out of shorter ones, beyond their number before. */
  public long copies() {
    return copies.sum();
  }

  /**
   * The sum of 2^-length over all prefixes. While prefixes are replaced by others it may be higher,
   * but never lower: new ones are counted first, and this sums up shorter lengths first.
   */
  public double rate() {
    return rateAt(PrefixChunk.MAX_LENGTH);
  }

  /** The sum of 2^-length if no prefix had more bits. */
  public double rateAt(int most) {
    double sum = 0;
    for (int length = 0; length < LENGTHS; length++) {
      sum += Math.scalb((double) count(length), -Math.min(most, length));
    }
    return sum;
  }

  /** The least length that a prefix has; 0 if there is none. */
  public int shortest() {
    int length = 0;
    while (length < LENGTHS && count(length) <= 0) {
      length++;
    }
    return length < LENGTHS ? length : 0;
  }

  /** The greatest length that a prefix has; 0 if there is none. */
  public int longest() {
    int length = LENGTHS - 1;
    while (length > 0 && count(length) <= 0) {
      length--;
    }
    return length;
  }
}
