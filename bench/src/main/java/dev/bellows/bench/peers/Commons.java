package dev.bellows.bench.peers;

import java.nio.charset.StandardCharsets;
import org.apache.commons.codec.digest.MurmurHash3;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.LayerManager;
import org.apache.commons.collections4.bloomfilter.LayeredBloomFilter;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/**
 * The filters of Commons Collections. They leave the hash to their user: longs are mixed, which is
 * cheaper than any hash over bytes, text and bytes go through the Murmur hash of Commons Codec.
 */
final class Commons {
  private static final int LAYERS = 10;

  private Commons() {}

  private static Shape shape(long keys, double fpp) {
    return Shape.fromNP(Math.toIntExact(keys), fpp);
  }

  private static Hasher hasher(long key) {
    long first = Keys.mix(key);
    return new EnhancedDoubleHasher(first, Keys.mix(first));
  }

  private static Hasher hasher(byte[] key) {
    long[] hash = MurmurHash3.hash128x64(key);
    return new EnhancedDoubleHasher(hash[0], hash[1]);
  }

  /** Over longs. */
  public static final class Longs extends LongsFilter {
    private final SimpleBloomFilter filter;

    public Longs(Peer peer, long keys) {
      filter = new SimpleBloomFilter(shape(keys, Peer.FPP));
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
    public long bits() {
      return filter.getShape().getNumberOfBits();
    }
  }

  /** Over text. */
  public static final class Texts extends KeyedFilter<String> {
    private final SimpleBloomFilter filter;

    public Texts(Peer peer, long keys) {
      filter = new SimpleBloomFilter(shape(keys, Peer.FPP));
    }

    @Override
    public void put(String key) {
      filter.merge(hasher(key.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public boolean mightContain(String key) {
      return filter.contains(hasher(key.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public long bits() {
      return filter.getShape().getNumberOfBits();
    }
  }

  /** Over bytes. */
  public static final class Bytes extends KeyedFilter<byte[]> {
    private final SimpleBloomFilter filter;

    public Bytes(Peer peer, long keys) {
      filter = new SimpleBloomFilter(shape(keys, Peer.FPP));
    }

    @Override
    public void put(byte[] key) {
      filter.merge(hasher(key));
    }

    @Override
    public boolean mightContain(byte[] key) {
      return filter.contains(hasher(key));
    }

    @Override
    public long bits() {
      return filter.getShape().getNumberOfBits();
    }
  }

  /** Layers of a tenth of the keys, each at a tenth of the rate. */
  public static final class Growing extends LongsFilter {
    private final LayeredBloomFilter<SimpleBloomFilter> filter;

    public Growing(Peer peer, long keys) {
      int layer = Math.toIntExact((keys + LAYERS - 1) / LAYERS);
      Shape shape = shape(layer, Peer.FPP / LAYERS);
      filter =
          new LayeredBloomFilter<>(
              shape,
              LayerManager.<SimpleBloomFilter>builder()
                  .setSupplier(() -> new SimpleBloomFilter(shape))
                  .setExtendCheck(LayerManager.ExtendCheck.advanceOnCount(layer))
                  .setCleanup(LayerManager.Cleanup.noCleanup())
                  .get());
    }

    @Override
    public void put(long key) {
      filter.merge(hasher(key));
    }

    /**
     * Layer by layer: its own contains first makes a whole filter of the key, in 32 microseconds.
     */
    @Override
    public boolean mightContain(long key) {
      Hasher hasher = hasher(key);
      for (int i = 0; i < filter.getDepth(); i++) {
        if (filter.get(i).contains(hasher)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public long bits() {
      return (long) filter.getDepth() * filter.getShape().getNumberOfBits();
    }
  }

  /** Merges in place. */
  public static final class Whole extends WholeFilter {
    private final SimpleBloomFilter filter;
    private final SimpleBloomFilter other;

    public Whole(Peer peer, long keys) {
      filter = new SimpleBloomFilter(shape(keys, Peer.FPP));
      other = new SimpleBloomFilter(shape(keys, Peer.FPP));
      Fill.both(keys, key -> filter.merge(hasher(key)), key -> other.merge(hasher(key)));
    }

    @Override
    public long bits() {
      return filter.getShape().getNumberOfBits();
    }

    @Override
    public Object union() {
      filter.merge(other);
      return filter;
    }
  }
}
