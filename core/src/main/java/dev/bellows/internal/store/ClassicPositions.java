package dev.bellows.internal.store;

import dev.bellows.internal.rates.BloomRates;
import dev.bellows.internal.rates.ClassicCells;
import java.util.function.LongToDoubleFunction;

/**
 * Every key sets k bits anywhere. The positions are the k next outputs of a SplitMix64 generator
 * started at the hash: independent for every purpose of the formulas, where double hashing misses
 * them by up to 8x on small and on highly composite sizes (errata C5).
 */
final class ClassicPositions extends Positions {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  ClassicPositions(ClassicCells layout, long bits) {
    super(layout, bits);
  }

  @Override
  public boolean set(BitStore store, long hash) {
    boolean changed = false;
    long state = hash;
    for (int i = 0; i < hashes; i++) {
      state += GOLDEN_GAMMA;
      long position = cell(mix(state));
      changed |= store.or(position >>> 6, 1L << position);
    }
    return changed;
  }

  @Override
  public void load(BitStore store, long hash) {
    for (int i = 1; i <= hashes; i++) {
      long position = cell(mix(hash + i * GOLDEN_GAMMA));
      store.load(position >>> 6, 1L << position);
    }
  }

  /**
   * Probes in pairs, without a branch inside a pair: three of four absent keys leave after the
   * first one, fifteen of sixteen after the second.
   */
  @Override
  public boolean test(BitStore store, long hash) {
    int i = 1;
    for (; i + 2 < hashes; i += 2) {
      if ((bit(store, hash, i) & bit(store, hash, i + 1) & 1) == 0) {
        return false;
      }
    }
    return testRest(store, hash, i);
  }

  /** The last one to three probes. */
  private boolean testRest(BitStore store, long hash, int i) {
    int present = bit(store, hash, i) & bit(store, hash, hashes);
    return ((i + 2 == hashes ? present & bit(store, hash, i + 1) : present) & 1) != 0;
  }

  /** The bit of probe number i, from 1, in the lowest place. */
  private int bit(BitStore store, long hash, int i) {
    long position = cell(mix(hash + i * GOLDEN_GAMMA));
    return (int) (store.word(position >>> 6) >>> position);
  }

  @Override
  public int test(BitStore store, Group group, int length, boolean[] hits, int at) {
    int left = 0;
    for (int i = 0; i < length; i++) {
      long hash = group.hashes[i];
      left |= (bit(store, hash, 1) & bit(store, hash, hashes) & 1) << i;
    }
    int count = 0;
    for (int i = 0; i < length; i++) {
      boolean hit = (left >>> i & 1) != 0 && test(store, group.hashes[i]);
      hits[at + i] = hit;
      count += hit ? 1 : 0;
    }
    return count;
  }

  @Override
  public int set(BitStore store, Group group, int length) {
    int count = 0;
    for (int i = 0; i < length; i++) {
      count += set(store, group.hashes[i]) ? 1 : 0;
    }
    return count;
  }

  @Override
  public void load(BitStore store, Group group, int length) {
    for (int i = 0; i < length; i++) {
      load(store, group.hashes[i]);
    }
  }

  @Override
  public long position(long hash, int probe) {
    return cell(mix(hash + (probe + 1) * GOLDEN_GAMMA));
  }

  @Override
  public double fpp(BitStore store) {
    return BloomRates.fppFromOnes(bits, store.ones(), hashes);
  }

  @Override
  public LongToDoubleFunction fppAfterFolding(BitStore store) {
    long ones = store.ones();
    return factor -> BloomRates.fppFolded(bits, ones, hashes, factor);
  }

  @Override
  public double keys(BitStore store) {
    long ones = store.ones();
    // a full store says "at least so many": count it as if half a bit were missing
    return ones < bits
        ? BloomRates.keysFromOnes(bits, ones, hashes)
        : Math.max(1, -Math.log(0.5 / bits) * bits / hashes);
  }

  /** The finaliser of SplitMix64. */
  static long mix(long state) {
    long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
