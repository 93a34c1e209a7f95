package dev.bellows.web.browser;

/** Replaces hash4j's products. */
public final class UnsignedMultiplyUtil {
  private UnsignedMultiplyUtil() {}

  /** The upper 64 of the 128 bits of an unsigned product. */
  public static long unsignedMultiplyHigh(long a, long b) {
    return Precise.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
  }
}
