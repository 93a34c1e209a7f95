package dev.bellows.internal.store;

import java.util.Arrays;

/**
 * From a 64-bit hash to {@code hashes} <em>distinct</em> positions: the convention of the
 * autoscaling filter (errata A1). {@link Positions#position} is the other one, in which positions
 * may coincide and count as often as they do (errata F6); the two are different types so that no
 * store ever sees both.
 *
 * <p>The positions of a key are the first k different values of the CLASSIC sequence continued as
 * far as it takes: a draw without repetition, every set of k cells as likely as every other. Where
 * k exceeds half the cells the sequence names the cells the key does <em>not</em> take, so that
 * never more than about 0.7 m values are needed. The rule is frozen in spec/HASHING.md.
 *
 * <p>Repeats are found in a table that belongs to the calling thread. Its entries carry the number
 * of the draw that made them, so nothing is cleared between draws and nothing is allocated after
 * the first; readers in different threads share nothing.
 */
public final class DistinctPositions {
  private static final ThreadLocal<Draw> DRAWS = ThreadLocal.withInitial(Draw::new);

  private final Positions sequence;
  private final long bits;
  private final int hashes;
  private final boolean complement;
  private final int drawn;
  private final int tableSize;

  /** The positions of keys in so many cells. */
  public DistinctPositions(long bits, int hashes) {
    this.sequence = Positions.classic(bits, hashes);
    if (hashes > bits) {
      throw new IllegalArgumentException(
          "%d hashes need as many distinct positions, but there are only %d bits: ask for fewer"
                  .formatted(hashes, bits)
              + " hashes or more bits");
    }
    this.bits = bits;
    this.hashes = hashes;
    this.complement = hashes > bits / 2;
    this.drawn = complement ? (int) (bits - hashes) : hashes;
    this.tableSize = Math.max(2, Integer.highestOneBit(drawn) << 2);
  }

  /** The number of cells. */
  public long bits() {
    return bits;
  }

  /** Distinct positions per key. */
  public int hashes() {
    return hashes;
  }

  /**
   * The positions of a key, to be taken at most {@link #hashes} times. The draw belongs to the
   * calling thread until its next call of this method.
   */
  public Draw draw(long hash) {
    Draw draw = DRAWS.get();
    draw.begin(this, hash);
    return draw;
  }

  /** The positions of one key, one after the other. */
  public static final class Draw {
    /** Bits of an entry that hold the position; the others hold the number of the draw. */
    private static final int POSITION_BITS = 37;

    private static final long LAST_STAMP = (1L << (Long.SIZE - POSITION_BITS)) - 1;

    private long[] table = new long[64];
    private long[] taken = new long[64];
    private long stamp;
    private int mask;
    private Positions sequence = Positions.classic(1, 1);
    private boolean complement;
    private long hash;
    private int probe;
    private long cell;

    private Draw() {}

    private void begin(DistinctPositions positions, long newHash) {
      if (table.length < positions.tableSize) {
        table = new long[positions.tableSize];
      }
      if (stamp == LAST_STAMP) {
        Arrays.fill(table, 0);
        stamp = 0;
      }
      stamp++;
      mask = positions.tableSize - 1;
      sequence = positions.sequence;
      complement = positions.complement;
      hash = newHash;
      probe = 0;
      if (complement) {
        for (int i = 0; i < positions.drawn; i++) {
          nextDistinct();
        }
        cell = -1;
      }
    }

    /** The next position of the key. */
    public long next() {
      return complement ? nextUntaken() : nextDistinct();
    }

    /**
     * The next so many positions of the key, at the beginning of an array that belongs to this
     * draw: all of them are known before the first is used, so that cache misses overlap.
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

    private long nextUntaken() {
      do {
        cell++;
      } while (isNamed(cell));
      return cell;
    }

    private long nextDistinct() {
      while (true) {
        long position = sequence.position(hash, probe++);
        if (name(position)) {
          return position;
        }
      }
    }

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

    private boolean isNamed(long position) {
      long entry = stamp << POSITION_BITS | position;
      int slot = (int) position & mask;
      while (table[slot] >>> POSITION_BITS == stamp) {
        if (table[slot] == entry) {
          return true;
        }
        slot = (slot + 1) & mask;
      }
      return false;
    }
  }
}
