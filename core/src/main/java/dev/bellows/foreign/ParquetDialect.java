package dev.bellows.foreign;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.bellows.internal.store.BitStore;
import dev.bellows.internal.store.HeapBits;
import dev.bellows.io.FilterFormatException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.function.LongToDoubleFunction;

/**
 * Parquet's split-block filter. A key hashes with XXH64, seed 0; its block is {@code (upper half *
 * blocks) >> 32}, and in each of the block's eight lanes of 32 bits it sets the bit that is given
 * by a multiple of the lower half.
 *
 * <p>Blocks are chosen by a multiplication, not by a modulo, so equal stripes do not fold. Adjacent
 * blocks do: {@code floor(floor(x * blocks) / f) = floor(x * (blocks/f))} for every f that divides
 * the blocks, so OR-ing every f adjacent blocks gives exactly the filter of that size.
 *
 * <p>The bytes are the bitset alone, little endian, without any signature; or the bitset after its
 * header, as in a Parquet file. The fixed bytes of the header identify it.
 */
record ParquetDialect(boolean hasHeader) implements Dialect {
  private static final Hasher64 XXH64 = Hashing.xxh64();
  private static final int LANES = 8;
  private static final int BLOCK_BITS = 256;
  private static final int BLOCK_WORDS = 4;
  private static final double LOG_MISS = Math.log1p(-1.0 / 32);
  private static final int[] SALT = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

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
    if (length == 0 || length % (BLOCK_BITS / 8) != 0) {
      throw new FilterFormatException(
          from + length, "a bitset of " + length + " bytes is no whole number of blocks of 32");
    }
    if (length > Integer.MAX_VALUE) {
      throw new FilterFormatException(
          from, "a bitset of " + length + " bytes: Parquet has at most 2 GiB");
    }
    return new ForeignFilter(
        new ParquetDialect(header != null), in.restBits(bytes, from, ByteOrder.LITTLE_ENDIAN));
  }

  @Override
  public ForeignFormat format() {
    return ForeignFormat.PARQUET;
  }

  @Override
  public String variant() {
    return hasHeader ? "split blocks, with header" : "split blocks";
  }

  @Override
  public int hashes() {
    return LANES;
  }

  @Override
  public int unitBits() {
    return BLOCK_BITS;
  }

  @Override
  public String unitName() {
    return "blocks of 256 bits";
  }

  @Override
  public boolean test(BitStore store, byte[] key) {
    long hash = XXH64.hashBytesToLong(key);
    long block = BLOCK_WORDS * (((hash >>> 32) * (store.bits() / BLOCK_BITS)) >>> 32);
    long present = 1;
    for (int lane = 0; lane < LANES; lane++) {
      int bit = ((int) hash * SALT[lane]) >>> 27;
      present &= store.word(block + lane / 2) >>> (32 * (lane & 1) + bit);
    }
    return present != 0;
  }

  @Override
  public HeapBits fold(BitStore store, long factor) {
    HeapBits folded = HeapBits.aligned(store.bits() / factor);
    for (long block = 0; block < folded.wordCount(); block += BLOCK_WORDS) {
      for (int i = 0; i < BLOCK_WORDS; i++) {
        folded.load(block + i, group(store, block, factor, i));
      }
    }
    return folded;
  }

  /** Word i of a folded block: the OR of word i of each block it comes from. */
  private static long group(BitStore store, long foldedBlock, long factor, int i) {
    long or = 0;
    long from = foldedBlock * factor;
    for (long block = from; block < from + BLOCK_WORDS * factor; block += BLOCK_WORDS) {
      or |= store.word(block + i);
    }
    return or;
  }

  /** The mean over blocks of the product over lanes: the exact false positive rate. */
  @Override
  public double fpp(BitStore store) {
    return fppAfterFolding(store).applyAsDouble(1);
  }

  /** Exact, not estimated: computed from the folded blocks without building the folded filter. */
  @Override
  public LongToDoubleFunction fppAfterFolding(BitStore store) {
    return factor -> {
      long blocks = store.bits() / BLOCK_BITS / factor;
      double sum = 0;
      for (long block = 0; block < blocks; block++) {
        double product = 1;
        for (int i = 0; i < BLOCK_WORDS; i++) {
          long word = group(store, BLOCK_WORDS * block, factor, i);
          product *= Integer.bitCount((int) word) * Integer.bitCount((int) (word >>> 32)) / 1024.0;
        }
        sum += product;
      }
      return sum / blocks;
    };
  }

  /** The sum over blocks of each block's own estimate, since loads are uneven. */
  @Override
  public double keys(BitStore store) {
    double sum = 0;
    for (long block = 0; block < store.wordCount(); block += BLOCK_WORDS) {
      int ones = 0;
      for (int i = 0; i < BLOCK_WORDS; i++) {
        ones += Long.bitCount(store.word(block + i));
      }
      sum += Math.log1p(-Math.min(ones, BLOCK_BITS - 0.5) / BLOCK_BITS) / LOG_MISS;
    }
    return sum;
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
