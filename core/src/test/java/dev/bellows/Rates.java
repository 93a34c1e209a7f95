package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.math.BinomialInterval;
import java.util.function.LongPredicate;

/** Measured rates and the intervals they must be in. */
public final class Rates {
  /** The probability that a correct library fails a single check. */
  public static final double ALPHA = 1e-9;

  private Rates() {}

  /**
   * Runs {@code trials} queries and requires that the exact interval contains the expected rate.
   */
  public static void assertRate(long trials, LongPredicate hit, double expected) {
    long hits = count(trials, hit);
    BinomialInterval interval = BinomialInterval.of(hits, trials, ALPHA);
    assertThat(interval.contains(expected))
        .as("%d hits of %d: %s should hold %s", hits, trials, interval, expected)
        .isTrue();
  }

  public static long count(long trials, LongPredicate hit) {
    long hits = 0;
    for (long i = 0; i < trials; i++) {
      hits += hit.test(i) ? 1 : 0;
    }
    return hits;
  }
}
