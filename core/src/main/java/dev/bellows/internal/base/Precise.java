package dev.bellows.internal.base;

/**
 * Functions of {@link Math} that determine the precision of formulas and are not available on every
 * platform. The planner page runs the formulas in a browser, where another class replaces this one.
 * Formulas must therefore call these functions here, never in {@link Math}.
 */
public final class Precise {
  private Precise() {}

  /** Returns {@code ln(1 + x)}, with full precision for small x. */
  public static double log1p(double x) {
    return Math.log1p(x);
  }

  /** Returns {@code e^x - 1}, with full precision for small x. */
  public static double expm1(double x) {
    return Math.expm1(x);
  }

  /** Returns exactly {@code a * b - rounded}, where {@code rounded} is the product as a double. */
  public static double productError(double a, double b, double rounded) {
    return Math.fma(a, b, -rounded);
  }

  /** Hints to the processor that this thread is spinning. */
  public static void spin() {
    Thread.onSpinWait();
  }

  /** Returns the upper 64 of the 128 bits of a signed product. */
  public static long multiplyHigh(long a, long b) {
    return Math.multiplyHigh(a, b);
  }
}
