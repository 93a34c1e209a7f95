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
  private Bellows() {}

  private static Layout.Family layout(Peer peer) {
    return peer == Peer.CLASSIC ? Layout.Family.CLASSIC : Layout.Family.BLOCKED;
  }

  /** A filter at the rate of static ones. */
  public static final class Static extends Plain {
    public Static(Peer peer, Role role, long keys) {
      super(BloomFilter.builder().keys(keys).fpp(Peer.STATIC_FPP).layout(layout(peer)));
    }
  }

  /** For comparison with a window: the same keys, which never expire. */
  public static final class Expiring extends Plain {
    public Expiring(Peer peer, Role role, long keys) {
      super(peer, role, keys);
    }
  }

  /** Built by the first put, or by a loader. */
  public static class Plain extends Contender {
    private final BloomFilter.Builder builder;
    private @Nullable BloomLoader loader;
    private @Nullable BloomFilter filter;

    public Plain(Peer peer, Role role, long keys) {
      this(BloomFilter.builder().keys(keys).fpp(Peer.FPP).layout(layout(peer)));
    }

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
    public final long bits() {
      return filter().bits();
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
    public final void putObject(Object key) {
      if (key instanceof String text) {
        filter().put(text);
      } else {
        filter().put((byte[]) key);
      }
    }

    @Override
    public final boolean mightContainObject(Object key) {
      return key instanceof String text
          ? filter().mightContain(text)
          : filter().mightContain((byte[]) key);
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

    @Override
    public final Object union(Contender other) {
      return filter().union(((Plain) other).filter());
    }

    @Override
    public final Object intersection(Contender other) {
      return filter().intersection(((Plain) other).filter());
    }

    @Override
    public final Object fold() {
      return filter().foldBy(2);
    }

    @Override
    public final Object write(MemoryStream memory) throws IOException {
      filter().writeTo(memory);
      return memory;
    }

    @Override
    public final Object read(byte[] bytes) throws IOException {
      return BloomFilter.fromBytes(bytes);
    }

    @Override
    public final Object copy() {
      return filter().copy();
    }
  }

  /** Sized for its keys, next to filters that grow to them. */
  public static final class Growing extends Plain {
    public Growing(Peer peer, Role role, long keys) {
      super(peer, role, keys);
    }
  }

  /** The capacity of an elastic filter alone: what the puts cost without a view. */
  public static final class Elastic extends Plain {
    public Elastic(Peer peer, Role role, long keys) {
      super(
          BloomFilter.builder()
              .capacity(ElasticBloomFilter.builder().keys(keys).fpp(Peer.FPP).build().capacity())
              .fpp(Peer.FPP));
    }
  }

  /** Over longs that can be removed. */
  public static class Counting extends LongsOnly {
    private final CountingBloomFilter filter;

    public Counting(Peer peer, Role role, long keys) {
      this(CountingBloomFilter.builder().keys(keys).fpp(Peer.FPP).layout(layout(peer)).build());
    }

    Counting(CountingBloomFilter filter) {
      this.filter = filter;
    }

    @Override
    public final long bits() {
      return filter.bits() * filter.counterBits();
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
  }

  /** With as many counters and hashes as the autoscaling filter. */
  public static final class Thresholds extends Counting {
    public Thresholds(Peer peer, Role role, long keys) {
      super(
          CountingBloomFilter.builder()
              .bits(Structures.COUNTERS)
              .hashes(Structures.HASHES)
              .layout(Layout.Family.CLASSIC)
              .build());
    }
  }
}
