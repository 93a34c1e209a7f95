package dev.bellows.internal.range;

/**
 * The rates of ranges with the bits of every start and only the neighbors inside the domain: the
 * value that a simulation converges to (erratum R6).
 */
public final class BorderRates {
  private BorderRates() {}

  /** The mean rate over every start in {@code [0, domain - range]}. */
  public static double fpp(long bits, int hashes, long domain, long range, long divide, int shift) {
    return RangeRates.meanOverStarts(
        hashes,
        domain,
        range,
        divide,
        shift,
        insertionBits -> {
          double[] chances = new double[hashes + 1];
          for (int i = 0; i <= hashes; i++) {
            chances[i] = RangeRates.power(RangeRates.fill(bits, insertionBits), i);
          }
          return chances;
        });
  }
}
