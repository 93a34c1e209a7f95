package dev.bellows.foreign;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Murmur3-32 with Spark's own treatment of the last bytes: each byte after the last whole int is
 * mixed in separately, as a signed number. A long hashes as its 8 bytes, little endian.
 */
final class SparkMurmur3 {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private SparkMurmur3() {}

  static int hash(byte[] bytes, int seed) {
    int whole = bytes.length & ~3;
    int hash = seed;
    for (int i = 0; i < whole; i += 4) {
      hash = mix(hash, (int) INT.get(bytes, i));
    }
    for (int i = whole; i < bytes.length; i++) {
      hash = mix(hash, bytes[i]);
    }
    hash ^= bytes.length;
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }

  private static int mix(int hash, int input) {
    int mixed = hash ^ (Integer.rotateLeft(input * 0xcc9e2d51, 15) * 0x1b873593);
    return Integer.rotateLeft(mixed, 13) * 5 + 0xe6546b64;
  }
}
