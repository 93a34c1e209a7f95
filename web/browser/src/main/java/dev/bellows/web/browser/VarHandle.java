package dev.bellows.web.browser;

import dev.bellows.window.WindowFilter;
import java.util.Objects;

/**
 * Replaces {@link java.lang.invoke.VarHandle}: a page has one thread, so every access is a plain
 * one and fences do nothing. The methods have exactly the parameter types with which core and
 * hash4j call the original, because such calls are compiled with these types.
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

  /** Returns an element. */
  public long getAcquire(long[] array, int index) {
    return array[index];
  }

  /** Returns an element. */
  public long getOpaque(long[] array, int index) {
    return array[index];
  }

  /** Returns an element. */
  public long[] getAcquire(long[][] array, int index) {
    return array[index];
  }

  /** Sets an element. */
  public void setRelease(long[] array, int index, long value) {
    array[index] = value;
  }

  /** Sets an element. */
  public void setRelease(long[][] array, int index, long[] value) {
    array[index] = value;
  }

  /** Sets an element. */
  public void setRelease(Object[] array, int index, Object value) {
    array[index] = value;
  }

  /** Sets an element. */
  public void setRelease(Object[] array, int index, Object[] value) {
    array[index] = value;
  }

  /** Returns an element. */
  public Object getAcquire(Object[] array, int index) {
    return array[index];
  }

  /** Sets an element if it has the expected value. */
  public boolean compareAndSet(long[] array, int index, long expected, long value) {
    boolean equal = array[index] == expected;
    array[index] = equal ? value : array[index];
    return equal;
  }

  /** Throws: the page only queries a window and never moves its clock. */
  public boolean compareAndSet(WindowFilter filter, long expected, long value) {
    throw new UnsupportedOperationException("a page does not change a filter");
  }

  /** Sets bits of an element and returns what it was. */
  public long getAndBitwiseOr(long[] array, int index, long mask) {
    long before = array[index];
    array[index] |= mask;
    return before;
  }

  /** A number of 8 bytes, little-endian. */
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
