package dev.bellows.bench;

import dev.bellows.papers.Heap;
import dev.bellows.papers.partition.GrowthWorkload;
import dev.bellows.papers.partition.GrowthWorkload.Spread;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.partition.PartitionView;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The tables of the guide page on growth. Run with the name of a table:
 *
 * <pre>
 * java -Xmx8g -cp bench/target/launcher/bellows.jar dev.bellows.bench.GrowthStudy inserts
 * </pre>
 *
 * <p>Times are of the thread's own CPU (the clock costs about half a microsecond), so that a busy
 * machine disturbs them less.
 */
public final class GrowthStudy {
  private static final PrintStream OUT = System.out;

  private GrowthStudy() {}

  /** Prints one table. */
  public static void main(String[] arguments) {
    switch (arguments.length == 0 ? "" : arguments[0]) {
      case "inserts" -> inserts();
      case "memory" -> memory();
      default -> OUT.println("which table: inserts or memory?");
    }
  }

  private static void print(String format, Object... values) {
    OUT.println(String.format(Locale.ROOT, format, values));
  }

  /**
   * Percentiles of an insertion while a filter grows to ten million ids: of the thread's own CPU,
   * and of the wall clock, which on a busy machine mostly shows how long others held the processor.
   */
  private static void inserts() {
    print("| units of | ids | mean | p50 | p99 | p99.9 | p99.99 | p99.999 | p99.99, wall clock |");
    print("|---|---|---|---|---|---|---|---|---|");
    for (long unit : new long[] {256, 1024, 4096}) {
      for (Spread spread : Spread.values()) {
        long[] ids = GrowthWorkload.ids(spread, 10_000_000);
        int[] nanos = new int[ids.length];
        int[] wall = new int[ids.length];
        DynamicPartitionBloomFilter filter =
            DynamicPartitionBloomFilter.builder()
                .universe(GrowthWorkload.UNIVERSE)
                .unitKeys(unit)
                .fpp(GrowthWorkload.FPP)
                .build();
        double sum = 0;
        for (int i = 0; i < ids.length; i++) {
          long start = System.nanoTime();
          long own = CpuTurns.cpu();
          filter.putId(ids[i]);
          nanos[i] = (int) Math.min(Integer.MAX_VALUE, CpuTurns.cpu() - own);
          wall[i] = (int) Math.min(Integer.MAX_VALUE, System.nanoTime() - start);
          sum += nanos[i];
        }
        Arrays.sort(nanos);
        Arrays.sort(wall);
        print(
            "| %d keys | %s | %.2f us | %.2f us | %.1f us | %.0f us | %.0f us | %.0f us | %.0f us"
                + " |",
            unit,
            spread.name().toLowerCase(Locale.ROOT),
            sum / ids.length / 1e3,
            at(nanos, 0.5),
            at(nanos, 0.99),
            at(nanos, 0.999),
            at(nanos, 0.9999),
            at(nanos, 0.99999),
            at(wall, 0.9999));
      }
    }
  }

  private static double at(int[] sorted, double share) {
    return sorted[(int) (share * sorted.length)] / 1e3;
  }

  /** Heap of both modes, and bits per key of the tree with and without folding. */
  private static void memory() {
    print(
        "| ids | spread | heap PUBLISHED | heap EXACT_LEAVES | view file | unfolded tree | folded"
            + " tree |");
    print("|---|---|---|---|---|---|---|");
    PartitionPlan plan = GrowthWorkload.plan();
    for (Spread spread : Spread.values()) {
      for (int size :
          new int[] {
            1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000
          }) {
        long[] ids = GrowthWorkload.ids(spread, size);
        String published = size > 3_000_000 ? "" : heap(Mode.PUBLISHED, ids);
        String exact = heap(Mode.EXACT_LEAVES, ids);
        DynamicPartitionBloomFilter filter = GrowthWorkload.partition(Mode.EXACT_LEAVES);
        filter.putIds(ids);
        PartitionView view = filter.view();
        double keys = filter.approximateElementCount();
        print(
            "| %,d | %s | %s | %s | %.1f | %.1f | %.1f |",
            size,
            spread.name().toLowerCase(Locale.ROOT),
            published,
            exact,
            8 * view.sizeInBytes() / keys,
            view.leaves() * plan.unitBits() / keys,
            view.stats().bits() / keys);
      }
    }
  }

  /** Bits of heap per key. */
  private static String heap(Mode mode, long[] ids) {
    DynamicPartitionBloomFilter filter = GrowthWorkload.partition(mode);
    Supplier<?> filled =
        () -> {
          filter.putIds(ids);
          return filter;
        };
    return String.format(
        Locale.ROOT, "%.0f", 8.0 * Heap.bytes(filled) / filter.approximateElementCount());
  }
}
