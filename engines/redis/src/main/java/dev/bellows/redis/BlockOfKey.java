package dev.bellows.redis;

import dev.bellows.internal.layout.Positions;
import java.util.Arrays;

/** The block of a key in a part, and the words that the key sets in it. */
final class BlockOfKey {
  private static final int BLOCK_BITS = 512;
  private static final int BLOCK_BYTES = 64;

  private final Part part;
  private final Positions positions;
  private final long[] words = new long[BLOCK_BITS / Long.SIZE];
  private int stripe;
  private int firstByte;

  BlockOfKey(Part part, Positions positions) {
    this.part = part;
    this.positions = positions;
  }

  Part part() {
    return part;
  }

  /** Switches to the block of another key. */
  BlockOfKey of(long hash) {
    Arrays.fill(words, 0);
    long value = positions.begin(hash);
    long position = 0;
    for (int probe = 0; probe < positions.hashes(); probe++) {
      value = positions.step(value, probe);
      position = positions.at(hash, value, probe);
      words[(int) (position % BLOCK_BITS) / Long.SIZE] |= 1L << position;
    }
    stripe = part.stripeOf(position);
    firstByte = (int) (position / BLOCK_BITS * BLOCK_BYTES % part.stripeBytes());
    return this;
  }

  int stripe() {
    return stripe;
  }

  /** Returns the index of the first byte of the block in its stripe. */
  int firstByte() {
    return firstByte;
  }

  /** Returns the bits of the key, word by word. */
  long[] words() {
    return words;
  }
}
