package dev.bellows.foreign;

import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.math.BloomRates;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a library maps keys to bits and writes these bits to a file.
 *
 * <p>All libraries except Parquet choose a bit as {@code value mod bits}, where the value does not
 * depend on the size. Therefore {@code (value mod bits) mod (bits/f) = value mod (bits/f)} for
 * every f that divides the number of bits, and the OR of the f equal stripes is exactly the filter
 * that the library would have built at that size (Folding paper, Eq. 3). The libraries differ in
 * the unit of which every size is a multiple.
 */
sealed interface Dialect permits GuavaDialect, SparkDialect, HadoopDialect, ParquetDialect {
  Format format();

  /** Returns the library's own name for the variant of its format. */
  String variant();

  int hashes();

  /** Returns the seed of the hash function; null if this variant has none. */
  default @Nullable Integer seedOfHashes() {
    return null;
  }

  /** Returns the unit in bits of which every size is a multiple. */
  default int unitBits() {
    return Long.SIZE;
  }

  /** Returns the name of the units. */
  default String unitName() {
    return "words of 64 bits";
  }

  /** Returns whether all bits that the library chooses for a key with these bytes are set. */
  boolean test(BitStore store, byte[] key);

  /** Returns the length in bytes of the file of a filter with this many bits. */
  long bytes(long bits);

  void write(DataOutputStream out, BitStore store) throws IOException;

  /**
   * Returns the number of bits that a value can reach: with values of 31 bits, the rest of a larger
   * filter stays zero.
   */
  default long reach(long bits) {
    return bits;
  }

  default HeapBits fold(BitStore store, long factor) {
    return store.fold(factor);
  }

  /** Returns the false positive rate of this store, from its actual fill. */
  default double fpp(BitStore store) {
    BitStore reached = reached(store);
    return positions(reached).rate(reached);
  }

  /** Returns the maximum amount that the library's choice of positions adds to the rate. */
  default double excess(BitStore store) {
    return 0;
  }

  /** Returns the maximum amount that double hashing adds to the rate. */
  static double doubleHashingExcess(BitStore store, long reach, int hashes) {
    return BloomRates.doubleHashingExcess(reach, (double) store.ones() / reach, hashes);
  }

  /** Returns the number of keys that most likely set these bits; finite even for a full store. */
  default double keys(BitStore store) {
    BitStore reached = reached(store);
    return positions(reached).keys(reached);
  }

  /** Returns a function from fold factors to the expected rates after folding. */
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

  /** Writes words like Guava and Spark: their number, then the words, big endian. */
  static void writeWords(DataOutputStream out, BitStore store) throws IOException {
    out.writeInt((int) store.wordCount());
    for (long i = 0; i < store.wordCount(); i++) {
      out.writeLong(store.word(i));
    }
  }
}
