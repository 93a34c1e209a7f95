package dev.bellows.papers.folding;

/**
 * The Dickman-de Bruijn function: the share of numbers near {@code x = y^u} without a prime factor
 * above y (Folding paper, Eq. 11 and 12; it is 1 on [0, 1], see erratum F14).
 *
 * <p>On the unit interval below k it is a power series, {@code rho(k - t) = SUM c_i t^i} for t in
 * [0, 1]. The equation {@code u rho'(u) = -rho(u - 1)} gives each series from the one before, and
 * {@code k rho(k) = integral of rho over [k - 1, k]} gives its constant. All coefficients are
 * positive and fall like 2^-i (the nearest singularity is two away from k), so nothing cancels and
 * sixty-odd terms reach the last bit.
 */
final class DickmanRho {
  private static final int TERMS = 72;

  /** From here on the value is below the smallest double. */
  private static final double VANISHED = 170;

  private DickmanRho() {}

  /** rho(u), for u of at least 0. */
  static double rho(double u) {
    if (!(u >= 0)) {
      throw new IllegalArgumentException("u must be at least 0: " + u);
    }
    if (u <= 1) {
      return 1;
    }
    if (u > VANISHED) {
      return 0;
    }
    int last = (int) Math.ceil(u);
    double[] series = new double[TERMS];
    series[0] = 1;
    for (int interval = 2; interval <= last; interval++) {
      series = next(series, interval);
    }
    double t = last - u;
    double sum = 0;
    for (int i = TERMS - 1; i >= 0; i--) {
      sum = sum * t + series[i];
    }
    return sum;
  }

  /**
   * Returns {@code x rho(ln x / ln y)}: the expected number of y-smooth numbers up to x (Folding
   * paper, Eq. 11).
   */
  static double smoothCount(double limit, double smooth) {
    if (!(limit >= 1 && smooth >= 2)) {
      throw new IllegalArgumentException(
          "limit must be at least 1 and smooth at least 2: " + limit + ", " + smooth);
    }
    return limit * rho(Math.log(limit) / Math.log(smooth));
  }

  /** Returns the series below {@code end} from the series below {@code end - 1}. */
  private static double[] next(double[] before, int end) {
    double[] series = new double[TERMS];
    // -u rho'(u) with u = end - t:  (end - t) SUM i c_i t^(i-1) = SUM before_i t^i
    double derivative = 0;
    for (int i = 1; i < TERMS; i++) {
      derivative = (before[i - 1] + derivative) / end;
      series[i] = derivative / i;
    }
    double integral = 0;
    for (int i = TERMS - 1; i >= 1; i--) {
      integral += series[i] / (i + 1);
    }
    series[0] = integral / (end - 1);
    return series;
  }
}
