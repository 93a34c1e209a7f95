package dev.bellows.bench.peers;

import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.datasketches.memory.Memory;

/** The filter of DataSketches, on the heap. */
final class DataSketches {
  private DataSketches() {}

  /** Merges in place. */
  public static final class Plain extends Contender {
    private final BloomFilter filter;

    public Plain(Peer peer, Role role, long keys) {
      filter = BloomFilterBuilder.createByAccuracy(keys, Peer.FPP, 42);
    }

    @Override
    public long bits() {
      return filter.getCapacity();
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
    public void putObject(Object key) {
      if (key instanceof String text) {
        filter.update(text);
      } else {
        filter.update((byte[]) key);
      }
    }

    @Override
    public boolean mightContainObject(Object key) {
      return key instanceof String text ? filter.query(text) : filter.query((byte[]) key);
    }

    @Override
    public Object union(Contender other) {
      filter.union(((Plain) other).filter);
      return filter;
    }

    @Override
    public Object intersection(Contender other) {
      filter.intersect(((Plain) other).filter);
      return filter;
    }

    @Override
    public Object write(MemoryStream memory) {
      return filter.toByteArray();
    }

    @Override
    public Object read(byte[] bytes) {
      return BloomFilter.heapify(Memory.wrap(bytes));
    }
  }
}
