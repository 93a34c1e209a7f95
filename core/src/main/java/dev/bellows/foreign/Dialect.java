package dev.bellows.foreign;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.math.BloomRates;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How a library chooses bits for a key and writes them to a file.
 *
 * <p>All except Parquet choose a bit as {@code value mod bits}, where the value does not depend on
 * the size. So {@code (value mod bits) mod (bits/f) = value mod (bits/f)} for every f that divides
 * the bits, and OR-ing the f equal stripes gives exactly the filter that the library would have
 * built at that size (Folding paper, Eq. 3). Libraries differ only in the unit of their sizes: a
 * size must be a whole number of units.
 */
sealed interface Dialect permits GuavaDialect, SparkDialect, HadoopDialect, ParquetDialect {
  ForeignFormat format();

  /** Returns the variant of the library's format, by the library's own name for it. */
  String variant();

  int hashes();

  /** Returns the seed of its hashes; null if the library has no seed. */
  default @Nullable Integer seedOfHashes() {
    return null;
  }

  /** Returns the number of bits in the unit of which every size is a multiple. */
  default int unitBits() {
    return Long.SIZE;
  }

  /** Returns the name of the units. */
  default String unitName() {
    return "words of 64 bits";
  }

  /** Returns whether all bits that the library chooses for a key with these bytes are set. */
  boolean test(BitStore store, byte[] key);

  /** Returns the length of a file with this many bits. */
  long bytes(long bits);

  void write(DataOutputStream out, BitStore store) throws IOException;

  /**
   * Returns the number of bits that a value can reach: with values of 31 bits the rest of a large
   * filter stays zero.
   */
  default long reach(long bits) {
    return bits;
  }

  default HeapBits fold(BitStore store, long factor) {
    return store.fold(factor);
  }

  /** Returns the false positive rate of this store itself. */
  default double fpp(BitStore store) {
    BitStore reached = reached(store);
    return positions(reached).rate(reached);
  }

  /** Returns by how much the rate may be higher because of the way positions are chosen. */
  default double excess(BitStore store) {
    return 0;
  }

  /** Returns by how much double hashing may raise the rate. */
  static double doubleHashingExcess(BitStore store, long reach, int hashes) {
    return BloomRates.doubleHashingExcess(reach, (double) store.ones() / reach, hashes);
  }

  /** Returns the number of keys that most likely set these bits; finite even for a full store. */
  default double keys(BitStore store) {
    BitStore reached = reached(store);
    return positions(reached).keys(reached);
  }

  /** Returns the expected rate after folding by a factor. */
  default LongToDoubleFunction fppAfterFolding(BitStore store) {
    BitStore reached = reached(store);
    LongToDoubleFunction folded = positions(reached).rateAfterFolding(reached);
    long bits = store.bits();
    if (reached.bits() == bits) {
      return folded;
    }
    double unfolded = fpp(store);
    long keys = Math.round(keys(store));
    return factor ->
        bits / factor >= reached.bits() ? unfolded : BloomRates.fpp(bits / factor, keys, hashes());
  }

  private Positions positions(BitStore store) {
    return Positions.classic(store.bits(), hashes());
  }

  private BitStore reached(BitStore store) {
    long reach = reach(store.bits());
    if (reach == store.bits()) {
      return store;
    }
    HeapBits reached = HeapBits.aligned(reach);
    return store.reading(
        () -> {
          store.copyTo(0, reached.array(), reached.first(), (int) reached.wordCount());
          return reached;
        });
  }

  /** Tests a key by double hashing in 32 bits, as in Guava's first strategy and Spark's V1. */
  static boolean testIntPair(BitStore store, int hashes, int first, int second) {
    int combined = first;
    for (int i = 0; i < hashes; i++) {
      combined += second;
      if (!store.isSet((combined < 0 ? ~combined : combined) % store.bits())) {
        return false;
      }
    }
    return true;
  }

  /** Writes words as Guava and Spark do: their number, then each of them, big endian. */
  static void writeWords(DataOutputStream out, BitStore store) throws IOException {
    out.writeInt((int) store.wordCount());
    for (long i = 0; i < store.wordCount(); i++) {
      out.writeLong(store.word(i));
    }
  }
}
