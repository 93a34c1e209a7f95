package dev.bellows.spark.internal;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A set of 64-bit hashes in a table, for one thread. A hash lies at or after the slot that its top
 * bits name, so the table is almost sorted: sets merge and are packed in the order of memory. The
 * slots lie in chunks, for the reason of {@link PackedHashes}.
 */
final class DistinctHashes {
  private static final int SMALLEST = 16;
  private static final int CHUNK_SHIFT = 14;
  private static final int CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;

  /** The hashes, on average, of a range that is counted at once, in a table in the cache. */
  private static final int RANGE = 1024;

  private long[][] chunks = chunks(SMALLEST);
  private int slots = SMALLEST;
  private int shift = Long.SIZE - 4;
  private int filled;
  private boolean hasZero;

  /** Returns the maximum number of hashes that a table of this many bytes takes. */
  static int mostIn(long bytes) {
    long slots = Math.max(SMALLEST, Long.highestOneBit(bytes / Long.BYTES));
    return mostFor((int) Math.min(slots, 1 << 29));
  }

  private static long[][] chunks(int slots) {
    int length = Math.min(slots, CHUNK_MASK + 1);
    return new long[slots / length][length];
  }

  private static int mostFor(int slots) {
    return slots / 4 * 3;
  }

  int size() {
    return filled + (hasZero ? 1 : 0);
  }

  /** Returns the memory of the table. */
  long bytes() {
    return (long) Long.BYTES * slots;
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
    if (++filled > mostFor(slots)) {
      resize(2 * slots);
    }
    return true;
  }

  /**
   * Makes room for this many hashes. Almost sorted hashes must not come into a table that is too
   * small for all of them: they would crowd at its start before it grows.
   */
  void reserve(long hashes) {
    int wanted = slots;
    while (mostFor(wanted) < hashes) {
      wanted *= 2;
    }
    if (wanted > slots) {
      resize(wanted);
    }
  }

  private void clear() {
    for (long[] chunk : chunks) {
      Arrays.fill(chunk, 0);
    }
    filled = 0;
    hasZero = false;
  }

  /**
   * Returns how many distinct hashes several sets have together, one range of hashes after the
   * other.
   *
   * @param most an upper bound of the result
   */
  static long count(List<AscendingHashes> sets, long most) {
    int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(most / RANGE));
    AscendingHashes[] left =
        sets.stream().filter(AscendingHashes::next).toArray(AscendingHashes[]::new);
    int lefts = left.length;
    DistinctHashes seen = ofRange();
    long count = 0;
    for (long range = 0; lefts > 0; range++) {
      for (int i = lefts - 1; i >= 0; i--) {
        AscendingHashes set = left[i];
        while (set.hash() >>> (Long.SIZE - bits) == range) {
          seen.add(set.hash() << bits);
          if (!set.next()) {
            left[i] = left[--lefts];
            break;
          }
        }
      }
      count += seen.size();
      if (seen.size() <= 4 * RANGE) {
        seen.clear();
      } else {
        seen = ofRange(); // a crowd made the table large
      }
    }
    return count;
  }

  private static DistinctHashes ofRange() {
    DistinctHashes empty = new DistinctHashes();
    empty.reserve(RANGE);
    return empty;
  }

  void forEach(LongConsumer consumer) {
    if (hasZero) {
      consumer.accept(0);
    }
    for (long[] chunk : chunks) {
      for (long hash : chunk) {
        if (hash != 0) {
          consumer.accept(hash);
        }
      }
    }
  }

  /** Returns the hashes as unsigned numbers, ascending. */
  long[] sorted() {
    long[] hashes = new long[size()];
    int next = hasZero ? 1 : 0;
    int run = firstEmpty(); // before it are hashes that wrapped around the end
    for (int i = 0; i < slots; i++) {
      long hash = slot(i);
      if (hash != 0 && (i >= run || home(hash) <= i)) {
        hashes[next++] = hash;
      }
    }
    for (int i = 0; i < run; i++) {
      long hash = slot(i);
      if (home(hash) > i) {
        hashes[next++] = hash;
      }
    }
    sortNearlySorted(hashes);
    return hashes;
  }

  private long slot(int index) {
    return chunks[index >>> CHUNK_SHIFT][index & CHUNK_MASK];
  }

  private int home(long hash) {
    return (int) (hash >>> shift);
  }

  private int firstEmpty() {
    int i = 0;
    while (slot(i) != 0) {
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
    int slot = home(hash);
    for (long found = slot(slot); found != 0; found = slot(slot)) {
      if (found == hash) {
        return false;
      }
      slot = (slot + 1) & (slots - 1);
    }
    chunks[slot >>> CHUNK_SHIFT][slot & CHUNK_MASK] = hash;
    return true;
  }

  private void resize(int length) {
    long[][] old = chunks;
    chunks = chunks(length);
    slots = length;
    shift = Long.SIZE - Integer.numberOfTrailingZeros(length);
    for (long[] chunk : old) {
      for (long hash : chunk) {
        if (hash != 0) {
          insert(hash);
        }
      }
    }
  }
}
