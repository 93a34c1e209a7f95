package dev.bellows.papers;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.plan.BloomRates;
import dev.bellows.plan.Layout;

/**
 * How often outsiders pass real filters. A formula is a mean over hash functions, so every trial
 * hashes with a seed of its own.
 *
 * @param passed outsiders that passed
 * @param asked outsiders in all
 */
public record Simulation(long passed, long asked) {
  /** Fills CLASSIC filters of one shape and asks each for outsiders. */
  public static Simulation bloom(long bits, int hashes, long keys, int trials, long outsiders) {
    long passed = 0;
    for (int trial = 0; trial < trials; trial++) {
      BloomFilter filter =
          BloomFilter.builder()
              .bits(bits)
              .hashes(hashes)
              .layout(Layout.CLASSIC)
              .hashScheme(HashScheme.xxh3(trial))
              .build();
      for (long key = 0; key < keys; key++) {
        filter.put(key);
      }
      for (long key = 1; key <= outsiders; key++) {
        passed += filter.mightContain(-key) ? 1 : 0;
      }
    }
    return new Simulation(passed, trials * outsiders);
  }

  /** The mean rate over hash functions that {@link #bloom} tends to (errata C1). */
  public static double expected(long bits, long keys, int hashes) {
    double exact = BloomRates.fppExact(bits, keys, hashes);
    return Double.isNaN(exact) ? BloomRates.fppClassic(bits, keys, hashes) : exact;
  }

  /** The measured rate. */
  public double rate() {
    return (double) passed / asked;
  }
}
