package dev.bellows.bench.peers;

import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.datasketches.memory.Memory;

/** The filter of DataSketches, on the heap. */
final class DataSketches {
  private DataSketches() {}

  private static BloomFilter filter(long keys) {
    return BloomFilterBuilder.createByAccuracy(keys, Peer.FPP, 42);
  }

  /** Over longs. */
  public static final class Longs extends LongsFilter {
    private final BloomFilter filter;

    public Longs(Peer peer, long keys) {
      filter = filter(keys);
    }

    @Override
    public void put(long key) {
      filter.update(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.query(key);
    }

    @Override
    public long bits() {
      return filter.getCapacity();
    }
  }

  /** Over text. */
  public static final class Texts extends KeyedFilter<String> {
    private final BloomFilter filter;

    public Texts(Peer peer, long keys) {
      filter = filter(keys);
    }

    @Override
    public void put(String key) {
      filter.update(key);
    }

    @Override
    public boolean mightContain(String key) {
      return filter.query(key);
    }

    @Override
    public long bits() {
      return filter.getCapacity();
    }
  }

  /** Over bytes. */
  public static final class Bytes extends KeyedFilter<byte[]> {
    private final BloomFilter filter;

    public Bytes(Peer peer, long keys) {
      filter = filter(keys);
    }

    @Override
    public void put(byte[] key) {
      filter.update(key);
    }

    @Override
    public boolean mightContain(byte[] key) {
      return filter.query(key);
    }

    @Override
    public long bits() {
      return filter.getCapacity();
    }
  }

  /** Merges in place. */
  public static final class Whole extends WholeFilter {
    private final BloomFilter filter;
    private final BloomFilter other;
    private final byte[] bytes;

    public Whole(Peer peer, long keys) {
      filter = filter(keys);
      other = filter(keys);
      Fill.both(keys, filter::update, other::update);
      bytes = filter.toByteArray();
    }

    @Override
    public long bits() {
      return filter.getCapacity();
    }

    @Override
    public Object union() {
      filter.union(other);
      return filter;
    }

    @Override
    public Object intersection() {
      filter.intersect(other);
      return filter;
    }

    @Override
    public Object write() {
      return filter.toByteArray();
    }

    @Override
    public Object read() {
      return BloomFilter.heapify(Memory.wrap(bytes));
    }
  }
}
