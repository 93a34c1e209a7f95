package dev.bellows.spark.internal;

import java.util.function.LongConsumer;

/**
 * A set of 64-bit hashes in one array, for one thread. A hash lies at or after the slot that its
 * top bits name, so the array is almost sorted: sets merge and are packed in the order of memory.
 */
final class DistinctHashes {
  private static final int SMALLEST = 16;

  private long[] slots = new long[SMALLEST];
  private int shift = Long.SIZE - 4;
  private int filled;
  private boolean hasZero;

  /** The most hashes that a table of so many bytes takes. */
  static int mostIn(long bytes) {
    long slots = Math.max(SMALLEST, Long.highestOneBit(bytes / Long.BYTES));
    return mostFor((int) Math.min(slots, 1 << 29));
  }

  private static int mostFor(int slots) {
    return slots / 4 * 3;
  }

  int size() {
    return filled + (hasZero ? 1 : 0);
  }

  /** The memory of the table. */
  long bytes() {
    return (long) Long.BYTES * slots.length;
  }

  /** Adds a hash; true iff it is new. */
  boolean add(long hash) {
    if (hash == 0) {
      boolean added = !hasZero;
      hasZero = true;
      return added;
    }
    if (!insert(hash)) {
      return false;
    }
    if (++filled > mostFor(slots.length)) {
      resize(2 * slots.length);
    }
    return true;
  }

  /**
   * Makes room for so many hashes. Almost sorted hashes must not come into a table that is too
   * small for all of them: they would crowd at its start before it grows.
   */
  void reserve(long hashes) {
    int wanted = slots.length;
    while (mostFor(wanted) < hashes) {
      wanted *= 2;
    }
    if (wanted > slots.length) {
      resize(wanted);
    }
  }

  void forEach(LongConsumer consumer) {
    if (hasZero) {
      consumer.accept(0);
    }
    for (long hash : slots) {
      if (hash != 0) {
        consumer.accept(hash);
      }
    }
  }

  /** The hashes as unsigned numbers, ascending. */
  long[] sorted() {
    long[] hashes = new long[size()];
    int next = hasZero ? 1 : 0;
    int run = firstEmpty(); // before it stand hashes that came around the end
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] != 0 && (i >= run || home(slots[i]) <= i)) {
        hashes[next++] = slots[i];
      }
    }
    for (int i = 0; i < run; i++) {
      if (home(slots[i]) > i) {
        hashes[next++] = slots[i];
      }
    }
    sortNearlySorted(hashes);
    return hashes;
  }

  private int home(long hash) {
    return (int) (hash >>> shift);
  }

  private int firstEmpty() {
    int i = 0;
    while (slots[i] != 0) {
      i++;
    }
    return i;
  }

  /** Insertion: every hash is a few places from its own. */
  private static void sortNearlySorted(long[] hashes) {
    for (int i = 1; i < hashes.length; i++) {
      long hash = hashes[i];
      int at = i;
      while (at > 0 && Long.compareUnsigned(hashes[at - 1], hash) > 0) {
        hashes[at] = hashes[at - 1];
        at--;
      }
      hashes[at] = hash;
    }
  }

  private boolean insert(long hash) {
    int mask = slots.length - 1;
    int slot = home(hash);
    while (slots[slot] != 0) {
      if (slots[slot] == hash) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    slots[slot] = hash;
    return true;
  }

  private void resize(int length) {
    long[] old = slots;
    slots = new long[length];
    shift = Long.SIZE - Integer.numberOfTrailingZeros(length);
    for (long hash : old) {
      if (hash != 0) {
        insert(hash);
      }
    }
  }
}
