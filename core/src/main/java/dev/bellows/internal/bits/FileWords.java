package dev.bellows.internal.bits;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * The words of a mapped file that a single thread fills, for bits that do not fit on the heap. The
 * file is mapped in segments of 1 GiB, like {@link MappedBits}. The operating system may write the
 * words to disk at any time; after {@link #force} all of them are on disk.
 */
public final class FileWords {
  private static final int SEGMENT_SHIFT = 27;
  private static final int SEGMENT_WORDS = 1 << SEGMENT_SHIFT;

  private final MappedByteBuffer[] segments;
  private final LongBuffer[] words;
  private final long count;

  private FileWords(MappedByteBuffer[] segments, long count) {
    this.segments = segments;
    this.words = new LongBuffer[segments.length];
    this.count = count;
    for (int i = 0; i < segments.length; i++) {
      words[i] = segments[i].order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }
  }

  /** Maps this many words of a file, starting at an offset, for reading and writing. */
  public static FileWords map(FileChannel file, long start, long count) throws IOException {
    MappedByteBuffer[] segments = new MappedByteBuffer[(int) (((count - 1) >>> SEGMENT_SHIFT) + 1)];
    for (int i = 0; i < segments.length; i++) {
      long first = (long) i << SEGMENT_SHIFT;
      long length = 8 * Math.min(SEGMENT_WORDS, count - first);
      segments[i] = file.map(MapMode.READ_WRITE, start + 8 * first, length);
    }
    return new FileWords(segments, count);
  }

  /** Sets the bits at the first {@code length} positions. */
  public void setBits(long[] positions, int length) {
    for (int i = 0; i < length; i++) {
      long position = positions[i];
      long index = position >>> 6;
      LongBuffer segment = words[(int) (index >>> SEGMENT_SHIFT)];
      int at = (int) index & (SEGMENT_WORDS - 1);
      segment.put(at, segment.get(at) | 1L << position);
    }
  }

  /** Receives words in order. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives the first {@code length} words of an array; {@code index} is that of the first one.
     */
    void visit(long index, long[] chunk, int length) throws IOException;
  }

  /** Passes all words to a visitor, in chunks of at most {@code chunkWords}, a power of two. */
  public void forEach(int chunkWords, Visitor visitor) throws IOException {
    long[] chunk = new long[chunkWords];
    for (long done = 0; done < count; done += chunkWords) {
      int length = (int) Math.min(chunkWords, count - done);
      int at = (int) done & (SEGMENT_WORDS - 1);
      words[(int) (done >>> SEGMENT_SHIFT)].get(at, chunk, 0, length);
      visitor.visit(done, chunk, length);
    }
  }

  /**
   * Returns the hash of the content, equal to {@link BitStore#contentHash} of a store with this
   * many bits.
   */
  public long contentHash(long bits) throws IOException {
    long[] sum = {ContentHash.ofSize(bits)};
    forEach(
        1 << 13,
        (index, chunk, length) -> {
          for (int i = 0; i < length; i++) {
            sum[0] += ContentHash.of(index + i, chunk[i]);
          }
        });
    return sum[0];
  }

  /** Returns the number of one bits. */
  public long ones() throws IOException {
    long[] ones = {0};
    forEach(
        1 << 13,
        (index, chunk, length) -> {
          for (int i = 0; i < length; i++) {
            ones[0] += Long.bitCount(chunk[i]);
          }
        });
    return ones[0];
  }

  /** Forces all words to disk. */
  public void force() {
    for (MappedByteBuffer segment : segments) {
      segment.force();
    }
  }
}
