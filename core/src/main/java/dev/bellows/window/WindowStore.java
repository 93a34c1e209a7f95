package dev.bellows.window;

import dev.bellows.internal.files.DurableContent;
import org.jspecify.annotations.Nullable;

/**
 * A store of the keys of a window by generation: a ring of bits or a table of prefixes. It works
 * with generations, not times; the filter moves its clock. Thread-safe.
 */
abstract sealed class WindowStore permits RingStore, PrefixWindow {
  /** The generation while the clock is not set. */
  static final long NO_GENERATION = Long.MIN_VALUE >> 3;

  /** The result of a put: something was stored. */
  static final int CHANGED = DurableContent.CHANGED;

  /** The result of a put: no live generation contained the key. */
  static final int ABSENT = DurableContent.ABSENT;

  /** The result of a put: its generation has expired, and nothing was stored. */
  static final int LATE = 4;

  /** The result of a put or query: only the oldest live generation contained the key. */
  static final int EDGE = 8;

  /** Returns the generation of the clock. */
  abstract long generation();

  /** Returns whether a live generation contains the key. */
  abstract boolean contains(long hash);

  /** Returns {@link #ABSENT}, {@link #EDGE}, or 0 if a newer generation contains the key. */
  abstract int seen(long hash);

  /** Returns whether putting the key into a live generation would change nothing. */
  abstract boolean holds(long hash, long generation);

  /**
   * Queries the keys {@code [from, to)}, stores each answer in {@code hits}, and returns the number
   * of hits.
   */
  int count(long[] hashes, int from, int to, boolean[] hits) {
    int count = 0;
    for (int i = from; i < to; i++) {
      boolean hit = contains(hashes[i]);
      hits[i] = hit;
      count += hit ? 1 : 0;
    }
    return count;
  }

  /**
   * Puts a key into a generation, which is at most that of the clock. If {@code onlyIfAbsent} is
   * true, a key that a live generation contains is not put.
   *
   * @return {@link #CHANGED} if something was stored, plus {@link #ABSENT} or {@link #EDGE} or
   *     nothing, as {@link #seen} would have returned before; or {@link #LATE}
   */
  abstract int put(long hash, long generation, boolean onlyIfAbsent);

  /** Moves the clock to a later generation. If {@code empties} is true, all keys expire. */
  abstract void advance(long generation, boolean empties);

  /** Clears expired content in this many small steps, unless another thread does. */
  abstract void sweep(int steps);

  /** Returns whether nothing is left to sweep. */
  abstract boolean isSettled();

  /** Removes all keys. The clock is not changed; no other thread moves it. */
  abstract void clear();

  /** Returns an independent store with the keys of all puts that returned before this call. */
  abstract WindowStore copy();

  abstract boolean isEmpty();

  /** Returns the heap memory of this store in bytes. */
  abstract long heapBytes();

  /** Returns the statistics, computed in one pass over the content. */
  abstract Numbers numbers();

  /**
   * The statistics of one generation.
   *
   * @param keys the estimated number of distinct keys
   * @param expectedFpp the false positive rate of this generation alone
   */
  record GenerationNumbers(double keys, double expectedFpp) {}

  /**
   * The statistics of the whole store.
   *
   * @param bits the size in bits
   * @param ones the number of one bits of a ring; null for prefixes
   * @param keys the estimated number of distinct keys of all generations
   * @param expectedFpp the false positive rate of all generations together
   * @param generations the statistics of each live generation, oldest first
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Numbers(
      long bits,
      @Nullable Long ones,
      double keys,
      double expectedFpp,
      GenerationNumbers[] generations) {}
}
