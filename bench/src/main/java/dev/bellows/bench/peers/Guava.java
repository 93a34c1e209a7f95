package dev.bellows.bench.peers;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Guava's filter with its default strategy, MURMUR128_MITZ_64. */
@SuppressWarnings("UnstableApiUsage")
final class Guava {
  private Guava() {}

  private static <T> BloomFilter<T> filter(Funnel<? super T> funnel, long keys) {
    return BloomFilter.create(funnel, keys, Peer.FPP);
  }

  /** Its store, of which the library does not tell the size: the bits of its own formula. */
  private static long size(long keys) {
    return (long) (-keys * Math.log(Peer.FPP) / (Math.log(2) * Math.log(2)));
  }

  /** Over longs. */
  public static final class Longs extends LongsFilter {
    private final BloomFilter<Long> filter;
    private final long bits;

    public Longs(Peer peer, long keys) {
      filter = filter(Funnels.longFunnel(), keys);
      bits = size(keys);
    }

    @Override
    public void put(long key) {
      filter.put(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return bits;
    }
  }

  /** Over text as UTF-8. */
  public static final class Texts extends KeyedFilter<String> {
    private final BloomFilter<CharSequence> filter;
    private final long bits;

    public Texts(Peer peer, long keys) {
      filter = filter(Funnels.stringFunnel(StandardCharsets.UTF_8), keys);
      bits = size(keys);
    }

    @Override
    public void put(String key) {
      filter.put(key);
    }

    @Override
    public boolean mightContain(String key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return bits;
    }
  }

  /** Over bytes. */
  public static final class Bytes extends KeyedFilter<byte[]> {
    private final BloomFilter<byte[]> filter;
    private final long bits;

    public Bytes(Peer peer, long keys) {
      filter = filter(Funnels.byteArrayFunnel(), keys);
      bits = size(keys);
    }

    @Override
    public void put(byte[] key) {
      filter.put(key);
    }

    @Override
    public boolean mightContain(byte[] key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return bits;
    }
  }

  /**
   * Merges into a copy: a second merge of the same filter into one would find nothing to write and
   * measure less than a union.
   */
  public static final class Whole extends WholeFilter {
    private final BloomFilter<Long> filter;
    private final BloomFilter<Long> other;
    private final MemoryStream memory;
    private final byte[] bytes;
    private final long bits;

    public Whole(Peer peer, long keys) throws IOException {
      filter = filter(Funnels.longFunnel(), keys);
      other = filter(Funnels.longFunnel(), keys);
      Fill.both(keys, filter::put, other::put);
      bits = size(keys);
      memory = MemoryStream.forBits(bits);
      filter.writeTo(memory);
      bytes = memory.bytes();
    }

    @Override
    public long bits() {
      return bits;
    }

    @Override
    public Object union() {
      BloomFilter<Long> union = filter.copy();
      union.putAll(other);
      return union;
    }

    @Override
    public Object write() throws IOException {
      memory.reset();
      filter.writeTo(memory);
      return memory;
    }

    @Override
    public Object read() throws IOException {
      return BloomFilter.readFrom(new ByteArrayInputStream(bytes), Funnels.longFunnel());
    }
  }
}
