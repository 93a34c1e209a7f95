package dev.bellows.papers;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.rates.BloomRates;

/**
 * How often absent keys pass real filters. A formula is a mean over hash functions, so every trial
 * hashes with a seed of its own.
 *
 * @param passed absent keys that passed
 * @param asked absent keys in all
 */
public record Simulation(long passed, long asked) {
  /** Fills CLASSIC filters of one shape and asks each for absent keys. */
  public static Simulation bloom(long bits, int hashes, long keys, int trials, long absentKeys) {
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
      for (long key = 1; key <= absentKeys; key++) {
        passed += filter.mightContain(-key) ? 1 : 0;
      }
    }
    return new Simulation(passed, trials * absentKeys);
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
