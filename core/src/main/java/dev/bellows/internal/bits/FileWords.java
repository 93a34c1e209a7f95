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
public final class FileWords extends BitStore {
  private static final int SEGMENT_SHIFT = 27;
  private static final int SEGMENT_WORDS = 1 << SEGMENT_SHIFT;

  private final MappedByteBuffer[] segments;
  private final LongBuffer[] words;

  private FileWords(MappedByteBuffer[] segments, long bits) {
    super(bits);
    this.segments = segments;
    this.words = new LongBuffer[segments.length];
    for (int i = 0; i < segments.length; i++) {
      words[i] = segments[i].order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }
  }

  /** Maps the words of a file for this many bits, starting at an offset. */
  public static FileWords map(FileChannel file, long start, long bits) throws IOException {
    long count = words(bits);
    MappedByteBuffer[] segments = new MappedByteBuffer[(int) (((count - 1) >>> SEGMENT_SHIFT) + 1)];
    for (int i = 0; i < segments.length; i++) {
      long first = (long) i << SEGMENT_SHIFT;
      long length = 8 * Math.min(SEGMENT_WORDS, count - first);
      segments[i] = file.map(MapMode.READ_WRITE, start + 8 * first, length);
    }
    return new FileWords(segments, bits);
  }

  @Override
  public long word(long index) {
    return words[(int) (index >>> SEGMENT_SHIFT)].get((int) index & (SEGMENT_WORDS - 1));
  }

  @Override
  public void copyTo(long from, long[] into, int at, int count) {
    for (int i = 0; i < count; i++) {
      into[at + i] = word(from + i);
    }
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

  /** Forces all words to disk. */
  public void force() {
    for (MappedByteBuffer segment : segments) {
      segment.force();
    }
  }
}
