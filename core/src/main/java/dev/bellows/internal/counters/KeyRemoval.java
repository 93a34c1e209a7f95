package dev.bellows.internal.counters;

import dev.bellows.internal.bits.PackedCounters;
import dev.bellows.internal.layout.Positions;
import java.util.Arrays;

/**
 * Removes keys from counters, one after the other: it holds the positions of the current key, and
 * marks to detect whether two of them coincide.
 */
final class KeyRemoval {
  /** The number of marks, large enough that the few positions of a key rarely share one. */
  private static final int MARKS = 1024;

  /** The result of {@link #remove} if a counter is too small. */
  static final int REFUSED = -1;

  private final long[] places;
  private final int[] marks = new int[MARKS];
  private int stamp;

  KeyRemoval(int mostHashes) {
    this.places = new long[mostHashes];
  }

  /** Returns the maximum number of positions of a key. */
  int mostHashes() {
    return places.length;
  }

  /**
   * Subtracts one count of a key from each of its probes and returns how many counters became zero.
   * If a counter is too small, changes nothing and returns {@link #REFUSED}. All counters are
   * checked before the first one changes, so that no query of another key sees a temporary zero.
   */
  int remove(PackedCounters packed, Positions positions, long hash) {
    int hashes = positions.hashes();
    long[] places = this.places;
    int[] marks = this.marks;
    int stamp = nextStamp();
    // negative iff a counter is zero; then whether one is saturated, or two probes may coincide
    long anyZero = 0;
    long special = 0;
    int emptied = 0;
    long value = positions.begin(hash);
    for (int i = 0; i < hashes; i++) {
      value = positions.step(value, i);
      long position = positions.at(hash, value, i);
      long count = packed.get(position);
      int mark = (int) position & MARKS - 1;
      anyZero |= count - 1;
      emptied += (int) ((count - 2) >>> 63);
      special |= (count + 1) >>> packed.width | (marks[mark] == stamp ? 1 : 0);
      marks[mark] = stamp;
      places[i] = position;
    }
    if (anyZero < 0) {
      return REFUSED;
    }
    if (special != 0) {
      return removeSpecial(packed, hashes);
    }
    for (int i = 0; i < hashes; i++) {
      packed.change(places[i], -1);
    }
    return emptied;
  }

  /** Removes a key if counters may be saturated, or if several probes share one counter. */
  private int removeSpecial(PackedCounters packed, int hashes) {
    Arrays.sort(places, 0, hashes);
    int probes = 0;
    for (int i = 0; i < hashes; i++) {
      probes = i > 0 && places[i] == places[i - 1] ? probes + 1 : 1;
      if (packed.get(places[i]) < Math.min(probes, packed.saturated)) {
        return REFUSED;
      }
    }
    int emptied = 0;
    for (int i = 0; i < hashes; i++) {
      if (packed.get(places[i]) != packed.saturated) {
        packed.change(places[i], -1);
        emptied += packed.get(places[i]) == 0 ? 1 : 0;
      }
    }
    return emptied;
  }

  /** Returns a stamp that no mark has. */
  private int nextStamp() {
    if (++stamp == 0) {
      Arrays.fill(marks, 0);
      stamp = 1;
    }
    return stamp;
  }
}
