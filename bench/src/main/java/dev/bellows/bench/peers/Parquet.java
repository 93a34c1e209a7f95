package dev.bellows.bench.peers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;

/**
 * Parquet's split block filter, in as many blocks as 1 % needs: given a size, it would round up to
 * a power of two and waste memory; given its bytes, it takes them as they are.
 */
final class Parquet {
  private static final double BITS = 10.7;
  private static final int BLOCK_BYTES = 32;

  private Parquet() {}

  private static Binary binary(Object key) {
    return key instanceof String text
        ? Binary.fromString(text)
        : Binary.fromConstantByteArray((byte[]) key);
  }

  /** Merges in place; reading is one copy out of the stream, since it has no checks of its own. */
  public static final class Plain extends Contender {
    private final BlockSplitBloomFilter filter;

    public Plain(Peer peer, Role role, long keys) {
      long blocks = (long) Math.ceil(keys * BITS / 8 / BLOCK_BYTES);
      filter = new BlockSplitBloomFilter(new byte[Math.toIntExact(blocks * BLOCK_BYTES)]);
    }

    @Override
    public long bits() {
      return 8L * filter.getBitsetSize();
    }

    @Override
    public void put(long key) {
      filter.insertHash(filter.hash(key));
    }

    @Override
    public boolean mightContain(long key) {
      return filter.findHash(filter.hash(key));
    }

    @Override
    public void putObject(Object key) {
      filter.insertHash(filter.hash(binary(key)));
    }

    @Override
    public boolean mightContainObject(Object key) {
      return filter.findHash(filter.hash(binary(key)));
    }

    @Override
    public Object union(Contender other) throws IOException {
      filter.merge(((Plain) other).filter);
      return filter;
    }

    @Override
    public Object write(MemoryStream memory) throws IOException {
      filter.writeTo(memory);
      return memory;
    }

    @Override
    public Object read(byte[] bytes) {
      return new BlockSplitBloomFilter(new ByteArrayInputStream(bytes).readAllBytes());
    }
  }
}
