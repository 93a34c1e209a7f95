package dev.bellows.spark.internal;

import dev.bellows.BloomFilter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of hashes, immutable: the gaps between the sorted hashes in Rice code, about {@code 66 -
 * log2 n} bits each instead of 64. The gaps of n hashes average 2^64/n, so each is cut near that
 * bit: the upper part, mostly 0 to 3, is written in unary, the rest in binary.
 *
 * <p>The code lies in chunks, because G1, the default collector, gives an array of more than half a
 * region (of 1 MB in small heaps) whole regions of its own: one of 1.2 MB takes two.
 */
final class PackedHashes {
  /** As bytes: the caller's byte, the bit of the cut, the number of hashes, then the code. */
  private static final int CUT_AT = 1;

  private static final int COUNT_AT = 2;
  private static final int HEADER = COUNT_AT + Integer.BYTES;

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Bytes of code in a chunk; after them come those with which the next chunk begins. */
  private static final int CHUNK = 1 << 17;

  private static final byte[] DRAINED = {};
  private static final int GROUP = 256;

  /** Words are read and written whole, so the last one may reach beyond the last bit. */
  private static final int PADDING = Long.BYTES;

  /** Bits that a word shows from any bit of its first byte on. */
  private static final int LOOK_AHEAD = Long.SIZE - 7;

  /** The longest array of every JVM. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private final List<byte[]> chunks;
  private final int first; // where the code begins in the first chunk
  private final int chunkBytes;
  private final long codeBytes;
  private final int count;
  private final int cut;

  private PackedHashes(
      List<byte[]> chunks, int first, int chunkBytes, long codeBytes, int count, int cut) {
    this.chunks = chunks;
    this.first = first;
    this.chunkBytes = chunkBytes;
    this.codeBytes = codeBytes;
    this.count = count;
    this.cut = cut;
  }

  static PackedHashes empty() {
    return new Packer(0, 0).packed();
  }

  /** Returns the hashes of {@link #toBytes}; keeps the array. */
  static PackedHashes of(byte[] bytes) {
    int count = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(COUNT_AT);
    long codeBytes = bytes.length - HEADER - PADDING;
    return new PackedHashes(
        List.of(bytes), HEADER, Integer.MAX_VALUE, codeBytes, count, bytes[CUT_AT]);
  }

  /** Returns the hashes as bytes; the first one is the caller's. */
  byte[] toBytes(byte ofCaller) {
    long length = HEADER + codeBytes + PADDING;
    if (length > MOST_BYTES) {
      throw new IllegalStateException(
          "%d hashes are more than one array holds: group by a part of the key's hash"
              .formatted(count));
    }
    byte[] bytes = new byte[(int) length];
    int from = first;
    int at = HEADER;
    for (byte[] chunk : chunks) {
      int copied = Math.min(chunk.length - from, Math.min(chunkBytes, bytes.length - at));
      System.arraycopy(chunk, from, bytes, at, copied);
      from = 0;
      at += copied;
    }
    bytes[0] = ofCaller;
    bytes[CUT_AT] = (byte) cut;
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(COUNT_AT, count);
    return bytes;
  }

  /** Returns the same hashes, which can be drained without these. */
  PackedHashes alias() {
    return new PackedHashes(new ArrayList<>(chunks), first, chunkBytes, codeBytes, count, cut);
  }

  /** About the bits that this many hashes take. */
  static long bitsFor(long count) {
    return count * (2 + Long.numberOfLeadingZeros(count));
  }

  int count() {
    return count;
  }

  /** Returns the memory of the code. */
  long bytes() {
    return codeBytes + (long) PADDING * chunks.size();
  }

  /** Returns the hashes of either side. */
  static PackedHashes union(AscendingHashes a, AscendingHashes b) {
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

  /** Returns the hashes whose highest bits, this many, are all zero. */
  PackedHashes withZeros(int highestBits) {
    AscendingHashes all = read();
    Packer packer = new Packer(count, count >> highestBits);
    while (all.next() && Long.numberOfLeadingZeros(all.hash()) >= highestBits) {
      packer.add(all.hash());
    }
    return packer.packed();
  }

  AscendingHashes read() {
    return new Reader(this, /* draining= */ false);
  }

  /** Reads the hashes for the last time: a chunk's memory can go when the next one begins. */
  AscendingHashes drain() {
    return new Reader(this, /* draining= */ true);
  }

  void forEach(LongConsumer consumer) {
    AscendingHashes all = read();
    while (all.next()) {
      consumer.accept(all.hash());
    }
  }

  /** Puts every hash into a filter, in groups. */
  void load(BloomFilter.Loader loader) {
    AscendingHashes all = read();
    long[] group = new long[GROUP];
    int length = 0;
    while (all.next()) {
      group[length++] = all.hash();
      if (length == GROUP) {
        loader.putHashes(group, 0, length);
        length = 0;
      }
    }
    loader.putHashes(group, 0, length);
  }

  private static final class Reader implements AscendingHashes {
    private final List<byte[]> chunks;
    private final boolean draining;
    private final int count;
    private final int cut;
    private final int low; // of the bits below the cut, those that one look ahead shows
    private final long chunkBits;
    private byte[] chunk;
    private int chunkIndex;
    private int left;
    private long position; // a bit, from the beginning of the chunk
    private long hash;

    Reader(PackedHashes packed, boolean draining) {
      this.chunks = packed.chunks;
      this.draining = draining;
      this.count = packed.count;
      this.cut = packed.cut;
      this.low = Math.min(cut, LOOK_AHEAD);
      this.chunkBits = 8L * packed.chunkBytes;
      this.chunk = chunks.get(0);
      this.left = count;
      this.position = 8L * packed.first;
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
      long gap = 0;
      long ahead = ahead();
      while (ahead == 0) {
        gap += LOOK_AHEAD;
        position += LOOK_AHEAD;
        ahead = ahead();
      }
      int zeros = Long.numberOfTrailingZeros(ahead);
      position += zeros + 1;
      gap = (gap + zeros) << cut;
      gap += ahead() & ((1L << low) - 1);
      position += low;
      if (low < cut) {
        gap += (ahead() & ((1L << (cut - low)) - 1)) << low;
        position += cut - low;
      }
      hash += gap;
      return true;
    }

    /** At least the next bits of a look ahead. */
    private long ahead() {
      if (position >= chunkBits) {
        nextChunk();
      }
      return (long) WORD.get(chunk, (int) (position >>> 3)) >>> (position & 7);
    }

    private void nextChunk() {
      if (draining) {
        chunks.set(chunkIndex, DRAINED);
      }
      chunkIndex++;
      chunk = chunks.get(chunkIndex);
      position -= chunkBits;
    }
  }

  private static final class Packer {
    private final int cut;
    private final List<byte[]> chunks = new ArrayList<>();
    private byte[] chunk;
    private byte @Nullable [] before; // the chunk that shows the first word of this one
    private long expectedBytes; // that are not allocated yet
    private int count;
    private int filled; // bytes of the chunk that are written
    private long word; // bits that are not written yet
    private int used; // how many
    private long last;

    /** A packer of at most this many hashes, with room for those expected. */
    Packer(long most, long expected) {
      this.cut = most == 0 ? 0 : Math.min(63, Long.numberOfLeadingZeros(most));
      // what is above the cut sums up to less than 2^64 / 2^cut, two for each of the maximum number
      // of hashes
      this.expectedBytes = (expected * (cut + 1L) + 2 * most) / 8;
      this.chunk = newChunk();
    }

    private byte[] newChunk() {
      int length = (int) Math.max(0, Math.min(CHUNK, expectedBytes)) & -Long.BYTES;
      expectedBytes -= length;
      return new byte[length + PADDING];
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

    /** Puts this many bits, at most 63; those above them are zero. */
    private void put(long value, int length) {
      word |= value << used;
      used += length;
      if (used >= Long.SIZE) {
        write();
        used -= Long.SIZE;
        word = value >>> (length - used);
      }
    }

    private void write() {
      if (filled == CHUNK) {
        chunks.add(chunk);
        before = chunk;
        chunk = newChunk();
        filled = 0;
      }
      if (filled + PADDING == chunk.length) {
        int grown = Math.min(CHUNK, filled + Math.max(Long.BYTES, filled / 8 & -Long.BYTES));
        chunk = Arrays.copyOf(chunk, grown + PADDING);
      }
      if (before != null) {
        WORD.set(before, CHUNK, word);
        before = null;
      }
      WORD.set(chunk, filled, word);
      filled += Long.BYTES;
    }

    PackedHashes packed() {
      int tail = (used + 7) / 8;
      if (used > 0) {
        write(); // may begin a chunk
        filled -= Long.BYTES;
      }
      chunks.add(Arrays.copyOf(chunk, filled + tail + PADDING));
      long codeBytes = (long) CHUNK * (chunks.size() - 1) + filled + tail;
      return new PackedHashes(chunks, 0, CHUNK, codeBytes, count, cut);
    }
  }
}
