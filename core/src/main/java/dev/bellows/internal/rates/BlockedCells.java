package dev.bellows.internal.rates;

import dev.bellows.Layout;
import java.util.Arrays;

/**
 * A cell is a block of 512 bits and a key marks k bits in one of them; the rates are those of
 * {@link BlockedRates}, exact over the uneven loads of the blocks.
 *
 * @param hashes bits per key, 8 or 16
 */
public record BlockedCells(int hashes) implements Cells {
  /** Bits in a block: one cache line. */
  public static final int BLOCK_BITS = BlockedRates.BLOCK_BITS;

  /** BLOCKED already spends a few per cent on uneven blocks and gets less than CLASSIC. */
  private static final double FOLDABLE_SLACK = 1.02;

  /** Checks the hashes. */
  public BlockedCells {
    BlockedRates.checkHashes(hashes);
  }

  static BlockedCells best(long bits, long keys) {
    BlockedCells one = new BlockedCells(8);
    BlockedCells two = new BlockedCells(16);
    return one.fpp(bits, keys) <= two.fpp(bits, keys) ? one : two;
  }

  @Override
  public Layout layout() {
    return Layout.BLOCKED;
  }

  @Override
  public int cellBits() {
    return BLOCK_BITS;
  }

  @Override
  public int unitBits() {
    return BLOCK_BITS;
  }

  @Override
  public double foldableSlack() {
    return FOLDABLE_SLACK;
  }

  private long blocks(long bits) {
    return checkedBits(bits) / BLOCK_BITS;
  }

  @Override
  public double fpp(long bits, long keys) {
    return BlockedRates.fpp(blocks(bits), keys, hashes);
  }

  @Override
  public double fppSharp(long bits, long keys) {
    return fpp(bits, keys);
  }

  @Override
  public long bitsFor(long keys, double fpp) {
    return BLOCK_BITS * BlockedRates.blocksFor(keys, hashes, fpp);
  }

  @Override
  public long keysFor(long bits, double fpp) {
    return BlockedRates.keysFor(blocks(bits), hashes, fpp);
  }

  /** The rate is exact already. */
  @Override
  public double guaranteed(double fpp, long bits) {
    return fpp;
  }

  @Override
  public double smallestAt(long keys, double fpp) {
    return bitsFor(keys, fpp);
  }

  @Override
  public double largestAt(long keys, double fpp) {
    long enough = BlockedRates.blocksFor(keys, hashes, fpp);
    boolean exactly = BlockedRates.fpp(enough, keys, hashes) >= fpp;
    return (double) BLOCK_BITS * (exactly ? enough : enough - 1);
  }

  @Override
  public double jointFpp(long[] sizes, long keys) {
    long[] blocks = Arrays.stream(sizes).map(this::blocks).toArray();
    return BlockedJointRates.fpp(blocks, keys, hashes);
  }

  /** A lane's positions over all blocks are thrown at evenly, so the mean needs no block loads. */
  @Override
  public double keysFromOnes(long bits, long ones) {
    return BloomRates.keysFromOnes(bits / 8, ones / 8.0, hashes / 8);
  }
}
