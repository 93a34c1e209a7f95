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
import org.fastfilter.xor.Xor16;
import org.fastfilter.xor.Xor8;
import org.fastfilter.xorplus.XorPlus8;

/**
 * The filters of fastfilter at the fewest bits per key that give 1 %: its blocked kinds take whole
 * numbers. Its factories require all keys in one array; its constructors do not.
 */
final class Fastfilter {
  private static final double BITS = 9.586;
  private static final int HASHES = 7;
  private static final int BLOCKED_BITS = 11;

  private Fastfilter() {}

  private static Filter filter(Peer peer, long keys) {
    int count = Math.toIntExact(keys);
    return switch (peer) {
      case FASTFILTER_BLOOM -> filter(Bloom.class, count, BITS, HASHES);
      case FASTFILTER_BLOCKED -> filter(BlockedBloom.class, count, BLOCKED_BITS);
      case FASTFILTER_COUNTING -> filter(CountingBloom.class, count, BITS, HASHES);
      case FASTFILTER_SUCCINCT -> filter(SuccinctCountingBloom.class, count, BITS, HASHES);
      case FASTFILTER_SUCCINCT_BLOCKED ->
          filter(SuccinctCountingBlockedBloom.class, count, BLOCKED_BITS, HASHES);
      default -> filter(SuccinctCountingBlockedBloomRanked.class, count, BLOCKED_BITS, HASHES);
    };
  }

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

  /** Over longs; in some filters they can be removed. */
  public static final class Plain extends LongsOnly {
    private final Filter filter;

    public Plain(Peer peer, Role role, long keys) {
      filter = filter(peer, keys);
    }

    @Override
    public long bits() {
      return filter.getBitCount();
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
  }

  /** Fingerprints, from all keys at once. */
  @SuppressWarnings("NullAway.Init")
  public static final class Static extends Gathered {
    private final Peer peer;
    private Filter filter;

    public Static(Peer peer, Role role, long keys) {
      super(keys);
      this.peer = peer;
    }

    @Override
    void build(long[] keys) {
      Hash.setSeed(42);
      filter =
          switch (peer) {
            case FASTFILTER_XOR8 -> Xor8.construct(keys);
            case FASTFILTER_XORPLUS8 -> XorPlus8.construct(keys);
            default -> Xor16.construct(keys);
          };
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
}
