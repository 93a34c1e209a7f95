package dev.bellows.internal.store;

import java.util.concurrent.atomic.LongAdder;

/** How many prefixes there are of each length, and which of them are copies. */
public final class PrefixTally {
  private final LongAdder[] counts = new LongAdder[PrefixChunk.MAX_LENGTH + 1];
  private final LongAdder copies = new LongAdder();

  PrefixTally() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  void add(int length, long count) {
    counts[length].add(count);
  }

  void addCopies(long count) {
    copies.add(count);
  }

  /** Each of these prefixes is replaced by the two that are longer by one bit. */
  void split(int length, int endings) {
    counts[length].add(-endings);
    counts[length + 1].add(2L * endings);
    copies.add(endings);
  }

  /** The number of prefixes of a length. */
  public long count(int length) {
    return counts[length].sum();
  }

  /** All prefixes, copies included. */
  public long total() {
    long sum = 0;
    for (LongAdder count : counts) {
      sum += count.sum();
    }
    return sum;
  }

  /** The prefixes that a split made out of shorter ones, beyond their number before it. */
  public long copies() {
    return copies.sum();
  }

  /** The sum of 2^-length over all prefixes. */
  public double rate() {
    return rateAt(PrefixChunk.MAX_LENGTH);
  }

  /** The sum of 2^-length if no prefix had more bits. */
  public double rateAt(int most) {
    double sum = 0;
    for (int length = counts.length - 1; length >= 0; length--) {
      sum += Math.scalb((double) counts[length].sum(), -Math.min(most, length));
    }
    return sum;
  }

  /** The least length that a prefix has; 0 if there is none. */
  public int shortest() {
    int length = 0;
    while (length < counts.length && counts[length].sum() <= 0) {
      length++;
    }
    return length < counts.length ? length : 0;
  }

  /** The greatest length that a prefix has; 0 if there is none. */
  public int longest() {
    int length = counts.length - 1;
    while (length > 0 && counts[length].sum() <= 0) {
      length--;
    }
    return length;
  }
}
