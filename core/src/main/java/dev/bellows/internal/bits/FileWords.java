package dev.bellows.internal.bits;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * The words of a mapped file that a single thread fills, for bits that do not fit on the heap. The
 * operating system may write the words to disk at any time; after {@link #force} all of them are on
 * disk.
 */
public final class FileWords extends BitStore {
  private final MappedWords words;

  private FileWords(MappedWords words, long bits) {
    super(bits);
    this.words = words;
  }

  /** Maps the words of a file for this many bits, starting at an offset. */
  public static FileWords map(FileChannel file, long start, long bits) throws IOException {
    ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    return new FileWords(MappedWords.map(file, MapMode.READ_WRITE, start, bits, order), bits);
  }

  @Override
  public long word(long index) {
    return words.word(index);
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
      LongBuffer segment = words.segment(index);
      int at = MappedWords.place(index);
      segment.put(at, segment.get(at) | 1L << position);
    }
  }

  /** Forces all words to disk. */
  public void force() {
    words.force();
  }
}
