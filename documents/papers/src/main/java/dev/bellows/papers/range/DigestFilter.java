package dev.bellows.papers.range;

import dev.bellows.internal.range.HashOffset;
import dev.bellows.range.RangePlan;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The thesis's filters of ranges of numbers: Division-Overlapping over its own hash functions
 * (Range thesis, Eq. 3-6; see erratum R4). Instance 0 has the attribute's name, the others number
 * it.
 */
final class DigestFilter implements RangeHolder {
  private final RangePlan plan;
  private final String attribute;
  private final List<HashOffset> offsets;
  private final int divide;
  private long current;
  private Indexes hashes;

  DigestFilter(RangePlan plan, String attribute) {
    this.plan = plan;
    this.attribute = attribute;
    this.offsets = HashOffset.indices(plan.hashes(), plan.shift());
    this.divide = Math.toIntExact(plan.divide());
    this.hashes = hashes(attribute);
  }

  private Indexes hashes(String name) {
    int numbers = Math.toIntExact(plan.domain()) / divide + plan.hashes() + 1;
    return new Indexes(name, plan.bits(), numbers);
  }

  @Override
  public LongPredicate hold(long instance, long low, long high) {
    if (instance != current) {
      current = instance;
      hashes = hashes(instance == 0 ? attribute : attribute + instance);
    }
    Indexes own = hashes;
    BitSet bits = new BitSet();
    for (int division = (int) low / divide; division <= high / divide; division++) {
      for (HashOffset offset : offsets) {
        bits.set(own.index(offset.hash(), division + offset.offset()));
      }
    }
    return number -> {
      int division = (int) number / divide;
      for (HashOffset offset : offsets) {
        if (!bits.get(own.index(offset.hash(), division + offset.offset()))) {
          return false;
        }
      }
      return true;
    };
  }

  /**
   * The hash functions of the thesis (Section 2.1): the 16-bit words of MD5, eight of them, and of
   * SHA-256, sixteen more, modulo the size of the filter. What is hashed is the attribute's name
   * joined to the number; the bytes in between are not specified, here they are a zero byte and the
   * number as eight bytes, big-endian (erratum R9).
   */
  static final class Indexes {
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
     * @param numbers how many numbers, from 0 on, will be queried
     */
    Indexes(String attribute, long bits, int numbers) {
      if (bits < 1 || bits > 1 << 16) {
        throw new IllegalArgumentException(
            "16-bit words reach 1 to 65536 bits, not " + bits + ": take fewer bits");
      }
      this.attribute = attribute.getBytes(StandardCharsets.UTF_8);
      this.bits = (int) bits;
      this.known = new int[numbers][];
    }

    /** Returns the position that hash function {@code hash}, counted from 1, gives a number. */
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

    /** Returns how many 16-bit words a digest has. */
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
}
