package dev.bellows.internal;

import dev.bellows.plan.BloomRates;
import java.util.function.LongToDoubleFunction;

/**
 * Every key sets k bits anywhere. The positions are the k next outputs of a SplitMix64 generator
 * started at the hash: independent for every purpose of the formulas, where double hashing misses
 * them by up to 8x on small and on highly composite sizes (errata C5).
 */
final class ClassicBits extends BitLayout {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  ClassicBits(long bits, int hashes) {
    super(bits, hashes, 1);
  }

  @Override
  public boolean set(long[] words, long hash) {
    boolean changed = false;
    long state = hash;
    for (int i = 0; i < hashes; i++) {
      state += GOLDEN_GAMMA;
      long position = cell(mix(state));
      changed |= or(words, (int) (position >>> 6), 1L << position);
    }
    return changed;
  }

  @Override
  public boolean test(long[] words, long hash) {
    long state = hash;
    for (int i = 0; i < hashes; i++) {
      state += GOLDEN_GAMMA;
      long position = cell(mix(state));
      if (((words[(int) (position >>> 6)] >>> position) & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long position(long hash, int probe) {
    return cell(mix(hash + (probe + 1) * GOLDEN_GAMMA));
  }

  @Override
  boolean testFirst(long[] words, long hash) {
    long position = cell(mix(hash + GOLDEN_GAMMA));
    return ((words[(int) (position >>> 6)] >>> position) & 1) != 0;
  }

  @Override
  public double fpp(long[] words) {
    return BloomRates.fppFromOnes(bits, Words.ones(words), hashes);
  }

  @Override
  public LongToDoubleFunction fppAfterFolding(long[] words) {
    long ones = Words.ones(words);
    return factor -> BloomRates.fppFolded(bits, ones, hashes, factor);
  }

  @Override
  public double keys(long[] words) {
    long ones = Words.ones(words);
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
