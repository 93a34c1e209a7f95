package dev.bellows.bench.peers;

import java.lang.reflect.Constructor;
import org.fastfilter.Filter;
import org.fastfilter.bloom.BlockedBloom;
import org.fastfilter.bloom.Bloom;
import org.fastfilter.bloom.count.CountingBloom;
import org.fastfilter.bloom.count.SuccinctCountingBlockedBloom;
import org.fastfilter.bloom.count.SuccinctCountingBlockedBloomRanked;
import org.fastfilter.bloom.count.SuccinctCountingBloom;
import org.fastfilter.utils.Hash;

/**
 * The filters of fastfilter at the fewest bits per key that give 1 %: its blocked kinds take whole
 * numbers. Its factories want all keys in one array; the constructors behind them do not.
 */
final class Fastfilter {
  private static final double BITS = 9.586;
  private static final int HASHES = 7;
  private static final int BLOCKED_BITS = 11;

  private Fastfilter() {}

  private static Filter filter(Class<? extends Filter> kind, Object... shape) {
    Hash.setSeed(42);
    for (Constructor<?> constructor : kind.getDeclaredConstructors()) {
      if (constructor.getParameterCount() == shape.length) {
        constructor.setAccessible(true);
        try {
          return (Filter) constructor.newInstance(shape);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    throw new IllegalStateException("no constructor for " + shape.length + " values in " + kind);
  }

  /** Over longs. */
  public static final class Longs extends LongsFilter {
    private final Filter filter;

    public Longs(Peer peer, long keys) {
      int count = Math.toIntExact(keys);
      filter =
          peer == Peer.FASTFILTER_BLOCKED
              ? filter(BlockedBloom.class, count, BLOCKED_BITS)
              : filter(Bloom.class, count, BITS, HASHES);
    }

    @Override
    public void put(long key) {
      filter.add(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mayContain(key);
    }

    @Override
    public long bits() {
      return filter.getBitCount();
    }
  }

  /** Over longs that can be taken back. */
  public static final class Counting extends LongsFilter {
    private final Filter filter;

    public Counting(Peer peer, long keys) {
      int count = Math.toIntExact(keys);
      filter =
          switch (peer) {
            case FASTFILTER_COUNTING -> filter(CountingBloom.class, count, BITS, HASHES);
            case FASTFILTER_SUCCINCT -> filter(SuccinctCountingBloom.class, count, BITS, HASHES);
            case FASTFILTER_SUCCINCT_BLOCKED ->
                filter(SuccinctCountingBlockedBloom.class, count, BLOCKED_BITS, HASHES);
            default ->
                filter(SuccinctCountingBlockedBloomRanked.class, count, BLOCKED_BITS, HASHES);
          };
    }

    @Override
    public void put(long key) {
      filter.add(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mayContain(key);
    }

    @Override
    public void remove(long key) {
      filter.remove(key);
    }

    @Override
    public long bits() {
      return filter.getBitCount();
    }
  }
}
