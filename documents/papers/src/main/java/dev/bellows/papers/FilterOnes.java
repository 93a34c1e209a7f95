package dev.bellows.papers;

import dev.bellows.BloomFilter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;

/** The ones of a filter, read from its file format (spec/FORMAT.md). */
public final class FilterOnes {
  /** Where the full form says how long its header is. */
  private static final int HEADER_LENGTH = 16;

  /** Where the magic bytes of the two forms differ. */
  private static final int FORM = 5;

  private FilterOnes() {}

  /** Returns the positions of the ones. */
  public static BitSet of(BloomFilter filter) {
    ByteBuffer file = ByteBuffer.wrap(filter.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
    int bytes = Math.toIntExact((filter.bits() + Long.SIZE - 1) / Long.SIZE * Long.BYTES);
    // in the compact form only a checksum of 4 bytes follows the words
    int first = file.get(FORM) == 'c' ? file.capacity() - 4 - bytes : file.getInt(HEADER_LENGTH);
    return BitSet.valueOf(file.slice(first, bytes).order(ByteOrder.LITTLE_ENDIAN));
  }
}
