package dev.bellows.window;

import org.jspecify.annotations.Nullable;

/**
 * The keys of a window by generation: a ring of bits or a table of prefixes. It knows generations
 * and no times; the filter is its clock. Safe from any thread.
 */
abstract sealed class WindowStore permits RingStore, PrefixWindow {
  /** The generation before the first time. */
  static final long NO_GENERATION = Long.MIN_VALUE >> 3;

  /** The result of a put: a live generation had the key before. */
  static final int FOUND = 1;

  /** The result of a put: something was stored. */
  static final int CHANGED = 2;

  /** The result of a put: its generation has expired, and nothing was stored. */
  static final int LATE = -1;

  /** The generation of the clock. */
  abstract long generation();

  /** Whether a live generation has the key. */
  abstract boolean contains(long hash);

  /** Whether putting the key into a live generation would change nothing. */
  abstract boolean holds(long hash, long generation);

  /** Whether live generations have each of the keys {@code [from, to)}; returns how many. */
  abstract int count(long[] hashes, int from, int to, boolean[] hits);

  /**
   * Puts a key into a generation, at most that of the clock; unless a live one has it, if so
   * requested.
   *
   * @return {@link #FOUND} and {@link #CHANGED}, or {@link #LATE}
   */
  abstract int put(long hash, long generation, boolean onlyIfAbsent);

  /** Moves the clock to a later generation; all keys expire if it empties the window. */
  abstract void advance(long generation, boolean empties);

  /** Takes some small steps to give back what has expired. */
  abstract void sweep(int steps);

  /** Whether nothing is left to sweep. */
  abstract boolean isSettled();

  /** Forgets all keys; the clock stays. */
  abstract void clear();

  /** An independent store with the keys of all puts that returned before. */
  abstract WindowStore copy();

  abstract boolean isEmpty();

  /** The bytes of heap that it takes, counted. */
  abstract long heapBytes();

  /** One pass over everything. */
  abstract Numbers numbers();

  /**
   * One generation.
   *
   * @param keys estimated
   * @param expectedFpp the rate of it alone
   */
  record GenerationNumbers(double keys, double expectedFpp) {}

  /**
   * All of it.
   *
   * @param bits the size
   * @param hashes bits per key
   * @param ones the ones of a ring
   * @param keys distinct keys of all generations, estimated
   * @param expectedFpp the rate of all generations together
   * @param generations the oldest first
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Numbers(
      long bits,
      int hashes,
      @Nullable Long ones,
      double keys,
      double expectedFpp,
      GenerationNumbers[] generations) {}
}
