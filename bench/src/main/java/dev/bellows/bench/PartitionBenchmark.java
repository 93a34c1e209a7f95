package dev.bellows.bench;

import dev.bellows.DynamicPartitionBloomFilter;
import dev.bellows.PartitionView;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.plan.PartitionPlan;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A query of the partition tree beside the list of equal filters (002 Figure 2), half hits. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PartitionBenchmark {
  static final long UNIVERSE = 1L << 30;
  static final int DEPTH = 20;
  static final double FPP = 1e-4;
  static final int HASHES = 13;
  private static final int QUERIES = 1 << 16;

  /** What is asked. */
  public enum Structure {
    TREE,
    VIEW,
    LIST
  }

  @Param Structure structure;

  @Param({"10000", "100000", "1000000"})
  int ids;

  private LongPredicate asked;
  private final long[] queries = new long[QUERIES];
  private int next;

  /** Fills the structure with uniform ids. */
  @Setup(Level.Trial)
  public void fill() {
    SplittableRandom random = new SplittableRandom(7);
    long[] present = random.longs(ids, 0, UNIVERSE).toArray();
    if (structure == Structure.LIST) {
      DynamicBloomFilter list = list();
      for (long id : present) {
        list.put(id);
      }
      asked = list::mightContain;
    } else {
      DynamicPartitionBloomFilter filter = partition();
      filter.putAll(present);
      PartitionView view = filter.view();
      asked = structure == Structure.TREE ? filter::mightContain : view::mightContain;
    }
    for (int i = 0; i < QUERIES; i++) {
      queries[i] = random.nextBoolean() ? present[random.nextInt(ids)] : random.nextLong(UNIVERSE);
    }
  }

  static DynamicPartitionBloomFilter partition() {
    return DynamicPartitionBloomFilter.builder()
        .universe(UNIVERSE)
        .depth(DEPTH)
        .fpp(FPP)
        .hashes(HASHES)
        .build();
  }

  static DynamicBloomFilter list() {
    PartitionPlan plan = PartitionPlan.of(UNIVERSE, DEPTH, FPP, HASHES);
    return new DynamicBloomFilter(plan.unitKeys(), plan.unitBits(), HASHES);
  }

  /** One query. */
  @Benchmark
  public boolean query() {
    next = (next + 1) & (QUERIES - 1);
    return asked.test(queries[next]);
  }
}
