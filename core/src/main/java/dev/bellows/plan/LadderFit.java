package dev.bellows.plan;

import java.util.Arrays;

/**
 * How closely the ladder of a capacity follows the sizes it is asked for.
 *
 * <p>A set that needs s bits gets the smallest size of the ladder that is at least s; that size
 * over s is the oversize. The mean is over all needs between the smallest and the largest,
 * <i>spread evenly on a logarithmic scale</i>: a set is as likely to be between 1,000 and 2,000
 * keys as between 1 and 2 million. It is integrated exactly, step by step: needs in (a, b] that are
 * served by b have a mean of {@code b (1/a - 1/b) / ln(b/a)}, which is 1/ln 2 = 1.44 for powers of
 * two.
 *
 * @param capacity the unfolded size in bits
 * @param worstOversize the supremum over the needs: just above a step
 * @param meanOversize the mean over the needs
 * @param bandShare the share of the needs that are served inside the band of rates
 */
public record LadderFit(
    long capacity, double worstOversize, double meanOversize, double bandShare) {

  /**
   * Measures a ladder.
   *
   * @param sizes the ladder, ascending
   * @param smallest the smallest need, in bits
   * @param largest the largest need: the ladder must reach it
   * @param band the largest oversize at which the rate is still inside the band
   */
  static LadderFit of(long capacity, long[] sizes, double smallest, double largest, double band) {
    int step = firstAtLeast(sizes, smallest);
    if (sizes[sizes.length - 1] < largest) {
      throw new IllegalArgumentException(
          "a ladder up to %d bits does not serve a need of %s bits: take a larger capacity"
              .formatted(sizes[sizes.length - 1], largest));
    }
    if (smallest == largest) {
      double oversize = sizes[step] / smallest;
      return new LadderFit(capacity, oversize, oversize, oversize <= band ? 1 : 0);
    }
    double worst = 1;
    double sum = 0;
    double inBand = 0;
    double from = smallest;
    while (from < largest) {
      double size = sizes[step++];
      double to = Math.min(size, largest);
      worst = Math.max(worst, size / from);
      sum += size * (1 / from - 1 / to);
      inBand += Math.max(0, Math.log(to / Math.max(from, size / band)));
      from = to;
    }
    double width = Math.log(largest / smallest);
    return new LadderFit(capacity, worst, sum / width, Math.min(1, inBand / width));
  }

  /** The lowest mean that so many steps can reach between the needs: steps of equal ratio. */
  static double lowestMean(double smallest, double largest, long steps) {
    double log = Math.log(largest / smallest) / steps;
    return log == 0 ? 1 : Math.expm1(log) / log;
  }

  private static int firstAtLeast(long[] sizes, double need) {
    int found = Arrays.binarySearch(sizes, (long) Math.ceil(need));
    return found >= 0 ? found : -found - 1;
  }
}
