package dev.bellows.web.browser;

import org.teavm.jso.JSBody;

/**
 * Replaces {@link dev.bellows.internal.base.Precise} in a browser: its own functions where it has
 * them, and two products in plain arithmetic.
 */
public final class Precise {
  /** {@code 2^27 + 1}, which splits a double into two halves of 26 bits (Veltkamp). */
  private static final double SPLITTER = 134_217_729;

  private static final long LOW_HALF = 0xffff_ffffL;

  private Precise() {}

  /** {@code ln(1 + x)}. */
  @JSBody(params = "x", script = "return Math.log1p(x);")
  public static native double log1p(double x);

  /** {@code e^x - 1}. */
  @JSBody(params = "x", script = "return Math.expm1(x);")
  public static native double expm1(double x);

  /** Returns {@code a * b - rounded}, exactly, from products of halves (Dekker). */
  public static double productError(double a, double b, double rounded) {
    double highA = high(a);
    double highB = high(b);
    double lowA = a - highA;
    double lowB = b - highB;
    return highA * highB - rounded + highA * lowB + lowA * highB + lowA * lowB;
  }

  /** Does nothing: a page has one thread. */
  public static void spin() {}

  private static double high(double value) {
    double spread = SPLITTER * value;
    return spread - (spread - value);
  }

  /** Returns the upper 64 of the 128 bits of a signed product, from products of 32 bits. */
  public static long multiplyHigh(long a, long b) {
    long lowA = a & LOW_HALF;
    long lowB = b & LOW_HALF;
    long highA = a >> 32;
    long highB = b >> 32;
    long middle = highA * lowB + ((lowA * lowB) >>> 32);
    long other = lowA * highB + (middle & LOW_HALF);
    return highA * highB + (middle >> 32) + (other >> 32);
  }
}
