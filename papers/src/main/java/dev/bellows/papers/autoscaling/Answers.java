package dev.bellows.papers.autoscaling;

import dev.bellows.papers.Measured;
import dev.bellows.papers.Result;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;

/**
 * What many filters, each hashed again, answered for stored and for absent keys.
 *
 * @param stored the rate of stored keys that were accepted
 * @param absent the rate of absent keys that were accepted
 */
record Answers(ClusteredRate stored, ClusteredRate absent) {
  /**
   * Queries filters.
   *
   * @param filters how many
   * @param queries stored keys, 0 and up, and absent keys, -1 and down, that are queried in each
   * @param filled the filter with a seed, filled with the keys from 0 up
   */
  static Answers of(int filters, int queries, IntFunction<LongPredicate> filled) {
    long[] stored = new long[filters];
    long[] absent = new long[filters];
    for (int i = 0; i < filters; i++) {
      LongPredicate filter = filled.apply(i);
      for (long key = 0; key < queries; key++) {
        stored[i] += filter.test(key) ? 1 : 0;
        absent[i] += filter.test(-1 - key) ? 1 : 0;
      }
    }
    return new Answers(new ClusteredRate(stored, queries), new ClusteredRate(absent, queries));
  }

  /** Returns the accuracy, (TPR + 1 - FPR) / 2. */
  double accuracy() {
    return (stored.rate() + 1 - absent.rate()) / 2;
  }

  /** Returns the interval of the accuracy, from those of the two rates with half the alpha each. */
  Measured measuredAccuracy() {
    Measured tpr = stored.interval(Result.ALPHA / 2);
    Measured fpr = absent.interval(Result.ALPHA / 2);
    return new Measured(
        accuracy(),
        (tpr.low() + 1 - fpr.high()) / 2,
        (tpr.high() + 1 - fpr.low()) / 2,
        Result.ALPHA);
  }
}
