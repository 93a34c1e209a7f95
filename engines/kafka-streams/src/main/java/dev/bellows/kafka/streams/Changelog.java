package dev.bellows.kafka.streams;

import dev.bellows.HashScheme;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of changelog records, version 1; numbers are big endian.
 *
 * <pre>
 * key of hashes    version 1 | 'h' | expiry 8 | writer 8 | sequence 4
 * key of the clock version 1 | 'c'
 *
 * hashes           version 1 | 'h' | scheme 1 | identity 8 | time 8 | count 4 | high bits | low bits | CRC32C 4
 * clock            version 1 | 'c' | time 8 | CRC32C 4
 * </pre>
 *
 * <p>The hashes of a record are ascending, as unsigned numbers. With h = floor(log2(count)), the
 * high h bits of all of them are one string of bits, padded to whole bytes: for each of the 2^h
 * values as many ones as there are hashes with it, then a zero. The low 64 - h bits follow, in the
 * same order, padded as well. A hash thus takes at most 67 - log2(count) bits. The checksum covers
 * the key and the value before it: a value under another key is refused too.
 */
final class Changelog {
  /** The most hashes of a record, which then has about 100 kB. */
  static final int MOST_HASHES = 1 << 14;

  private static final byte VERSION = 1;
  private static final byte HASHES = 'h';
  private static final byte CLOCK = 'c';
  private static final int HASH_KEY_BYTES = 22;
  private static final int HASHES_AT = 23;
  private static final int CLOCK_BYTES = 14;
  private static final int SUM_BYTES = 4;

  private Changelog() {}

  /** What a record says. */
  sealed interface Entry {}

  /** The stream time; it never runs back. */
  record Clock(long time) implements Entry {}

  /**
   * Hashes that were put, the latest of them at a time.
   *
   * @param key what names the record
   * @param time the latest time of a put
   * @param hashes ascending, as unsigned numbers
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Hashes(HashKey key, long time, long[] hashes) implements Entry {}

  /** The record with this key has expired. */
  record Expired(HashKey key) implements Entry {}

  /**
   * The key of a record of hashes.
   *
   * @param expiry the stream time from which on none of its ids counts
   * @param writer the store that wrote it
   * @param sequence the number of records before it with that expiry and that writer
   */
  record HashKey(long expiry, long writer, int sequence) {
    byte[] toBytes() {
      return ByteBuffer.allocate(HASH_KEY_BYTES)
          .put(VERSION)
          .put(HASHES)
          .putLong(expiry)
          .putLong(writer)
          .putInt(sequence)
          .array();
    }
  }

  static byte[] clockKey() {
    return new byte[] {VERSION, CLOCK};
  }

  static byte[] clock(long time) {
    ByteBuffer bytes = ByteBuffer.allocate(CLOCK_BYTES).put(VERSION).put(CLOCK).putLong(time);
    return summed(clockKey(), bytes);
  }

  /**
   * The value of a record.
   *
   * @param hashes sorted by this call
   * @param count how many of them, at least 1
   */
  static byte[] hashes(HashKey key, HashScheme scheme, long time, long[] hashes, int count) {
    int distinct = sortUnsigned(hashes, count);
    int highBits = highBits(distinct);
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(valueBytes(distinct)));
    bytes.put(VERSION).put(HASHES).put((byte) scheme.id()).putLong(scheme.identity());
    bytes.putLong(time).putInt(distinct);
    Bits bits = new Bits(bytes);
    long value = 0;
    for (int i = 0; i < distinct; i++) {
      long high = high(hashes[i], highBits);
      bits.write(0, (int) (high - value));
      bits.write(1, 1);
      value = high;
    }
    bits.write(0, (int) ((1L << highBits) - value));
    bits.pad();
    for (int i = 0; i < distinct; i++) {
      bits.write(hashes[i], Long.SIZE - highBits);
    }
    bits.pad();
    return summed(key.toBytes(), bytes);
  }

  /**
   * What a record says.
   *
   * @param value null for a tombstone
   * @throws IllegalArgumentException if these are not the bytes of a record that was written here
   */
  static Entry read(byte @Nullable [] key, byte @Nullable [] value, HashScheme scheme) {
    require(key != null && key.length >= 2, "it has no key");
    require(key[0] == VERSION, "its version is %d where 1 is known", key[0]);
    if (key[1] == CLOCK) {
      require(key.length == 2, "the key of a clock has %d bytes instead of 2", key.length);
      require(value != null, "it deletes the clock");
      ByteBuffer bytes = checked(key, value, CLOCK, CLOCK_BYTES);
      return new Clock(bytes.getLong());
    }
    require(key[1] == HASHES, "its key is of the unknown type %d", key[1]);
    require(
        key.length == HASH_KEY_BYTES,
        "its key has %d bytes instead of %d",
        key.length,
        HASH_KEY_BYTES);
    ByteBuffer name = ByteBuffer.wrap(key, 2, HASH_KEY_BYTES - 2);
    HashKey hashKey = new HashKey(name.getLong(), name.getLong(), name.getInt());
    require(hashKey.sequence >= 0, "its sequence is %d", hashKey.sequence);
    return value == null ? new Expired(hashKey) : hashes(hashKey, key, value, scheme);
  }

  private static Hashes hashes(HashKey key, byte[] keyBytes, byte[] value, HashScheme scheme) {
    ByteBuffer bytes = checked(keyBytes, value, HASHES, HASHES_AT + SUM_BYTES);
    int schemeId = bytes.get();
    long identity = bytes.getLong();
    require(
        schemeId == scheme.id() && identity == scheme.identity(),
        "it was written with hash scheme %d and identity %x, and this store has %d and %x: use the"
            + " hash scheme of the changelog, or another store name",
        schemeId,
        identity,
        scheme.id(),
        scheme.identity());
    long time = bytes.getLong();
    int count = bytes.getInt();
    require(
        count > 0 && count <= MOST_HASHES && value.length == valueBytes(count),
        "%d bytes do not hold %d hashes",
        value.length,
        count);
    int highBits = highBits(count);
    long[] hashes = new long[count];
    Bits bits = new Bits(bytes);
    long high = 0;
    for (int i = 0; i < count; high++) {
      require(high < 1L << highBits, "it has fewer than %d high parts", count);
      while (bits.read(1) == 1) {
        require(i < count, "it has more than %d high parts", count);
        hashes[i++] = highBits == 0 ? 0 : high << (Long.SIZE - highBits);
      }
    }
    for (; high < 1L << highBits; high++) {
      require(bits.read(1) == 0, "it has more than %d high parts", count);
    }
    bits.requirePadding();
    for (int i = 0; i < count; i++) {
      hashes[i] |= bits.read(Long.SIZE - highBits);
      require(
          i == 0 || Long.compareUnsigned(hashes[i - 1], hashes[i]) < 0,
          "its hashes are not ascending");
    }
    bits.requirePadding();
    return new Hashes(key, time, hashes);
  }

  /** Returns the value after its type, if its length is possible and its checksum is right. */
  private static ByteBuffer checked(byte[] key, byte[] value, byte type, int leastBytes) {
    require(value.length >= leastBytes, "its %d bytes are fewer than %d", value.length, leastBytes);
    ByteBuffer bytes = ByteBuffer.wrap(value);
    int sum = bytes.getInt(value.length - SUM_BYTES);
    require(sum == sum(key, value), "its checksum is wrong");
    require(bytes.get() == VERSION, "its value has version %d where 1 is known", value[0]);
    require(bytes.get() == type, "its value is of another type than its key");
    require(
        type != CLOCK || value.length == CLOCK_BYTES,
        "a clock does not have %d bytes",
        value.length);
    return bytes;
  }

  private static byte[] summed(byte[] key, ByteBuffer bytes) {
    byte[] value = bytes.array();
    bytes.putInt(sum(key, value));
    return value;
  }

  private static int sum(byte[] key, byte[] value) {
    CRC32C sum = new CRC32C();
    sum.update(key);
    sum.update(value, 0, value.length - SUM_BYTES);
    return (int) sum.getValue();
  }

  private static void require(boolean holds, String message, Object... values) {
    if (!holds) {
      throw new IllegalArgumentException(message.formatted(values));
    }
  }

  /** Sorts as unsigned numbers and drops equal ones; returns how many are left. */
  private static int sortUnsigned(long[] hashes, int count) {
    for (int i = 0; i < count; i++) {
      hashes[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(hashes, 0, count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      long hash = hashes[i] ^ Long.MIN_VALUE;
      if (distinct == 0 || hash != hashes[distinct - 1]) {
        hashes[distinct++] = hash;
      }
    }
    return distinct;
  }

  private static int highBits(int count) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(count);
  }

  private static long high(long hash, int highBits) {
    return highBits == 0 ? 0 : hash >>> (Long.SIZE - highBits);
  }

  /** The bytes of a value with this many hashes. */
  private static long valueBytes(int count) {
    int highBits = highBits(count);
    long high = count + (1L << highBits);
    long low = (long) count * (Long.SIZE - highBits);
    return HASHES_AT + (high + 7) / 8 + (low + 7) / 8 + SUM_BYTES;
  }

  /** A string of bits in a buffer, the most significant bit of a byte first. */
  private static final class Bits {
    private final ByteBuffer bytes;
    private int current;
    private int left;

    Bits(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    /** Writes the low bits of a value; the value 0 may have any number of them. */
    void write(long value, int bits) {
      int open = bits;
      while (open > 0) {
        int now = Math.min(open, 8 - left);
        open -= now;
        long part = open >= Long.SIZE ? 0 : value >>> open & (1 << now) - 1;
        current = current << now | (int) part;
        left += now;
        if (left == 8) {
          bytes.put((byte) current);
          current = 0;
          left = 0;
        }
      }
    }

    void pad() {
      write(0, (8 - left) % 8);
    }

    long read(int bits) {
      long value = 0;
      int open = bits;
      while (open > 0) {
        if (left == 0) {
          require(bytes.remaining() > SUM_BYTES, "it ends too early");
          current = bytes.get() & 0xff;
          left = 8;
        }
        int now = Math.min(open, left);
        left -= now;
        open -= now;
        value = (value << now) | ((current >>> left) & ((1 << now) - 1));
      }
      return value;
    }

    void requirePadding() {
      require((current & (1 << left) - 1) == 0, "it has ones in its padding");
      left = 0;
    }
  }
}
