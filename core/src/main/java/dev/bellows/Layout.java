package dev.bellows;

/**
 * How a key chooses its bits. Both layouts are an array of equal cells in which a key chooses cells
 * by {@code hash mod cells}, so both obey the same fold law (000 Eq 3).
 */
public enum Layout {
  /** A cell is one bit, k cells per key: the fewest bits, k cache misses. */
  CLASSIC,

  /**
   * A cell is a block of 512 bits, one cell per key: one cache miss, a few per cent more bits from
   * 1 % to 0.1 %, a third more at 1e-6 and twice as many at 1e-9.
   */
  BLOCKED
}
