package dev.bellows.internal.base;

/**
 * The functions of {@link Math} on which the digits of the formulas depend and which not every
 * platform has. The planner page runs the formulas in a browser, where another class takes the
 * place of this one; formulas call these functions here and never in {@link Math}.
 */
public final class Precise {
  private Precise() {}

  /** Returns {@code ln(1 + x)}, with all digits of a small x. */
  public static double log1p(double x) {
    return Math.log1p(x);
  }

  /** Returns {@code e^x - 1}, with all digits of a small x. */
  public static double expm1(double x) {
    return Math.expm1(x);
  }

  /** Returns {@code a * b - rounded}, exactly, where rounded is the product as a double. */
  public static double productError(double a, double b, double rounded) {
    return Math.fma(a, b, -rounded);
  }

  /** Tells the processor that this thread waits for another one. */
  public static void spin() {
    Thread.onSpinWait();
  }

  /** Returns the upper 64 of the 128 bits of a signed product. */
  public static long multiplyHigh(long a, long b) {
    return Math.multiplyHigh(a, b);
  }
}
