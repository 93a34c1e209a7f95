package dev.bellows.spark.internal;

import dev.bellows.BloomFilter;
import dev.bellows.BloomLoader;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The distinct keys of one group in one task, for one thread: their hashes, packed in ascending
 * order, and a table of those that came since the last packing, or packed hashes of other buffers
 * that wait to be merged. The table is at most as large as the packed hashes, and so are those that
 * wait, so that a key takes 5 to 12 bytes on the way to its 1 or 2 of a filter, and is packed about
 * twice. A filter folds but does not grow, so it can be bits before the end only where the size is
 * known from the beginning: then it turns to the bits of that filter when these are smaller. The
 * order in which keys come and buffers merge leaves no trace in the result.
 *
 * <p>A buffer of more than the maximum number of keys is of no use but to tell how many there are:
 * it keeps the hashes that begin with a zero bit, then with two, and so on.
 */
final class KeyBuffer {
  /** Below this many bytes a table is not packed. */
  private static final int SMALL_TABLE = 4096;

  private final FilterSize size;
  private PackedHashes packed;
  private DistinctHashes recent = new DistinctHashes();
  private int mostRecent;
  private final List<PackedHashes> waiting = new ArrayList<>(); // of other buffers
  private long waitingBytes;
  private @Nullable BloomFilter bits; // of the known size; then there are no hashes
  private int zeros; // the bits that must be zero at the top of every hash here

  private KeyBuffer(FilterSize size, PackedHashes packed, int zeros) {
    this.size = size;
    this.packed = packed;
    this.zeros = zeros;
    this.mostRecent = mostIn(packed.bytes() / 2);
  }

  static KeyBuffer empty(FilterSize size) {
    return new KeyBuffer(size, PackedHashes.empty(), 0);
  }

  /** Of the bytes of a filter, which begin with a negative one, or of packed hashes. */
  static KeyBuffer deserialize(FilterSize size, byte[] bytes) {
    if (bytes[0] < 0) {
      KeyBuffer buffer = empty(size);
      buffer.bits = filter(bytes);
      return buffer;
    }
    return new KeyBuffer(size, PackedHashes.of(bytes), bytes[0]);
  }

  private static BloomFilter filter(byte[] bytes) {
    try {
      return BloomFilter.FORMAT.fromBytes(bytes, ReadOptions.UNLIMITED);
    } catch (FilterFormatException e) {
      throw new IllegalStateException("a buffer arrived damaged: " + e.getMessage(), e);
    }
  }

  byte[] serialize() {
    pack();
    if (bits != null) {
      return bits.toBytes();
    }
    return packed.toBytes((byte) zeros);
  }

  /** Returns the memory of its hashes or bits. */
  long bytes() {
    return bits != null ? size.knownBits() / 8 : packed.bytes() + recent.bytes() + waitingBytes;
  }

  private static int mostIn(long tableBytes) {
    return DistinctHashes.mostIn(Math.max(SMALL_TABLE, tableBytes));
  }

  void putHash(long hash) {
    if (bits != null) {
      bits.putHash(hash);
    } else if (Long.numberOfLeadingZeros(hash) >= zeros
        && recent.add(hash)
        && recent.size() > mostRecent) {
      pack();
      if (bits == null) {
        recent.reserve(mostRecent); // the next ones will be as many
      }
    }
  }

  void merge(KeyBuffer other) {
    other.pack();
    if (other.bits != null) {
      turn().putAll(other.bits);
      return;
    }
    int more = other.packed.count();
    if (other.zeros > zeros) {
      pack();
      thinOut(other.zeros);
    }
    if (bits != null) {
      other.packed.forEach(bits::putHash);
    } else if (recent.size() + more <= mostRecent) {
      recent.reserve(recent.size() + more);
      other.packed.forEach(this::putHash);
    } else {
      waiting.add(other.packed);
      waitingBytes += other.packed.bytes();
      if (waitingBytes > packed.bytes()) {
        pack();
      }
    }
  }

  /** Packs everything, in one pass over the hashes of all sides. */
  private void pack() {
    if (recent.size() == 0 && waiting.isEmpty()) {
      return;
    }
    Deque<AscendingHashes> sides = new ArrayDeque<>();
    if (recent.size() > 0) {
      sides.add(AscendingHashes.of(recent.sorted()));
      recent = new DistinctHashes();
    }
    waiting.forEach(other -> sides.add(other.read()));
    waiting.clear();
    waitingBytes = 0;
    while (sides.size() > 1) {
      sides.add(AscendingHashes.union(sides.remove(), sides.remove()));
    }
    add(sides.remove());
  }

  private void add(AscendingHashes more) {
    packed = PackedHashes.union(packed.drain(), more);
    long tableBytes = packed.bytes();
    mostRecent = mostIn(tableBytes);
    if (size.knownBits() > 0 && 8 * (packed.bytes() + tableBytes) > size.knownBits()) {
      turn();
    }
    thinOut(zeros);
  }

  /** Returns the bits of the known size, from now on. */
  private BloomFilter turn() {
    BloomFilter turned = bits;
    if (turned == null) {
      turned = size.known();
      recent.forEach(turned::putHash);
      packed.forEach(turned::putHash);
      for (PackedHashes other : waiting) {
        other.forEach(turned::putHash);
      }
      waiting.clear();
      waitingBytes = 0;
      recent = new DistinctHashes();
      packed = PackedHashes.empty();
      bits = turned;
    }
    return turned;
  }

  /** Keeps the hashes with this many zeros, or with more if these are still too many. */
  private void thinOut(int least) {
    zeros = least;
    if (zeros > 0) {
      packed = packed.withZeros(zeros);
    }
    while (packed.count() > size.maxKeys()) {
      zeros++;
      packed = packed.withZeros(zeros);
    }
  }

  /** Returns the frozen filter of all keys. */
  FrozenFilter frozen(double fpp) {
    pack();
    if (zeros > 0) {
      throw size.tooMany(packed.count(), zeros);
    }
    long[] hashes = new long[packed.count()];
    AscendingHashes all = packed.read();
    for (int i = 0; all.next(); i++) {
      hashes[i] = all.hash();
    }
    return FrozenFilter.builder().fpp(fpp).build(hashes);
  }

  BloomFilter result() {
    pack();
    if (bits != null) {
      return size.result(bits);
    }
    int keys = packed.count();
    if (zeros > 0) {
      throw size.tooMany(keys, zeros);
    }
    return size.result(
        keys,
        bits -> {
          BloomLoader loader = size.loader(bits);
          packed.load(loader);
          return loader.build();
        });
  }
}
