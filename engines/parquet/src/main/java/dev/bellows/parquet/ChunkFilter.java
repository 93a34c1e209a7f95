package dev.bellows.parquet;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A filter in a file: its header, and after it its bits, which are read when they are needed.
 *
 * @param chunk the column chunk it belongs to
 * @param offset where its header begins
 * @param header Thrift's BloomFilterHeader
 * @param headerBytes the length of the header
 * @param bitsetBytes the length of the bits
 */
record ChunkFilter(
    Chunk chunk, long offset, ThriftStruct header, int headerBytes, int bitsetBytes) {
  private static final int BITSET_BYTES = 1;

  /** Algorithm, hash and compression: each is a union whose only member today has this number. */
  private static final int[] CHOICES = {2, 3, 4};

  private static final String[] CHOICE_NAMES = {"algorithm", "hash", "compression"};
  private static final int KNOWN_CHOICE = 1;

  /** Far more bytes than a header has: today's have at most 19. */
  private static final int MOST_HEADER_BYTES = 256;

  private static final int PIECE_BYTES = 1 << 18;

  /** A header without bits: its length as field 1, and three unions of an empty struct each. */
  private static final byte[] EMPTY_HEADER = {
    0x15, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0
  };

  /** Reads the header of a chunk's filter; null if the chunk has none. */
  static @Nullable ChunkFilter of(FileChannel file, Footer footer, Chunk chunk) throws IOException {
    if (!chunk.hasFilter()) {
      return null;
    }
    long offset = chunk.metaData().number(Chunk.FILTER_OFFSET).orElseThrow();
    if (offset < Footer.MAGIC.length || offset >= footer.start()) {
      throw chunk
          .metaData()
          .error(
              "the filter of %s would begin at byte %d, and the footer at %d"
                  .formatted(chunk.name(), offset, footer.start()));
    }
    int length = (int) Math.min(MOST_HEADER_BYTES, footer.start() - offset);
    byte[] bytes = Regions.read(file, offset, length);
    ThriftStruct header = ThriftStruct.read(new ThriftInput(bytes, 0, length, offset));
    requireKnown(header, chunk);
    long bitset = header.number(BITSET_BYTES, "number of bytes");
    if (bitset < 1
        || bitset > Integer.MAX_VALUE
        || bitset % SplitBlocks.BLOCK_BYTES != 0
        || bitset > footer.start() - offset - header.end()) {
      throw header.error(
          "the filter of %s claims %d bytes of bits; blocks have 32, and %d bytes are left"
              .formatted(chunk.name(), bitset, footer.start() - offset - header.end()));
    }
    OptionalLong claimed = chunk.metaData().number(Chunk.FILTER_LENGTH);
    if (claimed.isPresent() && claimed.getAsLong() != header.end() + bitset) {
      throw header.error(
          "the filter of %s has %d bytes, and the footer claims %d"
              .formatted(chunk.name(), header.end() + bitset, claimed.getAsLong()));
    }
    return new ChunkFilter(chunk, offset, header, header.end(), (int) bitset);
  }

  private static void requireKnown(ThriftStruct header, Chunk chunk) throws ParquetFormatException {
    for (int i = 0; i < CHOICES.length; i++) {
      ThriftStruct choice = header.struct(CHOICES[i]);
      if (choice == null || !choice.has(KNOWN_CHOICE)) {
        throw header.error(
            ("the filter of %s has an unknown %s: only uncompressed split-block "
                    + "filters with XXH64 are known")
                .formatted(chunk.name(), CHOICE_NAMES[i]));
      }
    }
  }

  /** Header and bits together. */
  long length() {
    return (long) headerBytes + bitsetBytes;
  }

  long blocks() {
    return bitsetBytes / SplitBlocks.BLOCK_BYTES;
  }

  /** Reads the bits. */
  HeapBits bits(FileChannel file) throws IOException {
    long[] words = new long[bitsetBytes / Long.BYTES];
    ByteBuffer piece =
        ByteBuffer.allocate(Math.min(PIECE_BYTES, bitsetBytes)).order(ByteOrder.LITTLE_ENDIAN);
    long at = offset + headerBytes;
    for (int done = 0; done < words.length; ) {
      piece.clear().limit(Math.min(piece.capacity(), Long.BYTES * (words.length - done)));
      Regions.fill(file, at, piece);
      piece.flip();
      int count = piece.limit() / Long.BYTES;
      piece.asLongBuffer().get(words, done, count);
      done += count;
      at += piece.limit();
    }
    return HeapBits.over(8L * bitsetBytes, words, 0);
  }

  /** Returns the header of the same filter with another number of blocks. */
  byte[] header(long blocks) throws ParquetFormatException {
    header.set(BITSET_BYTES, ThriftInput.I32, blocks * SplitBlocks.BLOCK_BYTES);
    return header.toBytes();
  }

  /** Returns the header of a new filter. */
  static byte[] newHeader(long blocks) throws ParquetFormatException {
    ThriftStruct header =
        ThriftStruct.read(new ThriftInput(EMPTY_HEADER, 0, EMPTY_HEADER.length, 0));
    header.set(BITSET_BYTES, ThriftInput.I32, blocks * SplitBlocks.BLOCK_BYTES);
    return header.toBytes();
  }

  /** Writes bits as files have them. */
  static void write(OutputStream out, BitStore bits) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long i = 0; i < bits.wordCount(); i++) {
      piece.putLong(bits.word(i));
      if (!piece.hasRemaining()) {
        out.write(piece.array());
        piece.clear();
      }
    }
    out.write(piece.array(), 0, piece.position());
  }
}
