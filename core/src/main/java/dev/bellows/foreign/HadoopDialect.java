package dev.bellows.foreign;

import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.io.FilterFormatException;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Hadoop's Writable form: the version -1, the number of hashes, a byte for the hash function, the
 * size in bits, then the bits, lowest first in each byte. An older form has no version and no byte
 * for the function, which is always Jenkins. A size is any number of bits, and each position is
 * {@code |hash| mod bits}, so a filter folds to every divisor. Hadoop rejects empty keys.
 */
record HadoopDialect(int hashes, boolean murmur) implements Dialect {
  private static final int VERSION = -1;
  private static final int JENKINS_ID = 0;
  private static final int MURMUR_ID = 1;

  static ForeignFilter read(ForeignInput in) throws IOException {
    int version = in.int32("version");
    boolean unversioned = version > 0;
    if (!unversioned && version != VERSION) {
      throw in.error("version " + version + ": Hadoop has -1, or the number of hashes");
    }
    int hashes = in.hashes(unversioned ? version : in.int32("hashes"));
    int function = unversioned ? JENKINS_ID : in.unsignedByte("hash function");
    if (function != JENKINS_ID && function != MURMUR_ID) {
      throw in.error("hash function " + function + ": Hadoop has 0 (jenkins) and 1 (murmur)");
    }
    long bits = in.checked(in.int32("size"), Integer.MAX_VALUE, "bits");
    HeapBits store = HeapBits.over(bits, in.words((bits + 7) / 8, ByteOrder.LITTLE_ENDIAN), 0);
    if ((bits & 63) != 0 && store.word(store.wordCount() - 1) >>> bits != 0) {
      throw new FilterFormatException(
          (unversioned ? 8 : 13) + (bits - 1) / 8, "there are ones after the last of its bits");
    }
    return new ForeignFilter(new HadoopDialect(hashes, function == MURMUR_ID), store);
  }

  @Override
  public Format format() {
    return Format.HADOOP;
  }

  @Override
  public String variant() {
    return murmur ? "murmur" : "jenkins";
  }

  @Override
  public int unitBits() {
    return 1;
  }

  @Override
  public String unitName() {
    return "bits";
  }

  @Override
  public boolean test(BitStore store, byte[] key) {
    int hash = 0;
    for (int i = 0; i < hashes; i++) {
      hash = murmur ? HadoopHashes.murmur(key, hash) : HadoopHashes.jenkins(key, hash);
      if (!store.isSet(Math.abs((long) hash) % store.bits())) {
        return false;
      }
    }
    return key.length > 0;
  }

  @Override
  public long bytes(long bits) {
    return 13 + (bits + 7) / 8;
  }

  @Override
  public void write(DataOutputStream out, BitStore store) throws IOException {
    out.writeInt(VERSION);
    out.writeInt(hashes);
    out.writeByte(murmur ? MURMUR_ID : JENKINS_ID);
    out.writeInt((int) store.bits());
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long left = (store.bits() + 7) / 8;
    for (int i = 0; left > 0; i++, left -= Long.BYTES) {
      out.write(word.putLong(0, store.word(i)).array(), 0, (int) Math.min(left, Long.BYTES));
    }
  }
}
