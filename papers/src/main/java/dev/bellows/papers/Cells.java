package dev.bellows.papers;

import dev.bellows.BloomFilter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;

/** The ones of a filter, as its file has them. */
public final class Cells {
  /** Where the file says how long its header is (spec/FORMAT.md). */
  private static final int HEADER_LENGTH = 16;

  private Cells() {}

  /** The positions of the ones. */
  public static BitSet of(BloomFilter filter) {
    ByteBuffer file = ByteBuffer.wrap(filter.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
    int words = Math.toIntExact((filter.bits() + Long.SIZE - 1) / Long.SIZE);
    ByteBuffer body = file.position(file.getInt(HEADER_LENGTH)).slice();
    return BitSet.valueOf(body.order(ByteOrder.LITTLE_ENDIAN).limit(Long.BYTES * words));
  }
}
