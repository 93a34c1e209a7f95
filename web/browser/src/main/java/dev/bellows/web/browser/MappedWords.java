package dev.bellows.web.browser;

import dev.bellows.internal.bits.Words;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/** Replaces the words of mapped files, which a page does not have. */
public final class MappedWords extends Words {
  /** Never called. */
  @Override
  public long word(long index) {
    return 0;
  }

  /** Never called. */
  public LongBuffer segment(long index) {
    return LongBuffer.allocate(0);
  }

  /** Never called. */
  public void copy(long index, long[] into, int at, int count) {}

  /** Never called. */
  public long lastByte() {
    return 0;
  }

  /** Never called. */
  public ByteBuffer bytes(long index) {
    return ByteBuffer.allocate(0);
  }

  /** Never called. */
  public static int place(long index) {
    return 0;
  }
}
