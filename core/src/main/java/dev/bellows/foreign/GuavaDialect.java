package dev.bellows.foreign;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.internal.bits.BitStore;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;

/**
 * Guava's serialized form: a byte for the strategy, a byte for the number of hashes, the number of
 * words as an int, and the words; big endian. Both strategies hash with Murmur3-128, seed 0.
 * MITZ_32 combines two hashes in 32 bits, so it reaches at most 2^31 bits; MITZ_64 combines them in
 * 64 bits.
 */
record GuavaDialect(int strategy, int hashes) implements Dialect {
  private static final Hasher128 MURMUR = Hashing.murmur3_128();
  private static final int MITZ_32 = 0;
  private static final int MITZ_64 = 1;

  static ForeignFilter read(ForeignInput in) throws IOException {
    int strategy = in.unsignedByte("strategy");
    if (strategy != MITZ_32 && strategy != MITZ_64) {
      throw in.error("strategy " + strategy + ": Guava has 0 (MITZ_32) and 1 (MITZ_64)");
    }
    int hashes = in.hashes(in.unsignedByte("hashes"));
    int words = in.wordCount(in.int32("number of words"));
    return new ForeignFilter(
        new GuavaDialect(strategy, hashes), in.bits(words, ByteOrder.BIG_ENDIAN));
  }

  @Override
  public Format format() {
    return Format.GUAVA;
  }

  @Override
  public String variant() {
    return strategy == MITZ_32 ? "MURMUR128_MITZ_32" : "MURMUR128_MITZ_64";
  }

  @Override
  public long reach(long bits) {
    return strategy == MITZ_32 ? Math.min(bits, 1L << 31) : bits;
  }

  @Override
  public double excess(BitStore store) {
    return Dialect.doubleHashingExcess(store, reach(store.bits()), hashes);
  }

  @Override
  public boolean test(BitStore store, byte[] key) {
    HashValue128 hash = MURMUR.hashBytesTo128Bits(key);
    long lower = hash.getLeastSignificantBits();
    if (strategy == MITZ_32) {
      return Dialect.testIntPair(store, hashes, (int) lower, (int) (lower >>> 32));
    }
    long combined = lower;
    for (int i = 0; i < hashes; i++) {
      if (!store.isSet((combined & Long.MAX_VALUE) % store.bits())) {
        return false;
      }
      combined += hash.getMostSignificantBits();
    }
    return true;
  }

  @Override
  public long bytes(long bits) {
    return 6 + bits / 8;
  }

  @Override
  public void write(DataOutputStream out, BitStore store) throws IOException {
    out.writeByte(strategy);
    out.writeByte(hashes);
    Dialect.writeWords(out, store);
  }
}
