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

  /** The words in the order of the platform, which are copied as bytes. */
  private final LongBuffer[] raw;

  private final boolean isSwapped;

  /** The only segment; null if there are several. */
  private final @Nullable LongBuffer one;

  private MappedWords(MappedByteBuffer[] bytes, ByteOrder order) {
    this.bytes = bytes;
    this.words = new LongBuffer[bytes.length];
    this.raw = new LongBuffer[bytes.length];
    this.isSwapped = order != ByteOrder.nativeOrder();
    for (int i = 0; i < bytes.length; i++) {
      raw[i] = bytes[i].order(ByteOrder.nativeOrder()).asLongBuffer();
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

  /**
   * Copies words of one segment into an array. Words whose read causes a fault stay as they are in
   * the array, while a load that faults leaves the old value of its register, and so does a copy
   * that reverses bytes.
   */
  void copy(long index, long[] into, int at, int count) {
    raw[(int) (index >>> SEGMENT_SHIFT)].get(place(index), into, at, count);
    for (int i = at; isSwapped && i < at + count; i++) {
      into[i] = Long.reverseBytes(into[i]);
    }
  }

  /** Returns the byte of a word that comes last in the file, in its place. */
  long lastByte() {
    return isSwapped == (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) ? 0xffL : 0xffL << 56;
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
