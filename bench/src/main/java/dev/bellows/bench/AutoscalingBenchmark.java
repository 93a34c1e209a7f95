package dev.bellows.bench;

import dev.bellows.AutoscalingBloomFilter;
import dev.bellows.BinarizedFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.LikelihoodReading;
import dev.bellows.plan.Layout;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;
import org.fastfilter.bloom.count.CountingBloom;
import org.fastfilter.bloom.count.SuccinctCountingBloom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A million keys in 2^27 counters of 4 bits with 20 hashes, beside other counting filters.
 * Fastfilter derives its hashes from the bits per key and so has 20 hashes only at 28.85 counters
 * per key, a store 4.7 times smaller.
 */
@State(Scope.Thread)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx2g", "-XX:+UseParallelGC"})
@SuppressWarnings("NullAway")
public class AutoscalingBenchmark {
  private static final int KEYS = 1_000_000;
  private static final int QUERIES = 1 << 16;
  private static final int BITS = 1 << 27;
  private static final int HASHES = 20;
  private static final double COUNTERS_PER_KEY = HASHES / Math.log(2);

  /** The filters that are compared. */
  public enum Peer {
    AUTOSCALING,
    AUTOSCALING_BITS,
    AUTOSCALING_LIKELIHOOD,
    BELLOWS_COUNTING,
    FASTFILTER_COUNTING,
    FASTFILTER_SUCCINCT,
    HADOOP_COUNTING
  }

  @Param Peer peer;

  private final long[] keys = new long[KEYS];
  private final long[] stored = new long[QUERIES];
  private final long[] absent = new long[QUERIES];
  private LongPredicate filled;

  @Setup
  public void fill() {
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < KEYS; i++) {
      keys[i] = random.nextLong();
    }
    for (int i = 0; i < QUERIES; i++) {
      stored[i] = keys[random.nextInt(KEYS)];
      absent[i] = random.nextLong();
    }
    filled = built();
  }

  private LongPredicate built() {
    return switch (peer) {
      case AUTOSCALING -> autoscaling()::mightContain;
      case AUTOSCALING_BITS -> {
        BinarizedFilter bits = autoscaling().binarize();
        yield bits::mightContain;
      }
      case AUTOSCALING_LIKELIHOOD -> {
        LikelihoodReading reading = autoscaling().likelihood();
        yield reading::mightContain;
      }
      case BELLOWS_COUNTING -> {
        CountingBloomFilter filter =
            CountingBloomFilter.builder().bits(BITS).hashes(HASHES).layout(Layout.CLASSIC).build();
        for (long key : keys) {
          filter.put(key);
        }
        yield filter::mightContain;
      }
      case FASTFILTER_COUNTING -> CountingBloom.construct(keys, COUNTERS_PER_KEY)::mayContain;
      case FASTFILTER_SUCCINCT ->
          SuccinctCountingBloom.construct(keys, COUNTERS_PER_KEY)::mayContain;
      case HADOOP_COUNTING -> {
        org.apache.hadoop.util.bloom.CountingBloomFilter filter =
            new org.apache.hadoop.util.bloom.CountingBloomFilter(BITS, HASHES, Hash.MURMUR_HASH);
        for (long key : keys) {
          filter.add(hadoop(key));
        }
        yield key -> filter.membershipTest(hadoop(key));
      }
    };
  }

  private AutoscalingBloomFilter autoscaling() {
    AutoscalingBloomFilter filter = AutoscalingBloomFilter.create(BITS, HASHES);
    for (long key : keys) {
      filter.put(key);
    }
    return filter;
  }

  private static Key hadoop(long key) {
    return new Key(ByteBuffer.allocate(8).putLong(key).array());
  }

  /** A fresh filter filled with a million keys, per key. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @Warmup(iterations = 3)
  @Measurement(iterations = 5)
  @OperationsPerInvocation(KEYS)
  public LongPredicate put() {
    return built();
  }

  /** Queries for keys that are in it. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @Warmup(iterations = 3, time = 1)
  @Measurement(iterations = 5, time = 1)
  @OperationsPerInvocation(QUERIES)
  public int queryStored() {
    return hits(stored);
  }

  /** Queries for keys that are not. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @Warmup(iterations = 3, time = 1)
  @Measurement(iterations = 5, time = 1)
  @OperationsPerInvocation(QUERIES)
  public int queryAbsent() {
    return hits(absent);
  }

  private int hits(long[] asked) {
    int hits = 0;
    for (long key : asked) {
      hits += filled.test(key) ? 1 : 0;
    }
    return hits;
  }
}
