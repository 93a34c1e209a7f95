package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.AutoscalingBloomFilter;

/**
 * Four keys with three positions each in twenty counters, and a fifth key that is not stored: the
 * filter of Figure 1 of the Autoscaling paper.
 *
 * @param seed the seed of its hash
 * @param counters the counting filter, and the individual filters of x1 to x4 and y
 */
record ToyFilter(int seed, int[][] counters) {
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
    return new ToyFilter(seed, counters);
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
    boolean fits = hits(ABSENT, 0) == 3 && hits(ABSENT, 1) == 1 && highest() == KEYS - 1;
    for (int key = 1; key <= KEYS; key++) {
      fits &= hits(key, 1) >= 2;
    }
    return fits;
  }

  /** Returns the highest counter. */
  int highest() {
    int highest = 0;
    for (int count : counters[0]) {
      highest = Math.max(highest, count);
    }
    return highest;
  }

  /** Returns how many positions of a key, 1 to 4 or {@link #ABSENT}, hold more than theta. */
  int hits(int key, int theta) {
    int hits = 0;
    for (int i = 0; i < BITS; i++) {
      hits += counters[key][i] > 0 && counters[0][i] > theta ? 1 : 0;
    }
    return hits;
  }

  /** Returns how many of the stored keys have at least this many hits. */
  int accepted(int theta, int decision) {
    int accepted = 0;
    for (int key = 1; key <= KEYS; key++) {
      accepted += hits(key, theta) >= decision ? 1 : 0;
    }
    return accepted;
  }
}
