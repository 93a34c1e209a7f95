package dev.bellows.foreign;

import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import dev.bellows.io.FilterFormatException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.function.LongToDoubleFunction;

/**
 * Parquet's split-block filter, which {@link SplitBlocks} implements.
 *
 * <p>The bytes are either only the bitset, little endian and without a signature, or a header and
 * the bitset, as in a Parquet file. The header is recognized by its fixed bytes.
 */
record ParquetDialect(boolean hasHeader) implements Dialect {
  static ForeignFilter read(ForeignInput in) throws IOException {
    byte[] bytes = in.rest(ParquetHeader.MAX_BYTES);
    ParquetHeader header = ParquetHeader.at(bytes);
    int from = header == null ? 0 : header.length();
    long length = in.restBytes() - from;
    if (header != null && header.bitsetBytes() != length) {
      throw new FilterFormatException(
          from + Math.min(length, Math.max(0L, header.bitsetBytes())),
          "its header claims a bitset of %d bytes, and %d follow it"
              .formatted(header.bitsetBytes(), length));
    }
    if (length == 0 || length % SplitBlocks.BLOCK_BYTES != 0) {
      throw new FilterFormatException(
          from + length,
          "a bitset of " + length + " bytes is not a whole number of 32-byte blocks");
    }
    if (length > Integer.MAX_VALUE) {
      throw new FilterFormatException(
          from, "a bitset of " + length + " bytes: Parquet has at most 2 GiB");
    }
    return new ForeignFilter(
        new ParquetDialect(header != null), in.restBits(bytes, from, ByteOrder.LITTLE_ENDIAN));
  }

  @Override
  public Format format() {
    return Format.PARQUET;
  }

  @Override
  public String variant() {
    return hasHeader ? "split blocks, with header" : "split blocks";
  }

  @Override
  public int hashes() {
    return SplitBlocks.HASHES;
  }

  @Override
  public int unitBits() {
    return SplitBlocks.BLOCK_BITS;
  }

  @Override
  public String unitName() {
    return "blocks of 256 bits";
  }

  @Override
  public boolean test(BitStore store, byte[] key) {
    return SplitBlocks.test(store, SplitBlocks.hash(key));
  }

  @Override
  public HeapBits fold(BitStore store, long factor) {
    return SplitBlocks.fold(store, factor);
  }

  @Override
  public double fpp(BitStore store) {
    return SplitBlocks.fpp(store);
  }

  /** {@inheritDoc} The rates are exact, not estimated. */
  @Override
  public LongToDoubleFunction fppAfterFolding(BitStore store) {
    return factor -> SplitBlocks.fppAfterFolding(store, factor);
  }

  @Override
  public double keys(BitStore store) {
    return SplitBlocks.keys(store);
  }

  @Override
  public long bytes(long bits) {
    return (hasHeader ? ParquetHeader.encode((int) (bits / 8)).length : 0) + bits / 8;
  }

  @Override
  public void write(DataOutputStream out, BitStore store) throws IOException {
    if (hasHeader) {
      out.write(ParquetHeader.encode((int) (store.bits() / 8)));
    }
    for (long i = 0; i < store.wordCount(); i++) {
      out.writeLong(Long.reverseBytes(store.word(i)));
    }
  }
}
