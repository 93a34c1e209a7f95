package dev.bellows.internal.math;

/**
 * The memory of exact sets of 64-bit keys on a 64-bit JVM with compressed pointers and objects
 * aligned to 8 bytes.
 *
 * <p>{@code java.util.HashSet<Long>}: for each key an entry of 32 bytes (header 12, hash 4, three
 * references 12, padding 4) and a {@code Long} of 24 (header 12, padding 4, value 8), and a table
 * of 4 bytes per slot, a power of two that is at most three quarters full. Open addressing: 8 bytes
 * per slot in a table of the same rule, nothing else.
 */
public final class SetBytes {
  private static final int ENTRY = 32;
  private static final int BOXED_LONG = 24;
  private static final int REFERENCE = 4;
  private static final int FEWEST_SLOTS = 16;

  private SetBytes() {}

  /** Bytes of a {@code java.util.HashSet<Long>} that grew to its keys. */
  public static double hashSet(long keys) {
    return (double) keys * (ENTRY + BOXED_LONG) + REFERENCE * slots(keys);
  }

  /** Bytes of a set of longs with open addressing. */
  public static double openAddressing(long keys) {
    return Long.BYTES * slots(keys);
  }

  /** Returns the smallest power of two of which the keys fill at most three quarters. */
  private static double slots(long keys) {
    double slots = FEWEST_SLOTS;
    while (4.0 * keys > 3 * slots) {
      slots *= 2;
    }
    return slots;
  }
}
