package dev.bellows.foreign;

/**
 * Hadoop's two 32-bit hash functions: Bob Jenkins' lookup3, and MurmurHash2, in which the last
 * bytes are signed.
 */
final class HadoopHashes {
  private static final int MURMUR = 0x5bd1e995;

  private HadoopHashes() {}

  static int jenkins(byte[] key, int seed) {
    int a = 0xdeadbeef + key.length + seed;
    int b = a;
    int c = a;
    int at = 0;
    for (; key.length - at > 12; at += 12) {
      a += little(key, at);
      b += little(key, at + 4);
      c += little(key, at + 8);
      a = (a - c) ^ Integer.rotateLeft(c, 4);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 6);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 8);
      b += a;
      a = (a - c) ^ Integer.rotateLeft(c, 16);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 19);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 4);
      b += a;
    }
    if (at == key.length) {
      return c;
    }
    a += little(key, at);
    b += little(key, at + 4);
    c += little(key, at + 8);
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    return (c ^ b) - Integer.rotateLeft(b, 24);
  }

  static int murmur(byte[] key, int seed) {
    int hash = seed ^ key.length;
    int whole = key.length & ~3;
    for (int at = 0; at < whole; at += 4) {
      int k = little(key, at) * MURMUR;
      hash = (hash * MURMUR) ^ ((k ^ (k >>> 24)) * MURMUR);
    }
    // the remaining bytes, each sign-extended; the last one is the lowest
    if (whole < key.length) {
      for (int at = key.length - 1, shift = 0; at >= whole; at--, shift += 8) {
        hash ^= key[at] << shift;
      }
      hash *= MURMUR;
    }
    hash = (hash ^ (hash >>> 13)) * MURMUR;
    return hash ^ (hash >>> 15);
  }

  /** Returns four bytes as an int, little endian; bytes after the end count as zero. */
  private static int little(byte[] key, int at) {
    int value = 0;
    for (int i = Math.min(key.length - at, 4) - 1; i >= 0; i--) {
      value = (value << 8) | (key[at + i] & 0xff);
    }
    return value;
  }
}
