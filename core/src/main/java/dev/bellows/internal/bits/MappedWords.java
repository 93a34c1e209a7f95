package dev.bellows.internal.bits;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import org.jspecify.annotations.Nullable;

/**
 * The words of a mapped file, without checks. The file is mapped in segments of 1 GiB, because the
 * size of a buffer is an int.
 */
public final class MappedWords extends Words {
  private static final int SEGMENT_SHIFT = 27;
  private static final int SEGMENT_WORDS = 1 << SEGMENT_SHIFT;

  private final MappedByteBuffer[] bytes;
  private final LongBuffer[] words;

  /** The only segment; null if there are several. */
  private final @Nullable LongBuffer one;

  private MappedWords(MappedByteBuffer[] bytes, ByteOrder order) {
    this.bytes = bytes;
    this.words = new LongBuffer[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      words[i] = bytes[i].order(order).asLongBuffer();
    }
    this.one = words.length == 1 ? words[0] : null;
  }

  /** Maps the words of a file for this many bits, starting at an offset. */
  static MappedWords map(FileChannel file, MapMode mode, long start, long bits, ByteOrder order)
      throws IOException {
    long count = BitStore.words(bits);
    MappedByteBuffer[] bytes = new MappedByteBuffer[(int) ((count - 1) >>> SEGMENT_SHIFT) + 1];
    for (int i = 0; i < bytes.length; i++) {
      long first = (long) i << SEGMENT_SHIFT;
      long length = 8 * Math.min(SEGMENT_WORDS, count - first);
      bytes[i] = file.map(mode, start + 8 * first, length);
    }
    return new MappedWords(bytes, order);
  }

  @Override
  public long word(long index) {
    return segment(index).get(place(index));
  }

  /** Returns the segment of a word. */
  LongBuffer segment(long index) {
    return one != null ? one : words[(int) (index >>> SEGMENT_SHIFT)];
  }

  /** Returns the bytes of the segment of a word. */
  ByteBuffer bytes(long index) {
    return bytes[(int) (index >>> SEGMENT_SHIFT)];
  }

  /** Returns the index of a word in its segment. */
  static int place(long index) {
    return (int) index & (SEGMENT_WORDS - 1);
  }

  /** Forces all words to disk. */
  void force() {
    for (MappedByteBuffer segment : bytes) {
      segment.force();
    }
  }
}
