package dev.bellows.autoscale;

import dev.bellows.internal.autoscale.DistinctRates;
import java.util.Locale;

/**
 * The best plain filter of a given size for a number of keys: the alternative to an autoscaling
 * filter if the number of hashes can be chosen.
 *
 * <p>A plain filter with as many bits as there are counters is more accurate up to about 1.3 keys
 * per bit (1.0 compared with the likelihood reading). A plain filter in the memory of the counters
 * is more accurate up to 20 keys per counter and more. Beyond that, thresholds win, because the
 * advantage of a plain filter over random guessing falls as {@code e^(-n/m)}, that of thresholds
 * only as {@code sqrt(m/n)}. Below these limits, use thresholds only if the number of hashes is
 * fixed (Autoscaling paper, Section 4.3).
 *
 * @param bits the size of the plain filter
 * @param keys the number of keys
 * @param hashes the best number of bits per key
 * @param fpp the false positive rate; the filter misses no key
 */
record PlainChoice(long bits, long keys, int hashes, double fpp) {
  /** Returns the best plain filter of a size for this many keys. */
  public static PlainChoice of(long bits, long keys) {
    int best = DistinctRates.bestHashes(bits, keys);
    return new PlainChoice(bits, keys, best, DistinctRates.fpp(bits, best, keys));
  }

  /** Returns the accuracy, {@code 1 - fpp/2}, because the filter misses no key. */
  public double accuracy() {
    return 1 - fpp / 2;
  }

  /** Returns a sentence that compares this filter with the given rates by a criterion. */
  public String against(ThresholdPlan.Rates rates, Criterion criterion) {
    double mine = criterion.score(1, fpp);
    double theirs = criterion.score(rates.tpr(), rates.fpr());
    return String.format(
        Locale.ROOT,
        "%s %,d bits with %d %s miss none of the %,d keys and pass %.3g of the others (%s %.5f"
            + " against %.5f).",
        mine >= theirs
            ? "If you can choose the number of hashes, use a plain filter:"
            : "No plain filter of this size is better:",
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
   * Returns a text that compares the rates with a plain filter of as many bits as there are
   * counters, and with one in the memory of the counters.
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
