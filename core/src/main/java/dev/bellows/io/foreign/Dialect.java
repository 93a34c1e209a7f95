package dev.bellows.io.foreign;

import dev.bellows.internal.BitLayout;
import dev.bellows.plan.BloomRates;
import dev.bellows.plan.Layout;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One library's way to choose bits for a key and to write them down.
 *
 * <p>All but Parquet choose a bit as {@code value mod bits}, with a value that does not depend on
 * the size. So {@code (value mod bits) mod (bits/f) = value mod (bits/f)} for every f that divides
 * the bits, and OR-ing the f equal stripes gives exactly the filter that the library would have
 * built at that size (000 Eq 3). What remains to a library is the unit in which its file counts
 * bits: a size must be a whole number of them.
 */
sealed interface Dialect permits GuavaDialect, SparkDialect, HadoopDialect, ParquetDialect {
  ForeignFormat format();

  /** Which of the library's ways this is, in its own words. */
  String variant();

  int hashes();

  /** The seed of its hashes; null where the library has none to choose. */
  default @Nullable Integer seedOfHashes() {
    return null;
  }

  /** Bits in the unit of which every size is a multiple. */
  int unitBits();

  /** What the units are called. */
  String unitName();

  /** Whether all bits are set that the library chooses for a key of these bytes. */
  boolean test(long[] words, long bits, byte[] key);

  /** The length of a file of so many bits. */
  long bytes(long bits);

  void write(DataOutputStream out, long[] words, long bits) throws IOException;

  /** The bits that a value can reach: values of 31 bits leave the rest of a large filter zero. */
  default long reach(long bits) {
    return bits;
  }

  default long[] fold(long[] words, long bits, long factor) {
    return BitLayout.of(Layout.CLASSIC, bits, hashes()).fold(words, factor);
  }

  /** The rate at which outsiders pass this very store. */
  default double fpp(long[] words, long bits) {
    return layout(bits).fpp(reached(words, bits));
  }

  /** The number of keys that most likely set these bits; finite on a full store too. */
  default double keys(long[] words, long bits) {
    return layout(bits).keys(reached(words, bits));
  }

  /** The rate to expect after folding by a factor. */
  default LongToDoubleFunction fppAfterFolding(long[] words, long bits) {
    long reach = reach(bits);
    LongToDoubleFunction folded = layout(bits).fppAfterFolding(reached(words, bits));
    if (reach == bits) {
      return folded;
    }
    double unfolded = fpp(words, bits);
    long keys = Math.round(keys(words, bits));
    return factor ->
        bits / factor >= reach ? unfolded : BloomRates.fpp(bits / factor, keys, hashes());
  }

  private BitLayout layout(long bits) {
    return BitLayout.of(Layout.CLASSIC, reach(bits), hashes());
  }

  private long[] reached(long[] words, long bits) {
    return reach(bits) == bits ? words : Arrays.copyOf(words, (int) (reach(bits) >>> 6));
  }

  static boolean isSet(long[] words, long position) {
    return ((words[(int) (position >>> 6)] >>> position) & 1) != 0;
  }

  /** Double hashing in 32 bits, as Guava's first strategy and Spark's V1 have it. */
  static boolean testIntPair(long[] words, long bits, int hashes, int first, int second) {
    int combined = first;
    for (int i = 0; i < hashes; i++) {
      combined += second;
      if (!isSet(words, (combined < 0 ? ~combined : combined) % bits)) {
        return false;
      }
    }
    return true;
  }

  /** Words as Guava and Spark write them: their number, then each of them, big endian. */
  static void writeWords(DataOutputStream out, long[] words) throws IOException {
    out.writeInt(words.length);
    for (long word : words) {
      out.writeLong(word);
    }
  }
}
