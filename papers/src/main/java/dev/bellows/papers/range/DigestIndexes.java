package dev.bellows.papers.range;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The hash functions of the thesis (003 section 2.1): the 16-bit words of MD5, eight of them, and
 * of SHA-256, sixteen more, modulo the size of the filter. What is hashed is the attribute's name
 * joined to the number; the bytes in between are not specified, here they are a zero byte and the
 * number as eight bytes, big-endian (errata R9).
 */
final class DigestIndexes {
  /** As many hash functions as the two digests have words. */
  static final int MOST = 24;

  private final byte[] attribute;
  private final int bits;
  private final MessageDigest md5 = digest("MD5");
  private final MessageDigest sha256 = digest("SHA-256");
  private final int[][] known;

  /**
   * @param attribute the attribute's name
   * @param bits size of the filter, at most 65536: a word reaches no further
   * @param numbers how many numbers, from 0 on, will be asked for
   */
  DigestIndexes(String attribute, long bits, int numbers) {
    if (bits < 1 || bits > 1 << 16) {
      throw new IllegalArgumentException(
          "16-bit words reach 1 to 65536 bits, not " + bits + ": take fewer bits");
    }
    this.attribute = attribute.getBytes(StandardCharsets.UTF_8);
    this.bits = (int) bits;
    this.known = new int[numbers][];
  }

  /** The position that hash function {@code hash}, counted from 1, gives a number. */
  int index(int hash, int number) {
    int[] indexes = known[number];
    if (indexes == null) {
      indexes = indexes(number);
      known[number] = indexes;
    }
    return indexes[hash - 1];
  }

  private int[] indexes(int number) {
    byte[] message =
        ByteBuffer.allocate(attribute.length + 9)
            .put(attribute)
            .put((byte) 0)
            .putLong(number)
            .array();
    ByteBuffer words =
        ByteBuffer.allocate(2 * MOST).put(md5.digest(message)).put(sha256.digest(message));
    int[] indexes = new int[MOST];
    for (int i = 0; i < MOST; i++) {
      indexes[i] = Short.toUnsignedInt(words.getShort(2 * i)) % bits;
    }
    return indexes;
  }

  /** How many 16-bit words a digest has. */
  static int words(String digest) {
    return digest(digest).getDigestLength() / 2;
  }

  private static MessageDigest digest(String name) {
    try {
      return MessageDigest.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no " + name, e);
    }
  }
}
