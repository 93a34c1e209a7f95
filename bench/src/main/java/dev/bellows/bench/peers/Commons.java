package dev.bellows.bench.peers;

import org.apache.commons.codec.digest.MurmurHash3;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.LayerManager;
import org.apache.commons.collections4.bloomfilter.LayeredBloomFilter;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/**
 * The filters of Commons Collections. Users choose the hash: longs are mixed, which is cheaper than
 * any hash over bytes, text and bytes go through the Murmur hash of Commons Codec.
 */
public final class Commons {
  private static final int LAYERS = 10;

  private Commons() {}

  private static Hasher hasher(long key) {
    long first = BenchKeys.mix(key);
    return new EnhancedDoubleHasher(first, BenchKeys.mix(first));
  }

  private static Hasher hasher(byte[] key) {
    long[] hash = MurmurHash3.hash128x64(key);
    return new EnhancedDoubleHasher(hash[0], hash[1]);
  }

  /** Returns a filter that grows by layers for this many keys, each at the given rate. */
  public static LayeredBloomFilter<SimpleBloomFilter> layers(int keys, double fpp) {
    Shape shape = Shape.fromNP(keys, fpp);
    return new LayeredBloomFilter<>(
        shape,
        LayerManager.<SimpleBloomFilter>builder()
            .setSupplier(() -> new SimpleBloomFilter(shape))
            .setExtendCheck(LayerManager.ExtendCheck.advanceOnCount(keys))
            .setCleanup(LayerManager.Cleanup.noCleanup())
            .get());
  }

  /**
   * Returns whether one of the layers might contain the key, queried layer by layer: the filter's
   * own method first builds a filter of the key, in 32 microseconds.
   */
  public static boolean contains(LayeredBloomFilter<SimpleBloomFilter> filter, Hasher key) {
    for (int i = 0; i < filter.getDepth(); i++) {
      if (filter.get(i).contains(key)) {
        return true;
      }
    }
    return false;
  }

  /** Merges in place. */
  public static final class Plain extends Contender {
    private final SimpleBloomFilter filter;

    public Plain(Peer peer, Role role, long keys) {
      filter = new SimpleBloomFilter(Shape.fromNP(Math.toIntExact(keys), Peer.FPP));
    }

    @Override
    public long bits() {
      return filter.getShape().getNumberOfBits();
    }

    @Override
    public void put(long key) {
      filter.merge(hasher(key));
    }

    @Override
    public boolean mightContain(long key) {
      return filter.contains(hasher(key));
    }

    @Override
    public void putObject(Object key) {
      filter.merge(hasher(BenchKeys.bytesOf(key)));
    }

    @Override
    public boolean mightContainObject(Object key) {
      return filter.contains(hasher(BenchKeys.bytesOf(key)));
    }

    @Override
    public Object union(Contender other) {
      filter.merge(((Plain) other).filter);
      return filter;
    }
  }

  /** Layers of a tenth of the keys, each at a tenth of the rate. */
  public static final class Growing extends LongsOnly {
    private final LayeredBloomFilter<SimpleBloomFilter> filter;

    public Growing(Peer peer, Role role, long keys) {
      filter = layers(Math.toIntExact((keys + LAYERS - 1) / LAYERS), Peer.FPP / LAYERS);
    }

    @Override
    public long bits() {
      return (long) filter.getDepth() * filter.getShape().getNumberOfBits();
    }

    @Override
    public void put(long key) {
      filter.merge(hasher(key));
    }

    @Override
    public boolean mightContain(long key) {
      return contains(filter, hasher(key));
    }
  }
}
