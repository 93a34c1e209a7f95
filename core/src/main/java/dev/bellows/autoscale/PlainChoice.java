package dev.bellows.autoscale;

import dev.bellows.internal.autoscale.DistinctRates;
import java.util.Locale;

/**
 * The best plain filter of a size for a number of keys: the alternative to an autoscaling filter if
 * the number of hashes can be chosen.
 *
 * <p>With as many bits as there are counters, it has the higher accuracy up to about 1.3 keys per
 * bit (1.0 against the likelihood reading); with the memory of the counters, up to 20 keys per
 * counter and more: its excess over random guessing falls as {@code e^(-n/m)}, that of thresholds
 * only as {@code sqrt(m/n)}. Below that, use thresholds only if the number of hashes is fixed (004,
 * 4.3).
 *
 * @param bits its size
 * @param keys the keys it would hold
 * @param hashes bits per key, the best number
 * @param fpp its false positive rate; it misses no key
 */
record PlainChoice(long bits, long keys, int hashes, double fpp) {
  /** Returns the best plain filter of a size for this many keys. */
  public static PlainChoice of(long bits, long keys) {
    int best = DistinctRates.bestHashes(bits, keys);
    return new PlainChoice(bits, keys, best, DistinctRates.fpp(bits, best, keys));
  }

  /** Returns {@code 1 - fpp/2}, because it misses no key. */
  public double accuracy() {
    return 1 - fpp / 2;
  }

  /** Returns the comparison in one sentence, by the given criterion. */
  public String against(ThresholdPlan.Rates rates, Criterion criterion) {
    double mine = criterion.score(1, fpp);
    double theirs = criterion.score(rates.tpr(), rates.fpr());
    return String.format(
        Locale.ROOT,
        "%s %,d bits with %d %s miss none of the %,d keys and pass %.3g of the others (%s %.5f"
            + " against %.5f).",
        mine >= theirs
            ? "If you can choose the number of hashes, take a plain filter:"
            : "No plain filter of this size does better:",
        bits,
        hashes,
        hashes == 1 ? "hash" : "hashes",
        keys,
        fpp,
        criterion.word(),
        Math.abs(mine),
        Math.abs(theirs));
  }

  /**
   * Returns the comparison with a plain filter of as many bits as there are counters, and with one
   * in the memory that the counters take.
   */
  public static String sentence(
      long bits, int counterBits, long keys, ThresholdPlan.Rates rates, Criterion criterion) {
    String sameSize = of(bits, keys).against(rates, criterion);
    if (bits > Long.MAX_VALUE / counterBits) {
      return sameSize;
    }
    PlainChoice roomy = of(bits * counterBits, keys);
    return sameSize
        + String.format(
            Locale.ROOT,
            "\nIn the memory of the counters it would have %,d bits with %d %s and pass %.3g (%s"
                + " %.5f).",
            roomy.bits,
            roomy.hashes,
            roomy.hashes == 1 ? "hash" : "hashes",
            roomy.fpp,
            criterion.word(),
            Math.abs(criterion.score(1, roomy.fpp)));
  }
}
