package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.bench.peers.Keys;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.growth.ScalableBloomFilter;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.LayerManager;
import org.apache.commons.collections4.bloomfilter.LayeredBloomFilter;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/**
 * A set of hashes that grows, or one that was told its size. Each class has loops of its own, so
 * that the JIT profiles them separately.
 */
interface Grower {
  double FPP = 0.004;

  /** The keys of a row of the peers that grow by rows of one size. */
  int ROW_KEYS = 100_000;

  void putAll(long[] hashes, int from, int to);

  /** How many of the hashes it has, asked one by one. */
  int countSingly(long[] hashes);

  /** How many of the hashes it has, asked in batches, if it can. */
  default int countInBatches(long[] hashes, boolean[] hits) {
    return -1;
  }

  /** Its bits by its own account; 0 if it has none. */
  default long bits() {
    return 0;
  }

  /** The filter of this study. */
  final class Fingerprint implements Grower {
    final FingerprintFilter filter = FingerprintFilter.create(FPP);

    @Override
    public void putAll(long[] hashes, int from, int to) {
      for (int i = from; i < to; i++) {
        filter.putHash(hashes[i]);
      }
    }

    @Override
    public int countSingly(long[] hashes) {
      int count = 0;
      for (long hash : hashes) {
        if (filter.mightContainHash(hash)) {
          count++;
        }
      }
      return count;
    }

    @Override
    public int countInBatches(long[] hashes, boolean[] hits) {
      return filter.countMightContainHashes(hashes, 0, hashes.length, hits);
    }

    @Override
    public long bits() {
      return 8 * filter.heapBytes();
    }
  }

  /** Levels that double. */
  final class Scalable implements Grower {
    final ScalableBloomFilter filter = ScalableBloomFilter.create(FPP);

    @Override
    public void putAll(long[] hashes, int from, int to) {
      for (int i = from; i < to; i++) {
        filter.putHash(hashes[i]);
      }
    }

    @Override
    public int countSingly(long[] hashes) {
      int count = 0;
      for (long hash : hashes) {
        if (filter.mightContainHash(hash)) {
          count++;
        }
      }
      return count;
    }

    @Override
    public int countInBatches(long[] hashes, boolean[] hits) {
      return filter.countMightContainHashes(hashes, 0, hashes.length, hits);
    }

    @Override
    public long bits() {
      return filter.bits();
    }
  }

  /** Told its size beforehand. */
  final class Presized implements Grower {
    final BloomFilter filter;

    Presized(long keys) {
      filter = BloomFilter.builder().keys(keys).fpp(FPP).layout(Layout.BLOCKED).build();
    }

    @Override
    public void putAll(long[] hashes, int from, int to) {
      for (int i = from; i < to; i++) {
        filter.putHash(hashes[i]);
      }
    }

    @Override
    public int countSingly(long[] hashes) {
      int count = 0;
      for (long hash : hashes) {
        if (filter.mightContainHash(hash)) {
          count++;
        }
      }
      return count;
    }

    @Override
    public int countInBatches(long[] hashes, boolean[] hits) {
      return filter.countMightContainHashes(hashes, 0, hashes.length, hits);
    }

    @Override
    public long bits() {
      return filter.bits();
    }
  }

  /** Hadoop's rows of one size, each at the rate that was asked for. */
  final class HadoopRows implements Grower {
    private final int rowBits =
        (int) Math.ceil(-ROW_KEYS * Math.log(FPP) / Math.pow(Math.log(2), 2));
    private final DynamicBloomFilter filter =
        new DynamicBloomFilter(rowBits, 8, Hash.MURMUR_HASH, ROW_KEYS);
    private long keys;

    private static Key key(long hash) {
      return new Key(ByteBuffer.allocate(Long.BYTES).putLong(hash).array());
    }

    @Override
    public void putAll(long[] hashes, int from, int to) {
      for (int i = from; i < to; i++) {
        filter.add(key(hashes[i]));
      }
      keys += to - from;
    }

    @Override
    public int countSingly(long[] hashes) {
      int count = 0;
      for (long hash : hashes) {
        if (filter.membershipTest(key(hash))) {
          count++;
        }
      }
      return count;
    }

    @Override
    public long bits() {
      return rowBits * Math.max(1, (keys + ROW_KEYS - 1) / ROW_KEYS);
    }
  }

  /** Commons' layers of one size, each at the rate that was asked for. */
  final class CommonsLayers implements Grower {
    private final Shape shape = Shape.fromNP(ROW_KEYS, FPP);
    private final LayeredBloomFilter<SimpleBloomFilter> filter =
        new LayeredBloomFilter<>(
            shape,
            LayerManager.<SimpleBloomFilter>builder()
                .setSupplier(() -> new SimpleBloomFilter(shape))
                .setExtendCheck(LayerManager.ExtendCheck.advanceOnCount(ROW_KEYS))
                .setCleanup(LayerManager.Cleanup.noCleanup())
                .get());

    private static Hasher hasher(long hash) {
      return new EnhancedDoubleHasher(hash, Keys.mix(hash));
    }

    @Override
    public void putAll(long[] hashes, int from, int to) {
      for (int i = from; i < to; i++) {
        filter.merge(hasher(hashes[i]));
      }
    }

    /** Layer by layer: its own contains first makes a whole filter of the key. */
    @Override
    public int countSingly(long[] hashes) {
      int count = 0;
      for (long hash : hashes) {
        Hasher hasher = hasher(hash);
        for (int i = 0; i < filter.getDepth(); i++) {
          if (filter.get(i).contains(hasher)) {
            count++;
            break;
          }
        }
      }
      return count;
    }

    @Override
    public long bits() {
      return (long) filter.getDepth() * shape.getNumberOfBits();
    }
  }

  /** Exact, in boxes. */
  final class Boxes implements Grower {
    private final Set<Long> set = new HashSet<>();

    @Override
    public void putAll(long[] hashes, int from, int to) {
      for (int i = from; i < to; i++) {
        set.add(hashes[i]);
      }
    }

    @Override
    public int countSingly(long[] hashes) {
      int count = 0;
      for (long hash : hashes) {
        if (set.contains(hash)) {
          count++;
        }
      }
      return count;
    }
  }
}
