package dev.bellows.foreign;

import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.internal.bits.BitStore;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Spark's sketch format: the version, the number of hashes, in V2 the seed, and the number of words
 * as ints, then the words; big endian. V1 combines two hashes in 32 bits, so it reaches at most
 * 2^31 bits; V2 extends the first hash to 64 bits.
 */
record SparkDialect(int version, int hashes, int seed) implements Dialect {
  static ForeignFilter read(ForeignInput in) throws IOException {
    int version = in.int32("version");
    if (version != 1 && version != 2) {
      throw in.error("version " + version + ": Spark has 1 and 2");
    }
    int hashes = in.hashes(in.int32("hashes"));
    int seed = version == 1 ? 0 : in.int32("seed");
    int words = in.wordCount(in.int32("number of words"));
    return new ForeignFilter(
        new SparkDialect(version, hashes, seed), in.bits(words, ByteOrder.BIG_ENDIAN));
  }

  @Override
  public Format format() {
    return Format.SPARK;
  }

  @Override
  public String variant() {
    return "V" + version;
  }

  @Override
  public @Nullable Integer seedOfHashes() {
    return version == 1 ? null : seed;
  }

  @Override
  public long reach(long bits) {
    return version == 1 ? Math.min(bits, 1L << 31) : bits;
  }

  @Override
  public double excess(BitStore store) {
    return Dialect.doubleHashingExcess(store, reach(store.bits()), hashes);
  }

  @Override
  public boolean test(BitStore store, byte[] key) {
    int first = SparkMurmur3.hash(key, seed);
    int second = SparkMurmur3.hash(key, first);
    if (version == 1) {
      return Dialect.testIntPair(store, hashes, first, second);
    }
    long combined = (long) first * Integer.MAX_VALUE;
    for (int i = 0; i < hashes; i++) {
      combined += second;
      if (!store.isSet((combined < 0 ? ~combined : combined) % store.bits())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long bytes(long bits) {
    return (version == 1 ? 12 : 16) + bits / 8;
  }

  @Override
  public void write(DataOutputStream out, BitStore store) throws IOException {
    out.writeInt(version);
    out.writeInt(hashes);
    if (version == 2) {
      out.writeInt(seed);
    }
    Dialect.writeWords(out, store);
  }
}
