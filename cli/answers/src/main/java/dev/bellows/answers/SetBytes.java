package dev.bellows.answers;

/**
 * The memory of exact sets of 64-bit keys on a 64-bit JVM with compressed pointers and objects
 * aligned to 8 bytes.
 *
 * <p>{@code java.util.HashSet<Long>}: for each key an entry of 32 bytes (header 12, hash 4, three
 * references 12, padding 4) and a {@code Long} of 24 (header 12, padding 4, value 8), and a table
 * with 4 bytes per slot, whose length is a power of two and which is at most three quarters full. A
 * set with open addressing has only a table of this length, with 8 bytes per slot.
 */
public final class SetBytes {
  private static final int ENTRY = 32;
  private static final int BOXED_LONG = 24;
  private static final int REFERENCE = 4;
  private static final int FEWEST_SLOTS = 16;

  private SetBytes() {}

  /**
   * Returns the size in bytes of a {@code java.util.HashSet<Long>} to which the keys were added one
   * by one.
   */
  public static double hashSet(long keys) {
    return (double) keys * (ENTRY + BOXED_LONG) + REFERENCE * slots(keys);
  }

  /** Returns the size in bytes of a set of longs with open addressing. */
  public static double openAddressing(long keys) {
    return Long.BYTES * slots(keys);
  }

  /** Returns the smallest power of two that the keys fill to at most three quarters. */
  private static double slots(long keys) {
    double slots = FEWEST_SLOTS;
    while (4.0 * keys > 3 * slots) {
      slots *= 2;
    }
    return slots;
  }
}
