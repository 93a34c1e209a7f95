package dev.bellows.parquet;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import java.util.ArrayList;
import java.util.List;

/** The powers of two that a filter can become. */
final class Sizes {
  private static final long LEAST_BLOCKS = FoldRequest.LEAST_BYTES / SplitBlocks.BLOCK_BYTES;

  private Sizes() {}

  /** Returns the powers of two below a number of blocks, descending, down to the least size. */
  static List<Long> powersBelow(long blocks) {
    List<Long> powers = new ArrayList<>();
    for (long power = Long.highestOneBit(blocks - 1); power >= LEAST_BLOCKS; power /= 2) {
      powers.add(power);
    }
    return powers;
  }

  /** Returns all of them with their rates, ascending, the filter's own size last. */
  static List<ParquetFilter.Size> of(HeapBits filter) {
    long own = SplitBlocks.blocks(filter);
    boolean isResized = Long.bitCount(own) > 1;
    List<ParquetFilter.Size> sizes = new ArrayList<>();
    sizes.add(new ParquetFilter.Size(filter.bits(), true, SplitBlocks.fpp(filter)));
    HeapBits best = filter;
    for (long blocks : powersBelow(own)) {
      best = SplitBlocks.resize(isResized ? filter : best, blocks);
      sizes.add(0, new ParquetFilter.Size(best.bits(), own % blocks == 0, SplitBlocks.fpp(best)));
    }
    return sizes;
  }
}
