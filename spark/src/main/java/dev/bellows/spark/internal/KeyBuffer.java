package dev.bellows.spark.internal;

import dev.bellows.BloomFilter;
import dev.bellows.BloomLoader;

/**
 * The distinct keys of one group in one task, for one thread: their hashes, packed in ascending
 * order, and a table of those that came since the last packing. The table is at most half as large
 * as the packed hashes, or as large as they are where most keys come again, so that a key takes 5
 * to 9 bytes, or 12, on the way to its 1 or 2 of a filter. It cannot be bits before the end: a
 * filter folds but does not grow, and how large it will be is only known then. The order in which
 * keys come and buffers merge leaves no trace in the result.
 *
 * <p>A buffer of more than the most keys is of no use but to tell how many there are: it keeps the
 * hashes that begin with a zero bit, then with two, and so on.
 */
final class KeyBuffer {
  /** Below this many bytes a table is not packed. */
  private static final int SMALL_TABLE = 4096;

  private final FilterSize size;
  private PackedHashes packed;
  private DistinctHashes recent = new DistinctHashes();
  private int mostRecent;
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

  static KeyBuffer deserialize(FilterSize size, byte[] bytes) {
    return new KeyBuffer(size, PackedHashes.of(bytes), bytes[0]);
  }

  byte[] serialize() {
    pack();
    return packed.toBytes((byte) zeros);
  }

  /** The memory of its hashes. */
  long bytes() {
    return packed.bytes() + recent.bytes();
  }

  private static int mostIn(long tableBytes) {
    return DistinctHashes.mostIn(Math.max(SMALL_TABLE, tableBytes));
  }

  void putHash(long hash) {
    if (Long.numberOfLeadingZeros(hash) >= zeros
        && recent.add(hash)
        && recent.size() > mostRecent) {
      pack();
      recent.reserve(mostRecent); // the next ones will be as many
    }
  }

  void merge(KeyBuffer other) {
    other.pack();
    int more = other.packed.count();
    if (other.zeros > zeros) {
      pack();
      thinOut(other.zeros);
    }
    if (recent.size() + more > mostRecent) {
      pack();
    }
    if (more > mostRecent) {
      add(other.packed.read());
    } else {
      recent.reserve(recent.size() + more);
      other.packed.forEach(this::putHash);
    }
  }

  private void pack() {
    if (recent.size() > 0) {
      long[] sorted = recent.sorted();
      recent = new DistinctHashes();
      add(AscendingHashes.of(sorted));
    }
  }

  private void add(AscendingHashes more) {
    int before = packed.count();
    packed = PackedHashes.union(packed.drain(), more);
    boolean mostlyKnown = packed.count() - before < more.count() / 2;
    mostRecent = mostIn(mostlyKnown ? packed.bytes() : packed.bytes() / 2);
    thinOut(zeros);
  }

  /** Keeps the hashes with so many zeros, or with more if these are still too many. */
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

  BloomFilter result() {
    pack();
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
