package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * How fast a mapped filter answers beside the same filter on the heap, once its pieces were
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
  private static final int ROUNDS = 9;

  private final long[] keys = new long[QUERIES];
  private final boolean[] hits = new boolean[QUERIES];

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
      new MappedStudy().measure(layout, bits);
    }
  }

  private void measure(Layout.Family layout, long bits) throws IOException {
    Path path = Files.createTempFile("bellows", ".bloom");
    try {
      BloomFilter heap = BloomFilter.builder().bits(bits).fpp(0.01).layout(layout).build();
      // a tenth as many keys as belong into it: what is read does not depend on them
      long stored = bits / 100;
      for (long key = 0; key < stored; key++) {
        heap.put(key);
      }
      SplittableRandom random = new SplittableRandom(7);
      for (int i = 0; i < QUERIES; i++) {
        keys[i] = random.nextLong(2 * stored);
      }
      heap.writeTo(path);
      try (BloomFilter mapped = BloomFilter.map(path)) {
        mapped.verify();
        compare(layout, false, heap, mapped);
        compare(layout, true, heap, mapped);
      }
    } finally {
      Files.delete(path);
    }
  }

  private void compare(
      Layout.Family layout, boolean inBatches, BloomFilter heap, BloomFilter mapped) {
    double onHeap = Double.MAX_VALUE;
    double inFile = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      onHeap = Math.min(onHeap, nanos(heap, inBatches));
      inFile = Math.min(inFile, nanos(mapped, inBatches));
    }
    OUT.printf(
        "| %s | %s | %.1f | %.1f | %.2f |%n",
        layout, inBatches ? "in batches" : "one by one", onHeap, inFile, inFile / onHeap);
  }

  private double nanos(BloomFilter filter, boolean inBatches) {
    long start = System.nanoTime();
    int found = inBatches ? filter.countMightContain(keys, hits) : count(filter);
    long end = System.nanoTime();
    if (found < QUERIES / 3) {
      throw new AssertionError("half of the keys are in the filter, and it has " + found);
    }
    return (end - start) / (double) QUERIES;
  }

  private int count(BloomFilter filter) {
    int found = 0;
    for (long key : keys) {
      found += filter.mightContain(key) ? 1 : 0;
    }
    return found;
  }
}
