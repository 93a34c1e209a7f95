package dev.bellows.papers;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.math.BloomRates;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * How often absent keys pass real filters. A formula is an average over hash functions, so every
 * trial uses its own seed. Keys put are 0 and up, absent ones -1 and down.
 */
public final class Simulation {
  private Simulation() {}

  /** Fills CLASSIC filters of one shape and queries absent keys in each. */
  public static Measured bloom(long bits, int hashes, long keys, int trials, long absentKeys) {
    long passed = 0;
    for (int trial = 0; trial < trials; trial++) {
      passed += passed(filter(bits, hashes, keys, trial)::mightContain, absentKeys);
    }
    return Measured.of(passed, trials * absentKeys);
  }

  /** Returns a CLASSIC filter with keys, hashed by the seed. */
  public static BloomFilter filter(long bits, int hashes, long keys, long seed) {
    return filter(bits, hashes, LongStream.range(0, keys), seed);
  }

  /** Returns a CLASSIC filter with any keys, hashed by the seed. */
  public static BloomFilter filter(long bits, int hashes, LongStream keys, long seed) {
    BloomFilter filter =
        BloomFilter.builder()
            .bits(bits)
            .hashes(hashes)
            .layout(Layout.Family.CLASSIC)
            .hashScheme(HashScheme.xxh3(seed))
            .id(1)
            .build();
    keys.forEach(filter::put);
    return filter;
  }

  /** Returns how many of this many absent keys pass a filter. */
  public static long passed(LongPredicate filter, long absentKeys) {
    return LongStream.rangeClosed(1, absentKeys).filter(key -> filter.test(-key)).count();
  }

  /** Returns the mean rate over hash functions that {@link #bloom} tends to (erratum C1). */
  public static double expected(long bits, long keys, int hashes) {
    double exact = BloomRates.fppExact(bits, keys, hashes);
    return Double.isNaN(exact) ? BloomRates.fppClassic(bits, keys, hashes) : exact;
  }
}
