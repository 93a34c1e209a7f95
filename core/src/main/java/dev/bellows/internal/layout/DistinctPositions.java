package dev.bellows.internal.layout;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.Arrays;

/**
 * Maps a 64-bit hash to {@code hashes} <em>distinct</em> positions: the convention of the
 * autoscaling filter (erratum <a href="{@docRoot}/doc-files/errata.html#A1">A1</a>). {@link
 * Positions#at} is the other convention, in which positions may coincide and are then counted
 * separately (erratum <a href="{@docRoot}/doc-files/errata.html#F6">F6</a>); the two are different
 * types so that they are never mixed in one store.
 *
 * <p>Floyd's sampling: for {@code last = bits - k, ..., bits - 1} the next value of the CLASSIC
 * sequence chooses a position from 0 to {@code last}, by multiplication; if the key has it already,
 * {@code last} itself is used, which no earlier step could choose. After k values there are k
 * positions for every hash, and every set of k positions is equally likely: the set before a step
 * is a uniform subset of the positions below {@code last}, and the step extends it to a uniform
 * subset of the positions up to {@code last} (Bentley and Floyd, "A sample of brilliance", CACM
 * 30(9), 1987).
 *
 * <p>Repeats are found in a table that belongs to the calling thread. Its entries contain the
 * number of the draw that made them, so nothing is cleared between draws and nothing is allocated
 * after the first; readers in different threads share nothing.
 */
public final class DistinctPositions {
  private static final ThreadLocal<Draw> DRAWS = ThreadLocal.withInitial(Draw::new);

  private final long bits;
  private final int hashes;
  private final int tableSize;

  /** Creates the mapping to positions in this many bits. */
  public DistinctPositions(long bits, int hashes) {
    Checks.inRange(1, Positions.MAX_HASHES, hashes, "hashes");
    if (hashes > bits) {
      throw new IllegalArgumentException(
          "%d hashes need as many distinct positions, but there are only %d bits: use fewer hashes or more bits"
              .formatted(hashes, bits));
    }
    this.bits = bits;
    this.hashes = hashes;
    this.tableSize = Integer.highestOneBit(hashes) << 2;
  }

  /** Returns the number of distinct positions per key. */
  public int hashes() {
    return hashes;
  }

  /**
   * Returns the positions of a key, to be taken at most {@link #hashes} times. The draw belongs to
   * the calling thread until its next call of this method.
   */
  public Draw draw(long hash) {
    Draw draw = DRAWS.get();
    draw.begin(this, hash);
    return draw;
  }

  /** The positions of one key, one after the other. */
  public static final class Draw {
    /**
     * The number of bits of an entry that hold the position; the others hold the number of the
     * draw.
     */
    private static final int POSITION_BITS = 37;

    private static final long LAST_STAMP = (1L << (Long.SIZE - POSITION_BITS)) - 1;

    private long[] table = new long[64];
    private long[] taken = new long[64];
    private long stamp;
    private int mask;
    private long value;

    /** The number of positions from which the next step chooses. */
    private long choices;

    private Draw() {}

    private void begin(DistinctPositions positions, long hash) {
      if (table.length < positions.tableSize) {
        table = new long[positions.tableSize];
      }
      if (stamp == LAST_STAMP) {
        Arrays.fill(table, 0);
        stamp = 0;
      }
      stamp++;
      mask = positions.tableSize - 1;
      value = hash;
      choices = positions.bits - positions.hashes + 1;
    }

    /** Returns the next position of the key. */
    public long next() {
      value = ClassicPositions.next(value);
      // the upper 62 bits, scaled to the number of choices
      long position = Precise.multiplyHigh(value >>> 2, choices << 2);
      choices++;
      if (name(position)) {
        return position;
      }
      name(choices - 2);
      return choices - 2;
    }

    /**
     * Returns the next {@code count} positions of the key, at the beginning of an array that
     * belongs to this draw. All of them are known before the first is used, so that cache misses
     * overlap.
     */
    public long[] take(int count) {
      if (taken.length < count) {
        taken = new long[count];
      }
      for (int i = 0; i < count; i++) {
        taken[i] = next();
      }
      return taken;
    }

    /** Adds a position. Returns false if it was already present. */
    private boolean name(long position) {
      long entry = stamp << POSITION_BITS | position;
      int slot = (int) position & mask;
      while (table[slot] >>> POSITION_BITS == stamp) {
        if (table[slot] == entry) {
          return false;
        }
        slot = (slot + 1) & mask;
      }
      table[slot] = entry;
      return true;
    }
  }
}
