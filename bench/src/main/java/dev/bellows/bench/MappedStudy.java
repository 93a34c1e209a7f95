package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.MappedFilter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * How fast a mapped filter answers compared with the same filter on the heap, once its pieces were
 * checked: random keys, half of them in it, the two in turn in one process.
 *
 * <pre>
 * java -Xmx3g -cp bench/target/launcher/bellows.jar dev.bellows.bench.MappedStudy 256
 * </pre>
 *
 * The number is the size of the filter in MiB; the heap must hold it.
 */
public final class MappedStudy {
  private static final PrintStream OUT = System.out;
  private static final int QUERIES = 4_000_000;

  private MappedStudy() {}

  /** Measures and prints a table. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      OUT.println("MiB");
      return;
    }
    long bits = Long.parseLong(arguments[0]) << 23;
    OUT.println("| layout | queries | heap, ns | mapped, ns | mapped / heap |");
    OUT.println("|---|---|---:|---:|---:|");
    for (Layout.Family layout : Layout.Family.values()) {
      measure(layout, bits);
    }
  }

  private static void measure(Layout.Family layout, long bits) throws IOException {
    Path path = Files.createTempFile("bellows", ".bloom");
    try {
      BloomFilter heap = BloomFilter.builder().bits(bits).fpp(0.01).layout(layout).build();
      // a tenth as many keys as belong into it: what is read does not depend on them
      long stored = bits / 100;
      for (long key = 0; key < stored; key++) {
        heap.put(key);
      }
      long[] keys = new SplittableRandom(7).longs(QUERIES, 0, 2 * stored).toArray();
      boolean[] hits = new boolean[QUERIES];
      heap.writeTo(path);
      try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
        file.verify();
        Map<String, BloomFilter> both = new LinkedHashMap<>();
        both.put("heap", heap);
        both.put("mapped", file.filter());
        compare(layout + " | one by one", both, filter -> count(filter, keys));
        compare(layout + " | in batches", both, filter -> filter.countMightContain(keys, hits));
      }
    } finally {
      Files.delete(path);
    }
  }

  private static void compare(
      String what, Map<String, BloomFilter> both, ToIntFunction<BloomFilter> count) {
    List<GrowthTimes.Time> times =
        GrowthTimes.turns(
            what,
            QUERIES,
            both,
            filter -> GrowthTimes.nanos(QUERIES, () -> count.applyAsInt(filter)));
    GrowthTimes.Time mapped = times.get(1);
    OUT.printf(
        "| %s | %.1f | %.1f | %.2f (%.2f to %.2f) |%n",
        what, times.get(0).nanos(), mapped.nanos(), mapped.ratio(), mapped.low(), mapped.high());
  }

  private static int count(BloomFilter filter, long[] keys) {
    int found = 0;
    for (long key : keys) {
      found += filter.mightContain(key) ? 1 : 0;
    }
    return found;
  }
}
