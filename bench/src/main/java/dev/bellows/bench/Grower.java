package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.bench.peers.BenchKeys;
import dev.bellows.bench.peers.Commons;
import dev.bellows.bench.peers.Hadoop;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.scalable.ScalableBloomFilter;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.LayeredBloomFilter;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.hash.Hash;

/**
 * A set of hashes that grows, or one with a size given in advance. Each class has its own loops, so
 * that the JIT profiles them separately.
 */
interface Grower {
  double FPP = 0.004;

  /** The keys of a row of the peers that grow by rows of one size. */
  int ROW_KEYS = 100_000;

  void putAll(long[] hashes, int from, int to);

  /** Returns how many of the hashes it contains, queried one by one. */
  int countSingly(long[] hashes);

  /** Returns how many of the hashes it contains, queried in batches if possible. */
  default int countInBatches(long[] hashes, boolean[] hits) {
    return -1;
  }

  /** Returns its bits by its own account; 0 if it has none. */
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

  /** With a size given in advance. */
  final class Presized implements Grower {
    final BloomFilter filter;

    Presized(long keys) {
      filter = BloomFilter.builder().keys(keys).fpp(FPP).layout(Layout.Family.BLOCKED).build();
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

  /** A contender of another library, each of whose operations takes much longer than a call. */
  final class Peer implements Grower {
    private final LongConsumer put;
    private final LongPredicate mightContain;
    private final LongUnaryOperator bits;
    private long keys;

    private Peer(LongConsumer put, LongPredicate mightContain, LongUnaryOperator bits) {
      this.put = put;
      this.mightContain = mightContain;
      this.bits = bits;
    }

    @Override
    public void putAll(long[] hashes, int from, int to) {
      for (int i = from; i < to; i++) {
        put.accept(hashes[i]);
      }
      keys += to - from;
    }

    @Override
    public int countSingly(long[] hashes) {
      int count = 0;
      for (long hash : hashes) {
        if (mightContain.test(hash)) {
          count++;
        }
      }
      return count;
    }

    @Override
    public long bits() {
      return bits.applyAsLong(keys);
    }
  }

  /** Hadoop's rows of one size, each at the target rate. */
  static Grower hadoopRows() {
    int rowBits = (int) Math.ceil(-ROW_KEYS * Math.log(FPP) / Math.pow(Math.log(2), 2));
    DynamicBloomFilter filter = new DynamicBloomFilter(rowBits, 8, Hash.MURMUR_HASH, ROW_KEYS);
    return new Peer(
        hash -> filter.add(Hadoop.key(hash)),
        hash -> filter.membershipTest(Hadoop.key(hash)),
        keys -> rowBits * Math.max(1, (keys + ROW_KEYS - 1) / ROW_KEYS));
  }

  /** Commons' layers of one size, each at the target rate. */
  static Grower commonsLayers() {
    LayeredBloomFilter<SimpleBloomFilter> filter = Commons.layers(ROW_KEYS, FPP);
    return new Peer(
        hash -> filter.merge(new EnhancedDoubleHasher(hash, BenchKeys.mix(hash))),
        hash -> Commons.contains(filter, new EnhancedDoubleHasher(hash, BenchKeys.mix(hash))),
        keys -> (long) filter.getDepth() * filter.getShape().getNumberOfBits());
  }

  /** Exact, with boxed keys. */
  static Grower boxes() {
    Set<Long> set = new HashSet<>();
    return new Peer(set::add, set::contains, keys -> 0);
  }
}
