package dev.bellows.bench.peers;

import dev.bellows.BloomFilter;
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

  /**
   * Built by the first put, or by a loader. It is sized for its keys also in comparison with
   * filters that grow to them or whose keys expire. In comparison with an elastic filter it is the
   * capacity of that filter, whose puts cost this much without a view.
   */
  public static final class Plain extends Contender {
    private final BloomFilter.Builder builder;
    private BloomFilter.@Nullable Loader loader;
    private @Nullable BloomFilter filter;

    public Plain(Peer peer, Role role, long keys) {
      builder =
          BloomFilter.builder()
              .fpp(role == Role.STATIC ? Peer.STATIC_FPP : Peer.FPP)
              .layout(layout(peer));
      if (role == Role.ELASTIC) {
        builder.capacity(ElasticBloomFilter.builder().keys(keys).fpp(Peer.FPP).build().capacity());
      } else {
        builder.keys(keys);
      }
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
    public long bits() {
      return filter().bits();
    }

    @Override
    public void put(long key) {
      filter().put(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter().mightContain(key);
    }

    @Override
    public void putObject(Object key) {
      if (key instanceof String text) {
        filter().put(text);
      } else {
        filter().put((byte[]) key);
      }
    }

    @Override
    public boolean mightContainObject(Object key) {
      return key instanceof String text
          ? filter().mightContain(text)
          : filter().mightContain((byte[]) key);
    }

    @Override
    public void load(long[] keys) {
      if (loader == null) {
        loader = builder.loader();
      }
      loader.putAll(keys);
    }

    @Override
    public void loaded() {
      if (loader != null) {
        filter = loader.build();
        loader = null;
      }
    }

    @Override
    public void putBatch(long[] keys) {
      filter().putAll(keys);
    }

    @Override
    public int count(long[] keys, boolean[] hits) {
      return filter().countMightContain(keys, hits);
    }

    @Override
    public Object union(Contender other) {
      return filter().union(((Plain) other).filter());
    }

    @Override
    public Object intersection(Contender other) {
      return filter().intersection(((Plain) other).filter());
    }

    @Override
    public Object fold() {
      return filter().foldBy(2);
    }

    @Override
    public Object write(MemoryStream memory) throws IOException {
      filter().writeTo(memory);
      return memory;
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
      return BloomFilter.fromBytes(bytes);
    }

    @Override
    public Object copy() {
      return filter().copy();
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
