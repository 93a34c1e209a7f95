package dev.bellows.spark.internal;

import dev.bellows.BloomLoader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A set of hashes as bytes: the gaps between the sorted hashes in Rice code, about {@code 66 - log2
 * n} bits each instead of 64. The gaps of n hashes average 2^64/n, so each is cut near that bit:
 * what is above, mostly 0 to 3, goes in unary, the rest as it is. The first byte is the caller's,
 * then come the bit of the cut (1 byte) and the number of hashes (4 bytes).
 */
final class PackedHashes {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int CUT_AT = 1;
  private static final int COUNT_AT = 2;
  private static final int HEADER = COUNT_AT + Integer.BYTES;

  private static final int GROUP = 256;

  /** Words are read and written whole, so the last one may reach beyond the last bit. */
  private static final int PADDING = Long.BYTES;

  /** Bits that a word shows from any bit of its first byte on. */
  private static final int LOOK_AHEAD = Long.SIZE - 7;

  /** The longest array of every JVM. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private PackedHashes() {}

  static byte[] empty() {
    return new Packer(0, 0).packed();
  }

  /** The hashes of either side. */
  static byte[] union(AscendingHashes a, AscendingHashes b) {
    long most = (long) a.count() + b.count();
    Packer packer = new Packer(most, Math.max(a.count(), b.count()));
    boolean hasA = a.next();
    boolean hasB = b.next();
    while (hasA && hasB) {
      int order = Long.compareUnsigned(a.hash(), b.hash());
      packer.add(order <= 0 ? a.hash() : b.hash());
      hasA = order > 0 || a.next();
      hasB = order < 0 || b.next();
    }
    for (; hasA; hasA = a.next()) {
      packer.add(a.hash());
    }
    for (; hasB; hasB = b.next()) {
      packer.add(b.hash());
    }
    return packer.packed();
  }

  /** The hashes whose highest bits, so many, are all zero. */
  static byte[] withZeros(byte[] bytes, int highestBits) {
    AscendingHashes all = read(bytes);
    Packer packer = new Packer(all.count(), all.count() >> highestBits);
    while (all.next() && Long.numberOfLeadingZeros(all.hash()) >= highestBits) {
      packer.add(all.hash());
    }
    return packer.packed();
  }

  static int count(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(COUNT_AT);
  }

  static AscendingHashes read(byte[] bytes) {
    return new Reader(bytes);
  }

  static void forEach(byte[] bytes, LongConsumer consumer) {
    Reader reader = new Reader(bytes);
    while (reader.next()) {
      consumer.accept(reader.hash);
    }
  }

  /** Puts every hash into a filter, in groups. */
  static void load(byte[] bytes, BloomLoader loader) {
    Reader reader = new Reader(bytes);
    long[] group = new long[GROUP];
    int length = 0;
    while (reader.next()) {
      group[length++] = reader.hash;
      if (length == GROUP) {
        loader.putHashes(group, 0, length);
        length = 0;
      }
    }
    loader.putHashes(group, 0, length);
  }

  private static final class Reader implements AscendingHashes {
    private final byte[] bytes;
    private final int count;
    private final int cut;
    private final int first; // of the bits below the cut, those that one look ahead shows
    private int left;
    private long position = 8L * HEADER;
    private long hash;

    Reader(byte[] bytes) {
      this.bytes = bytes;
      this.count = PackedHashes.count(bytes);
      this.cut = bytes[CUT_AT];
      this.first = Math.min(cut, LOOK_AHEAD);
      this.left = count;
    }

    @Override
    public int count() {
      return count;
    }

    @Override
    public long hash() {
      return hash;
    }

    @Override
    public boolean next() {
      if (left == 0) {
        return false;
      }
      left--;
      long at = position;
      long gap = 0;
      long ahead = ahead(at);
      while (ahead == 0) {
        gap += LOOK_AHEAD;
        at += LOOK_AHEAD;
        ahead = ahead(at);
      }
      int zeros = Long.numberOfTrailingZeros(ahead);
      at += zeros + 1;
      gap = (gap + zeros) << cut;
      gap += ahead(at) & ((1L << first) - 1);
      if (first < cut) {
        gap += (ahead(at + first) & ((1L << (cut - first)) - 1)) << first;
      }
      position = at + cut;
      hash += gap;
      return true;
    }

    /** At least the next bits of a look ahead. */
    private long ahead(long from) {
      return (long) WORD.get(bytes, (int) (from >>> 3)) >>> (from & 7);
    }
  }

  private static final class Packer {
    private final int cut;
    private byte[] bytes;
    private int count;
    private int filled = HEADER; // bytes that are written
    private long word; // bits that are not written yet
    private int used; // how many
    private long last;

    /** A packer of at most so many hashes, with room for those expected. */
    Packer(long most, long expected) {
      this.cut = most == 0 ? 0 : Math.min(63, Long.numberOfLeadingZeros(most));
      // what is above the cut sums up to less than 2^64 / 2^cut, two for each of the most hashes
      this.bytes = new byte[length(HEADER + (expected * (cut + 1L) + 2 * most) / 8)];
    }

    private static int length(long wanted) {
      return (int) Math.min(MOST_BYTES, wanted + PADDING);
    }

    void add(long hash) {
      long gap = hash - last;
      last = hash;
      count++;
      long zeros = gap >>> cut;
      while (zeros >= LOOK_AHEAD) {
        put(0, LOOK_AHEAD);
        zeros -= LOOK_AHEAD;
      }
      put(1L << zeros, (int) zeros + 1);
      put(gap & ((1L << cut) - 1), cut);
    }

    /** Puts so many bits, at most 63; those above them are zero. */
    private void put(long value, int length) {
      word |= value << used;
      used += length;
      if (used >= Long.SIZE) {
        if (filled + 2 * Long.BYTES > bytes.length) {
          bytes = Arrays.copyOf(bytes, length(filled + Long.BYTES + (long) bytes.length / 8));
        }
        WORD.set(bytes, filled, word);
        filled += Long.BYTES;
        used -= Long.SIZE;
        word = value >>> (length - used);
      }
    }

    byte[] packed() {
      byte[] packed = Arrays.copyOf(bytes, filled + (used + 7) / 8 + PADDING);
      WORD.set(packed, filled, word);
      packed[CUT_AT] = (byte) cut;
      ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN).putInt(COUNT_AT, count);
      return packed;
    }
  }
}
