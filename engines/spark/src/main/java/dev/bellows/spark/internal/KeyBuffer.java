package dev.bellows.spark.internal;

import dev.bellows.BloomFilter;
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
 * wait, so that a key takes 5 to 12 bytes before its 1 or 2 bytes in the filter, and is packed
 * about twice. A filter folds but does not grow, so a buffer can hold bits before the end only if
 * the size is known from the beginning: then it switches to the bits of that filter when these are
 * smaller. The result does not depend on the order of keys and merges.
 *
 * <p>A buffer may be given room, so that it packs nothing before its table and what waits fill it:
 * packing costs more time than anything else, and saves memory only where there is much to pack.
 *
 * <p>A buffer with more than the maximum number of keys only serves to estimate their number: it
 * keeps the hashes that begin with a zero bit, then with two, and so on.
 */
final class KeyBuffer {
  /** Below this many bytes a table is not packed. */
  private static final int SMALL_TABLE = 4096;

  /** The share of a buffer's room that a table may take: one that is larger misses the cache. */
  private static final int TABLES_IN_ROOM = 8;

  private final FilterSize size;
  private final long room;
  private PackedHashes packed;
  private DistinctHashes recent = new DistinctHashes();
  private int mostRecent;
  private final List<PackedHashes> waiting = new ArrayList<>(); // of other buffers
  private long waitingBytes;
  private @Nullable BloomFilter bits; // of the known size; then there are no hashes
  private int zeros; // the bits that must be zero at the top of every hash here

  private KeyBuffer(FilterSize size, long room, PackedHashes packed, int zeros) {
    this.size = size;
    this.room = room;
    this.packed = packed;
    this.zeros = zeros;
    this.mostRecent = mostIn(packed.bytes() / 2);
  }

  static KeyBuffer empty(FilterSize size) {
    return empty(size, 0);
  }

  /** Returns an empty buffer that may take this many bytes before it packs. */
  static KeyBuffer empty(FilterSize size, long room) {
    return new KeyBuffer(size, size.knownBits() > 0 ? 0 : room, PackedHashes.empty(), 0);
  }

  /** Of the bytes of a filter, which begin with a negative one, or of packed hashes. */
  static KeyBuffer deserialize(FilterSize size, byte[] bytes) {
    if (bytes[0] < 0) {
      KeyBuffer buffer = empty(size);
      buffer.bits = filter(bytes);
      return buffer;
    }
    return new KeyBuffer(size, 0, PackedHashes.of(bytes), bytes[0]);
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

  private int mostIn(long tableBytes) {
    long most = Math.max(tableBytes, room / TABLES_IN_ROOM);
    return DistinctHashes.mostIn(Math.max(SMALL_TABLE, most));
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
    if (other.zeros > zeros) {
      pack();
      thinOut(other.zeros);
    }
    if (bits != null) {
      other.packed.forEach(bits::putHash);
    } else if (isSmall(other.packed)) {
      recent.reserve(recent.size() + other.packed.count());
      other.packed.forEach(this::putHash);
    } else {
      waiting.add(other.packed);
      waitingBytes += other.packed.bytes();
      if (waitingBytes > Math.max(packed.bytes(), room)) {
        pack();
      }
    }
  }

  /** Returns whether hashes are so few, next to those here, that they belong into the table. */
  private boolean isSmall(PackedHashes other) {
    return other.bytes() <= Math.max(SMALL_TABLE, packed.bytes() / 2)
        && recent.size() + other.count() <= mostRecent;
  }

  /** Packs everything, in one pass over the hashes of all sides. */
  private void pack() {
    if (recent.size() == 0 && waiting.isEmpty()) {
      return;
    }
    if (recent.size() == 0 && packed.count() == 0 && waiting.size() == 1) {
      packed = waiting.get(0).alias();
    } else {
      packed = PackedHashes.union(packed.drain(), unpacked());
    }
    forgetUnpacked();
    long tableBytes = packed.bytes();
    mostRecent = mostIn(tableBytes);
    if (size.knownBits() > 0 && 8 * (packed.bytes() + tableBytes) > size.knownBits()) {
      turn();
    }
    thinOut(zeros);
  }

  private void forgetUnpacked() {
    recent = new DistinctHashes();
    waiting.clear();
    waitingBytes = 0;
  }

  /** Returns the hashes that are not packed together yet. */
  private AscendingHashes unpacked() {
    Deque<AscendingHashes> sides = new ArrayDeque<>();
    sides.add(AscendingHashes.of(recent.sorted()));
    waiting.forEach(other -> sides.add(other.read()));
    while (sides.size() > 1) {
      sides.add(AscendingHashes.union(sides.remove(), sides.remove()));
    }
    return sides.remove();
  }

  /** Returns the bits of the known size, from now on. */
  private BloomFilter turn() {
    if (bits == null) {
      BloomFilter turned = size.known();
      recent.forEach(turned::putHash);
      packed.forEach(turned::putHash);
      waiting.forEach(other -> other.forEach(turned::putHash));
      forgetUnpacked();
      packed = PackedHashes.empty();
      bits = turned;
    }
    return bits;
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
    if (zeros > 0 || size.knownBits() > 0 || most() > size.maxKeys()) {
      pack();
    }
    if (bits != null) {
      return size.result(bits);
    }
    if (zeros > 0) {
      throw size.tooMany(packed.count(), zeros);
    }
    return size.result(count(), this::filterOf);
  }

  /** Returns the number of hashes, of which some may be the same. */
  private long most() {
    long most = (long) packed.count() + recent.size();
    for (PackedHashes other : waiting) {
      most += other.count();
    }
    return most;
  }

  private long count() {
    long most = most();
    if (most == packed.count() || most == recent.size()) {
      return most;
    }
    List<AscendingHashes> sides = new ArrayList<>();
    sides.add(packed.read());
    sides.add(AscendingHashes.of(recent.sorted()));
    waiting.forEach(other -> sides.add(other.read()));
    return DistinctHashes.count(sides, most);
  }

  /** Returns the filter of a size: a hash that is put twice makes no difference. */
  private BloomFilter filterOf(long bits) {
    BloomFilter.Loader loader = size.loader(bits);
    packed.load(loader);
    recent.forEach(loader::putHash);
    waiting.forEach(other -> other.load(loader));
    return loader.build();
  }
}
