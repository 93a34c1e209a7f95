package dev.bellows.bench.peers;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.spark.util.sketch.BloomFilter;

/** Spark's filter in both versions: V1 hashes to 32 bits, V2 to 64. */
final class Spark {
  private Spark() {}

  /** Merges in place. */
  public static final class Plain extends Contender {
    private final BloomFilter filter;

    public Plain(Peer peer, Role role, long keys) {
      BloomFilter.Version version =
          peer == Peer.SPARK_V1 ? BloomFilter.Version.V1 : BloomFilter.Version.V2;
      filter = BloomFilter.create(version, keys, BloomFilter.optimalNumOfBits(keys, Peer.FPP), 0);
    }

    @Override
    public long bits() {
      return filter.bitSize();
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
    public void putObject(Object key) {
      if (key instanceof String text) {
        filter.putString(text);
      } else {
        filter.putBinary((byte[]) key);
      }
    }

    @Override
    public boolean mightContainObject(Object key) {
      return key instanceof String text
          ? filter.mightContainString(text)
          : filter.mightContainBinary((byte[]) key);
    }

    @Override
    public Object union(Contender other) throws Exception {
      return filter.mergeInPlace(((Plain) other).filter);
    }

    @Override
    public Object intersection(Contender other) throws Exception {
      return filter.intersectInPlace(((Plain) other).filter);
    }

    @Override
    public Object write(MemoryStream memory) throws IOException {
      filter.writeTo(memory);
      return memory;
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
      return BloomFilter.readFrom(new ByteArrayInputStream(bytes));
    }
  }
}
