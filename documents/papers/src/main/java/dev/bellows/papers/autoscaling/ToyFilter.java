package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Four keys with three positions each in twenty counters, and a fifth key that is not stored: the
 * filter of Figure 1 of the Autoscaling paper.
 *
 * @param counters the counting filter, and the individual filters of x1 to x4 and y
 */
record ToyFilter(int[][] counters) {
  static final int BITS = 20;
  static final int HASHES = 3;
  static final int KEYS = 4;

  /** The place of y among the individual filters. */
  static final int ABSENT = KEYS + 1;

  /** Returns the filter with the first seed that matches the text about the figure. */
  static ToyFilter asInTheFigure() {
    for (int seed = 0; ; seed++) {
      ToyFilter filter = of(seed);
      if (filter.fits()) {
        return filter;
      }
    }
  }

  private static ToyFilter of(int seed) {
    int[][] counters = new int[KEYS + 2][BITS];
    AutoscalingBloomFilter all = empty(seed);
    for (int key = 1; key <= ABSENT; key++) {
      AutoscalingBloomFilter one = empty(seed);
      one.put((long) key);
      read(one, counters[key]);
      if (key != ABSENT) {
        all.put((long) key);
      }
    }
    read(all, counters[0]);
    return new ToyFilter(counters);
  }

  private static AutoscalingBloomFilter empty(int seed) {
    return AutoscalingBloomFilter.builder()
        .bits(BITS)
        .hashes(HASHES)
        .seed(seed)
        .thresholds(0, HASHES)
        .build();
  }

  private static void read(AutoscalingBloomFilter filter, int[] counters) {
    for (int i = 0; i < BITS; i++) {
      counters[i] = (int) filter.count(i);
    }
  }

  /**
   * Returns whether the standard filter accepts y, and theta = 1 with T = 2 is right for every key.
   */
  private boolean fits() {
    int highest = Arrays.stream(counters[0]).max().orElseThrow();
    return hits(ABSENT, 0) == 3
        && hits(ABSENT, 1) == 1
        && highest == KEYS - 1
        && accepted(1, 2) == KEYS;
  }

  /** Returns how many positions of a key, 1 to 4 or {@link #ABSENT}, hold more than theta. */
  long hits(int key, int theta) {
    return IntStream.range(0, BITS)
        .filter(i -> counters[key][i] > 0 && counters[0][i] > theta)
        .count();
  }

  /** Returns how many of the stored keys have at least this many hits. */
  long accepted(int theta, int decision) {
    return IntStream.rangeClosed(1, KEYS).filter(key -> hits(key, theta) >= decision).count();
  }
}
