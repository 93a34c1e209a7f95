package dev.bellows.bench;

import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionView;
import java.io.PrintStream;
import java.util.SplittableRandom;

/**
 * What a union of many views of partition filters takes as a list of leaves, and compact: bytes and
 * the time of a query, in universes from dense to sparse.
 *
 * <pre>
 * java -cp bench/target/launcher/bellows.jar dev.bellows.bench.ViewStudy 100 1000
 * </pre>
 *
 * The numbers are that of the unions and that of the ids of each set. The ids are random, the views
 * are created for this many unions, and times are CPU time of one thread.
 */
public final class ViewStudy {
  private static final PrintStream OUT = System.out;
  private static final double FPP = 0.01;
  private static final int UNIT = 64;
  private static final int QUERIES = 1 << 18;
  private static final int[] SPACINGS = {1, 4, 16, 64};

  private ViewStudy() {}

  /** Measures and prints a table. */
  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      OUT.println("UNIONS IDS");
      return;
    }
    int unions = Integer.parseInt(arguments[0]);
    int ids = Integer.parseInt(arguments[1]);
    OUT.println(
        "| mode | universe / all ids | list, bytes | compact, bytes | list, ns | compact, ns"
            + " | fpp of list | fpp of compact | compacting, ms |");
    OUT.println("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (Mode mode : Mode.values()) {
      for (int spacing : SPACINGS) {
        measure(mode, unions, ids, spacing);
      }
    }
  }

  private static void measure(Mode mode, int unions, int ids, int spacing) {
    long universe = (long) spacing * ids * (unions + 1);
    SplittableRandom random = new SplittableRandom(spacing);
    PartitionView list = null;
    PartitionView compact = null;
    long compacting = 0;
    for (int i = 0; i <= unions; i++) {
      DynamicPartitionBloomFilter filter =
          DynamicPartitionBloomFilter.builder()
              .universe(universe)
              .unitKeys(UNIT)
              .fpp(FPP)
              .mode(mode)
              .build();
      filter.putIds(random.longs(ids, 0, universe).toArray());
      PartitionView view = filter.view(filter.plan().viewFpp(unions));
      list = list == null ? view : list.union(view, 1);
      long begun = CpuTurns.cpu();
      compact = (compact == null ? view : compact.union(view, 1)).compact();
      compacting += CpuTurns.cpu() - begun;
    }
    long[] asked = random.longs(QUERIES, 0, universe).toArray();
    OUT.printf(
        "| %s | %,d | %,d | %,d | %.0f | %.0f | %.2f %% | %.2f %% | %.1f |%n",
        mode,
        spacing,
        list.sizeInBytes(),
        compact.sizeInBytes(),
        nanos(list, asked),
        nanos(compact, asked),
        100 * list.expectedFpp(),
        100 * compact.expectedFpp(),
        compacting / 1e6 / unions);
  }

  /** Returns the least time of a query in five rounds. */
  private static double nanos(PartitionView view, long[] asked) {
    long least = Long.MAX_VALUE;
    long hits = 0;
    for (int round = 0; round < 5; round++) {
      long begun = CpuTurns.cpu();
      for (long id : asked) {
        hits += view.mightContainId(id) ? 1 : 0;
      }
      least = Math.min(least, CpuTurns.cpu() - begun);
    }
    if (hits < 0) {
      throw new AssertionError();
    }
    return (double) least / asked.length;
  }
}
