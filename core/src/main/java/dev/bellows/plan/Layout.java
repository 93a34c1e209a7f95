package dev.bellows.plan;

/**
 * How a key chooses its bits. Both layouts are an array of equal cells in which a key chooses cells
 * by {@code hash mod cells}, so both obey the same fold law (000 Eq 3).
 */
public enum Layout {
  /** A cell is one bit, k cells per key: the fewest bits, k cache misses. */
  CLASSIC(0, 1),

  /**
   * A cell is a block of 512 bits, one cell per key: one cache miss, a few per cent more bits from
   * 1 % to 0.1 %, a third more at 1e-6 and twice as many at 1e-9.
   */
  BLOCKED(1, 512);

  private final int id;
  private final int cellBits;

  Layout(int id, int cellBits) {
    this.id = id;
    this.cellBits = cellBits;
  }

  /** The frozen number of this layout in files. */
  public int id() {
    return id;
  }

  /** The layout with this number. */
  public static Layout ofId(int id) {
    return switch (id) {
      case 0 -> CLASSIC;
      case 1 -> BLOCKED;
      default -> throw new IllegalArgumentException("unknown layout " + id);
    };
  }

  /** Bits in a cell: a size in bits is a multiple of it. */
  public int cellBits() {
    return cellBits;
  }
}
