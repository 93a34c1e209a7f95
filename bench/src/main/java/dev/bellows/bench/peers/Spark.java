package dev.bellows.bench.peers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.spark.util.sketch.BloomFilter;
import org.apache.spark.util.sketch.IncompatibleMergeException;

/** Spark's filter in both versions: V1 hashes to 32 bits, V2 to 64. */
final class Spark {
  private Spark() {}

  private static BloomFilter filter(Peer peer, long keys) {
    BloomFilter.Version version =
        peer == Peer.SPARK_V1 ? BloomFilter.Version.V1 : BloomFilter.Version.V2;
    return BloomFilter.create(version, keys, BloomFilter.optimalNumOfBits(keys, Peer.FPP), 0);
  }

  /** Over longs. */
  public static final class Longs extends LongsFilter {
    private final BloomFilter filter;

    public Longs(Peer peer, long keys) {
      filter = filter(peer, keys);
    }

    @Override
    public void put(long key) {
      filter.putLong(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContainLong(key);
    }

    @Override
    public long bits() {
      return filter.bitSize();
    }
  }

  /** Over text. */
  public static final class Texts extends KeyedFilter<String> {
    private final BloomFilter filter;

    public Texts(Peer peer, long keys) {
      filter = filter(peer, keys);
    }

    @Override
    public void put(String key) {
      filter.putString(key);
    }

    @Override
    public boolean mightContain(String key) {
      return filter.mightContainString(key);
    }

    @Override
    public long bits() {
      return filter.bitSize();
    }
  }

  /** Over bytes. */
  public static final class Bytes extends KeyedFilter<byte[]> {
    private final BloomFilter filter;

    public Bytes(Peer peer, long keys) {
      filter = filter(peer, keys);
    }

    @Override
    public void put(byte[] key) {
      filter.putBinary(key);
    }

    @Override
    public boolean mightContain(byte[] key) {
      return filter.mightContainBinary(key);
    }

    @Override
    public long bits() {
      return filter.bitSize();
    }
  }

  /** Merges in place. */
  public static final class Whole extends WholeFilter {
    private final BloomFilter filter;
    private final BloomFilter other;
    private final MemoryStream memory;
    private final byte[] bytes;

    public Whole(Peer peer, long keys) throws IOException {
      filter = filter(peer, keys);
      other = filter(peer, keys);
      Fill.both(keys, filter::putLong, other::putLong);
      memory = MemoryStream.forBits(filter.bitSize());
      filter.writeTo(memory);
      bytes = memory.bytes();
    }

    @Override
    public long bits() {
      return filter.bitSize();
    }

    @Override
    public Object union() throws IOException {
      try {
        return filter.mergeInPlace(other);
      } catch (IncompatibleMergeException e) {
        throw new IOException(e);
      }
    }

    @Override
    public Object intersection() throws IOException {
      try {
        return filter.intersectInPlace(other);
      } catch (IncompatibleMergeException e) {
        throw new IOException(e);
      }
    }

    @Override
    public Object write() throws IOException {
      memory.reset();
      filter.writeTo(memory);
      return memory;
    }

    @Override
    public Object read() throws IOException {
      return BloomFilter.readFrom(new ByteArrayInputStream(bytes));
    }
  }
}
