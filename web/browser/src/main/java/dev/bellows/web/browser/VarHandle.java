package dev.bellows.web.browser;

import dev.bellows.window.WindowFilter;
import java.util.Objects;

/**
 * What takes the place of {@link java.lang.invoke.VarHandle}: a page has one thread, so every
 * access is a plain one and fences do nothing. The methods have the types that their callers in
 * core and in hash4j pass, because a call of the original is compiled with exactly these.
 */
public final class VarHandle {
  VarHandle() {}

  /** Does nothing. */
  public static void acquireFence() {}

  /** Does nothing. */
  public static void releaseFence() {}

  /** Does nothing. */
  public static void loadLoadFence() {}

  /** Does nothing. */
  public static void storeStoreFence() {}

  /** Does nothing. */
  public static void fullFence() {}

  /** An element. */
  public long getAcquire(long[] array, int index) {
    return array[index];
  }

  /** An element. */
  public long getOpaque(long[] array, int index) {
    return array[index];
  }

  /** An element. */
  public long[] getAcquire(long[][] array, int index) {
    return array[index];
  }

  /** Changes an element. */
  public void setRelease(long[] array, int index, long value) {
    array[index] = value;
  }

  /** Changes an element. */
  public void setRelease(long[][] array, int index, long[] value) {
    array[index] = value;
  }

  /** Changes an element. */
  public void setRelease(Object[] array, int index, Object value) {
    array[index] = value;
  }

  /** Changes an element. */
  public void setRelease(Object[] array, int index, Object[] value) {
    array[index] = value;
  }

  /** An element. */
  public Object getAcquire(Object[] array, int index) {
    return array[index];
  }

  /** Changes an element that has the expected value. */
  public boolean compareAndSet(long[] array, int index, long expected, long value) {
    boolean equal = array[index] == expected;
    array[index] = equal ? value : array[index];
    return equal;
  }

  /** Refuses to move the clock of a window: the page only asks. */
  public boolean compareAndSet(WindowFilter filter, long expected, long value) {
    throw new UnsupportedOperationException("a page does not change a filter");
  }

  /** Sets bits of an element and returns what it was. */
  public long getAndBitwiseOr(long[] array, int index, long mask) {
    long before = array[index];
    array[index] |= mask;
    return before;
  }

  /** A number of 8 bytes, little endian. */
  public long get(byte[] bytes, int at) {
    Objects.checkFromIndexSize(at, 8, bytes.length);
    return (four(bytes, at) & 0xffff_ffffL) | (long) four(bytes, at + 4) << 32;
  }

  private static int four(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | bytes[at + 3] << 24;
  }
}
