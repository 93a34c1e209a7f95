package dev.bellows.bench.peers;

import java.nio.charset.StandardCharsets;

/** Keys by number: the i-th long, text or array, each different from all others. */
public final class BenchKeys {
  private BenchKeys() {}

  /** Returns a bijection of the longs (the finalizer of SplitMix64). */
  public static long mix(long number) {
    long z = number + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** ASCII of 20 to 40 characters. */
  public static String text(long number) {
    long key = mix(number);
    String hex = Long.toHexString(key | Long.MIN_VALUE);
    int more = (int) Math.floorMod(key, 21L);
    return "id:/" + hex + "/filters/of/bellows/".substring(0, more);
  }

  /** Sixteen bytes, as a UUID or a digest has. */
  public static byte[] bytes(long number) {
    byte[] bytes = new byte[16];
    long high = mix(number);
    long low = mix(~number);
    for (int i = 0; i < 8; i++) {
      bytes[i] = (byte) (high >>> (8 * i));
      bytes[8 + i] = (byte) (low >>> (8 * i));
    }
    return bytes;
  }

  /** Returns the text or the array of a number. */
  public static Object object(Role role, long number) {
    return role == Role.TEXTS ? text(number) : bytes(number);
  }

  /** Returns the bytes of a text as UTF-8, or the array itself. */
  static byte[] bytesOf(Object key) {
    return key instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) key;
  }

  /** Returns the first longs. */
  public static long[] longs(int count) {
    return longs(0, count);
  }

  /** Returns the longs from a number on. */
  public static long[] longs(long from, int count) {
    long[] keys = new long[count];
    fill(keys, from);
    return keys;
  }

  /** The longs from a number on, as many as the array takes. */
  public static void fill(long[] keys, long from) {
    for (int i = 0; i < keys.length; i++) {
      keys[i] = mix(from + i);
    }
  }
}
