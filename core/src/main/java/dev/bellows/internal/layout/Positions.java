package dev.bellows.internal.layout;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.bits.MappedBits;
import dev.bellows.internal.bits.PackedCounters;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.internal.math.Ladder;
import java.util.function.LongToDoubleFunction;

/**
 * Maps 64-bit hashes to bits in a store, according to a {@link Layout}. The store is an array of
 * equal cells; a key chooses cells by {@code value mod cells}, where the value has 62 bits and does
 * not depend on the size. The fold law follows: {@code (value mod cells) mod (cells/f) = value mod
 * (cells/f)}, so OR-ing the f stripes of cells gives the filter that would have been built at the
 * smaller size (Folding paper, Eq. 3 and 6; see erratum <a
 * href="{@docRoot}/doc-files/errata.html#F3">F3</a>).
 */
public abstract sealed class Positions permits ClassicPositions, BlockedPositions {
  /** The maximum number of bits per key, more than any plan uses. */
  public static final int MAX_HASHES = 1 << 16;

  final Layout layout;
  final long bits;
  final int hashes;
  private final long cells;
  private final long reciprocal;

  Positions(Layout layout, long bits) {
    requireSize(layout, bits);
    this.layout = layout;
    this.bits = bits;
    this.hashes = layout.hashes();
    this.cells = bits / layout.cellBits();
    this.reciprocal = Long.MAX_VALUE / cells;
  }

  /** Throws if no filter can have a layout and a size. */
  static void requireSize(Layout layout, long bits) {
    layout.checkedBits(bits);
    if (bits > MappedBits.MAX_BITS) {
      throw new IllegalArgumentException(
          bits + " bits are more than a file can hold (" + MappedBits.MAX_BITS + ")");
    }
    Checks.inRange(1, MAX_HASHES, layout.hashes(), "hashes");
  }

  /** Returns the positions of a layout in this many bits. */
  public static Positions of(Layout layout, long bits) {
    return layout instanceof Layout.Blocked blocked
        ? new BlockedPositions(blocked, bits)
        : new ClassicPositions((Layout.Classic) layout, bits);
  }

  /** Returns the positions of {@code hashes} bits anywhere. */
  public static ClassicPositions classic(long bits, int hashes) {
    return new ClassicPositions(new Layout.Classic(hashes), bits);
  }

  /** Returns the number of bits of a store. */
  public final long bits() {
    return bits;
  }

  /** Returns the number of bits per key. */
  public final int hashes() {
    return hashes;
  }

  /** Returns the sizes a store folds to. */
  public final Ladder ladder() {
    return new Ladder(bits, layout.cellBits());
  }

  /** Returns an empty store. */
  public final HeapBits newStore() {
    return HeapBits.aligned(bits);
  }

  /**
   * Sets the key's bits, while other threads may set bits too, and returns whether a bit changed.
   */
  public abstract boolean set(HeapBits store, long hash);

  /** Returns whether all of the key's bits are set. */
  public abstract boolean test(BitStore store, long hash);

  /**
   * Returns the initial value of a walk over the positions of a key: {@code v = begin(hash)}; then,
   * for each probe from 0 to {@code hashes - 1}, {@code v = step(v, probe)}, and {@code at(hash, v,
   * probe)} is the position. Positions may coincide.
   */
  public abstract long begin(long hash);

  /** Returns the value of a probe, from that of the probe before it. */
  public abstract long step(long value, int probe);

  /** Returns the position of a probe, from its value. */
  public abstract long at(long hash, long value, int probe);

  /** Returns whether no counter of the key is zero. */
  public abstract boolean test(PackedCounters counters, long hash);

  /** Sets the key's bits in a store that no other thread uses. */
  public abstract void load(HeapBits store, long hash);

  /** Sets the bits of a group's first hashes in a store that no other thread uses. */
  public abstract void load(HeapBits store, Group group, int length);

  /**
   * Sets the bits of a group's first hashes, like {@link #set(HeapBits, long)}, and returns how
   * many of the hashes changed a bit.
   */
  public abstract int set(HeapBits store, Group group, int length);

  /**
   * Writes the answers for a group's first hashes to {@code hits}, starting at index {@code at},
   * and returns how many pass.
   */
  public abstract int test(BitStore store, Group group, int length, boolean[] hits, int at);

  /**
   * Returns whether any of several stores has all of the key's bits. All positions have the layout
   * and number of hashes of this object.
   */
  public boolean testAny(Positions[] positions, HeapBits[] stores, long hash) {
    for (int i = 0; i < stores.length; i++) {
      if (positions[i].test(stores[i], hash)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the false positive rate of exactly this store, including hash collisions. */
  public final double fpp(BitStore store) {
    Fill fill = fill(store);
    return HashFloor.with(fill.rate(), keysFromOnes(fill.ones()));
  }

  /** Returns the expected rate after folding by a factor, from one pass over the unfolded store. */
  public final LongToDoubleFunction fppAfterFolding(BitStore store) {
    Fill fill = fill(store);
    LongToDoubleFunction rates = rateAfterFolding(fill);
    double keys = keysFromOnes(fill.ones());
    return factor -> HashFloor.with(rates.applyAsDouble(factor), keys);
  }

  /** Returns the rate at which other keys set all bits of an absent one. */
  public final double rate(BitStore store) {
    return fill(store).rate();
  }

  /** Returns the expected rate after folding by a factor, without hash collisions. */
  public final LongToDoubleFunction rateAfterFolding(BitStore store) {
    return rateAfterFolding(fill(store));
  }

  /** Returns the number of keys that most likely set these bits; finite even for a full store. */
  public final double keys(BitStore store) {
    return keysFromOnes(store.ones());
  }

  /**
   * The result of one pass over a store.
   *
   * @param ones the number of one bits
   * @param rate the rate at which other keys set all bits of an absent one
   */
  record Fill(long ones, double rate) {}

  abstract Fill fill(BitStore store);

  abstract LongToDoubleFunction rateAfterFolding(Fill fill);

  /** Returns the number of keys that most likely set this many bits. */
  public abstract double keysFromOnes(long ones);

  /**
   * Returns the cell a 64-bit value chooses: its upper 62 bits modulo the number of cells. The
   * quotient comes from a product with the reciprocal and is at most one too small.
   */
  final long cell(long value) {
    long quotient = Precise.multiplyHigh(value >>> 1, reciprocal);
    long less = (value >>> 2) - (quotient + 1) * cells;
    return less + (less >> 63 & cells);
  }
}
