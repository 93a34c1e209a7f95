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

  private static BlockSplitBloomFilter filter(long keys) {
    long blocks = (long) Math.ceil(keys * BITS / 8 / BLOCK_BYTES);
    return new BlockSplitBloomFilter(new byte[Math.toIntExact(blocks * BLOCK_BYTES)]);
  }

  /** Over longs. */
  public static final class Longs extends LongsFilter {
    private final BlockSplitBloomFilter filter;

    public Longs(Peer peer, long keys) {
      filter = filter(keys);
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
    public long bits() {
      return 8L * filter.getBitsetSize();
    }
  }

  /** Over text. */
  public static final class Texts extends KeyedFilter<String> {
    private final BlockSplitBloomFilter filter;

    public Texts(Peer peer, long keys) {
      filter = filter(keys);
    }

    @Override
    public void put(String key) {
      filter.insertHash(filter.hash(Binary.fromString(key)));
    }

    @Override
    public boolean mightContain(String key) {
      return filter.findHash(filter.hash(Binary.fromString(key)));
    }

    @Override
    public long bits() {
      return 8L * filter.getBitsetSize();
    }
  }

  /** Over bytes. */
  public static final class Bytes extends KeyedFilter<byte[]> {
    private final BlockSplitBloomFilter filter;

    public Bytes(Peer peer, long keys) {
      filter = filter(keys);
    }

    @Override
    public void put(byte[] key) {
      filter.insertHash(filter.hash(Binary.fromConstantByteArray(key)));
    }

    @Override
    public boolean mightContain(byte[] key) {
      return filter.findHash(filter.hash(Binary.fromConstantByteArray(key)));
    }

    @Override
    public long bits() {
      return 8L * filter.getBitsetSize();
    }
  }

  /** Merges in place; reading is one copy out of the stream, since it has no checks of its own. */
  public static final class Whole extends WholeFilter {
    private final BlockSplitBloomFilter filter;
    private final BlockSplitBloomFilter other;
    private final MemoryStream memory;
    private final byte[] bytes;

    public Whole(Peer peer, long keys) throws IOException {
      filter = filter(keys);
      other = filter(keys);
      Fill.both(
          keys,
          key -> filter.insertHash(filter.hash(key)),
          key -> other.insertHash(other.hash(key)));
      memory = MemoryStream.forBits(8L * filter.getBitsetSize());
      filter.writeTo(memory);
      bytes = memory.bytes();
    }

    @Override
    public long bits() {
      return 8L * filter.getBitsetSize();
    }

    @Override
    public Object union() throws IOException {
      filter.merge(other);
      return filter;
    }

    @Override
    public Object write() throws IOException {
      memory.reset();
      filter.writeTo(memory);
      return memory;
    }

    @Override
    public Object read() {
      return new BlockSplitBloomFilter(new ByteArrayInputStream(bytes).readAllBytes());
    }
  }
}
