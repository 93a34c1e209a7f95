package dev.bellows.bench.peers;

import dev.bellows.BloomFilter;
import dev.bellows.BloomLoader;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Layout;
import dev.bellows.elastic.ElasticBloomFilter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** This library's filters of fixed size, in either layout. */
final class Bellows {
  private static final long FACTOR = 2;

  private Bellows() {}

  private static Layout layout(Peer peer) {
    return peer == Peer.CLASSIC ? Layout.CLASSIC : Layout.BLOCKED;
  }

  private static BloomFilter.Builder builder(Peer peer, long keys) {
    return BloomFilter.builder().keys(keys).fpp(Peer.FPP).layout(layout(peer));
  }

  private static BloomFilter filter(Peer peer, long keys) {
    return builder(peer, keys).build();
  }

  /** Made by the first put, or by a loader. */
  private abstract static class Plain extends LongsFilter {
    private final BloomFilter.Builder builder;
    private @Nullable BloomLoader loader;
    private @Nullable BloomFilter filter;

    Plain(BloomFilter.Builder builder) {
      this.builder = builder;
    }

    private BloomFilter filter() {
      BloomFilter made = filter;
      if (made == null) {
        made = builder.build();
        filter = made;
      }
      return made;
    }

    @Override
    public final void put(long key) {
      filter().put(key);
    }

    @Override
    public final boolean mightContain(long key) {
      return filter().mightContain(key);
    }

    @Override
    public final long bits() {
      return filter().bits();
    }

    @Override
    public final void load(long[] keys) {
      if (loader == null) {
        loader = builder.loader();
      }
      loader.putAll(keys);
    }

    @Override
    public final void loaded() {
      if (loader != null) {
        filter = loader.build();
        loader = null;
      }
    }

    @Override
    public final void putBatch(long[] keys) {
      filter().putAll(keys);
    }

    @Override
    public final int count(long[] keys, boolean[] hits) {
      return filter().countMightContain(keys, hits);
    }
  }

  /** Over longs. */
  public static final class Longs extends Plain {
    public Longs(Peer peer, long keys) {
      super(builder(peer, keys));
    }
  }

  /** Sized for its keys, beside those that grow to them. */
  public static final class Growing extends Plain {
    public Growing(Peer peer, long keys) {
      super(builder(peer, keys));
    }
  }

  /** The capacity of an elastic filter alone: what the puts cost without a view. */
  public static final class Elastic extends Plain {
    public Elastic(Peer peer, long keys) {
      super(
          BloomFilter.builder()
              .capacity(ElasticBloomFilter.builder().keys(keys).fpp(Peer.FPP).build().capacity())
              .fpp(Peer.FPP));
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
      filter.put(key);
    }

    @Override
    public boolean mightContain(String key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return filter.bits();
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
      filter.put(key);
    }

    @Override
    public boolean mightContain(byte[] key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return filter.bits();
    }
  }

  /** Counters. */
  private abstract static class Counters extends LongsFilter {
    private final CountingBloomFilter filter;

    Counters(CountingBloomFilter filter) {
      this.filter = filter;
    }

    @Override
    public final void put(long key) {
      filter.put(key);
    }

    @Override
    public final boolean mightContain(long key) {
      return filter.mightContain(key);
    }

    @Override
    public final void remove(long key) {
      filter.remove(key);
    }

    @Override
    public final long bits() {
      return filter.bits() * filter.counterBits();
    }
  }

  /** Over longs that can be taken back. */
  public static final class Counting extends Counters {
    public Counting(Peer peer, long keys) {
      super(CountingBloomFilter.builder().keys(keys).fpp(Peer.FPP).layout(layout(peer)).build());
    }
  }

  /** The same store as the autoscaling filter's. */
  public static final class Thresholds extends Counters {
    public Thresholds(Peer peer, long keys) {
      super(
          CountingBloomFilter.builder()
              .bits(Structures.COUNTERS)
              .hashes(Structures.HASHES)
              .layout(Layout.CLASSIC)
              .build());
    }
  }

  /** Makes new filters. */
  public static final class Whole extends WholeFilter {
    private final BloomFilter filter;
    private final BloomFilter other;
    private final MemoryStream memory;
    private final byte[] bytes;

    public Whole(Peer peer, long keys) throws IOException {
      filter = filter(peer, keys);
      other = filter(peer, keys);
      Fill.both(keys, filter::put, other::put);
      memory = MemoryStream.forBits(filter.bits());
      filter.writeTo(memory);
      bytes = memory.bytes();
    }

    @Override
    public long bits() {
      return filter.bits();
    }

    @Override
    public Object union() {
      return filter.union(other);
    }

    @Override
    public Object intersection() {
      return filter.intersection(other);
    }

    @Override
    public Object fold() {
      return filter.foldBy(FACTOR);
    }

    @Override
    public Object write() throws IOException {
      memory.reset();
      filter.writeTo(memory);
      return memory;
    }

    @Override
    public Object read() throws IOException {
      return BloomFilter.fromBytes(bytes);
    }

    @Override
    public Object copy() {
      return filter.copy();
    }
  }
}
