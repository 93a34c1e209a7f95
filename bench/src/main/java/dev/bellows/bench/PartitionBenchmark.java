package dev.bellows.bench;

import dev.bellows.DynamicPartitionBloomFilter;
import dev.bellows.PartitionMode;
import dev.bellows.PartitionView;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.papers.partition.GrowthWorkload;
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
    long[] present = random.longs(ids, 0, GrowthWorkload.UNIVERSE).toArray();
    if (structure == Structure.LIST) {
      DynamicBloomFilter list = GrowthWorkload.list(present);
      asked = list::mightContain;
    } else {
      DynamicPartitionBloomFilter filter = GrowthWorkload.partition(PartitionMode.EXACT_LEAVES);
      filter.putAll(present);
      PartitionView view = filter.view();
      asked = structure == Structure.TREE ? filter::mightContain : view::mightContain;
    }
    for (int i = 0; i < QUERIES; i++) {
      queries[i] =
          random.nextBoolean()
              ? present[random.nextInt(ids)]
              : random.nextLong(GrowthWorkload.UNIVERSE);
    }
  }

  /** One query. */
  @Benchmark
  public boolean query() {
    next = (next + 1) & (QUERIES - 1);
    return asked.test(queries[next]);
  }
}
