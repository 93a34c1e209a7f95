package dev.bellows.internal.range;

/**
 * The rates of ranges with the bits of every start and only the neighbors inside the domain: the
 * value that a simulation converges to (erratum R6).
 */
public final class BorderRates {
  private BorderRates() {}

  /** The mean rate over every start in {@code [0, domain - range]} and every number outside. */
  public static double fpp(long bits, int hashes, long domain, long range, long divide, int shift) {
    double sum = 0;
    for (long start = 0; start + range <= domain; start++) {
      long first = start / divide;
      long last = (start + range - 1) / divide;
      double fill = RangeRates.fill(bits, (double) (last - first) * shift + hashes);
      double[] byDistance = new double[HashOffset.reach(hashes, shift) + 2];
      for (int i = 0; i < byDistance.length; i++) {
        byDistance[i] = RangeRates.power(fill, Math.min(hashes, i * shift));
      }
      for (long number = 0; number < domain; number++) {
        if (number < start || number >= start + range) {
          long away = Math.max(0, Math.max(first - number / divide, number / divide - last));
          sum += byDistance[(int) Math.min(away, byDistance.length - 1)];
        }
      }
    }
    return sum / (domain - range + 1) / (domain - range);
  }
}
