package dev.bellows.papers.partition;

import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionPlan;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * The workload for comparing the partition filter with the list of equal filters: 2^30 ids in 2^20
 * units, a rate of 1e-4 with 13 hashes. The paper only gives the rate.
 */
public final class GrowthWorkload {
  /** The number of ids. */
  public static final long UNIVERSE = 1L << 30;

  /** The level of the units. */
  public static final int DEPTH = 20;

  /** The target rate (Partition paper, Figure 1). */
  public static final double FPP = 1e-4;

  /** Positions of an id. */
  public static final int HASHES = 13;

  /** The distribution of ids in the universe. */
  public enum Spread {
    /** Anywhere. */
    UNIFORM,
    /** In sixteen clusters. */
    CLUSTERED,
    /** Consecutive. */
    SORTED
  }

  private GrowthWorkload() {}

  /** Returns the sizes. */
  public static PartitionPlan plan() {
    return PartitionPlan.of(UNIVERSE, DEPTH, FPP, HASHES);
  }

  /** Returns a partition filter of these ids. */
  public static DynamicPartitionBloomFilter partition(Mode mode, long... ids) {
    return partition(plan(), mode, ids);
  }

  /** Returns a partition filter of any shape. */
  static DynamicPartitionBloomFilter partition(PartitionPlan plan, Mode mode, long... ids) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(plan.universe())
            .depth(plan.depth())
            .fpp(plan.fpp())
            .hashes(plan.hashes())
            .mode(mode)
            .build();
    filter.putIds(ids);
    return filter;
  }

  /** Returns the list of filters with the units of a plan. */
  static DynamicBloomFilter list(PartitionPlan plan, long... ids) {
    DynamicBloomFilter list =
        new DynamicBloomFilter(plan.unitKeys(), plan.unitBits(), plan.hashes());
    Arrays.stream(ids).forEach(list::put);
    return list;
  }

  /** Returns ids to put; every call returns the same ones. */
  public static long[] ids(Spread spread, int size) {
    SplittableRandom random = new SplittableRandom(size);
    return switch (spread) {
      case UNIFORM -> random.longs(size, 0, UNIVERSE).toArray();
      case CLUSTERED ->
          random
              .longs(size, 0, 16)
              .map(c -> (c * (UNIVERSE / 16) + random.nextLong(1 + size / 4L)) % UNIVERSE)
              .toArray();
      case SORTED -> {
        long[] ids = new long[size];
        Arrays.setAll(ids, i -> UNIVERSE / 3 + i);
        yield ids;
      }
    };
  }

  /** Returns how many of this many random absent keys pass. */
  public static long passed(LongPredicate filter, long[] sortedIds, long queries) {
    SplittableRandom random = new SplittableRandom(99);
    long passed = 0;
    long queried = 0;
    while (queried < queries) {
      long id = random.nextLong(UNIVERSE);
      if (Arrays.binarySearch(sortedIds, id) < 0) {
        queried++;
        passed += filter.test(id) ? 1 : 0;
      }
    }
    return passed;
  }

  /** Returns the CPU time of this thread, which other work on the machine disturbs less. */
  static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Returns ids to query; half of them were put. */
  public static long[] queries(long[] ids, int queries) {
    SplittableRandom random = new SplittableRandom(98);
    long[] drawn = new long[queries];
    for (int i = 0; i < queries; i++) {
      drawn[i] = random.nextBoolean() ? ids[random.nextInt(ids.length)] : random.nextLong(UNIVERSE);
    }
    return drawn;
  }
}
