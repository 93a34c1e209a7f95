package dev.bellows.bench;

import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * How much of its CPU time an elastic filter spends on resizes while keys are put, and while they
 * are removed again.
 *
 * <pre>
 * java -Xmx2g -cp bench/target/launcher/bellows.jar dev.bellows.bench.ElasticStudy 200000
 * </pre>
 *
 * The number is that of the keys. Which changes resize the filter does not depend on the machine,
 * so a first run records them, and later runs read the clock of the thread only around these. The
 * time of a resize includes that of the change which causes it. Every figure is the median of
 * {@link #ROUNDS} runs in one process, in which the cases take turns.
 */
public final class ElasticStudy {
  private static final PrintStream OUT = System.out;
  private static final int ROUNDS = 9;
  private static final double FPP = 0.01;
  private static final double[] TOLERANCES = {0.005, 0.002, 0.001};

  private ElasticStudy() {}

  /** Measures and prints a table. */
  public static void main(String[] arguments) {
    if (arguments.length != 1) {
      OUT.println("KEYS");
      return;
    }
    long[] hashes = new SplittableRandom(11).longs(Integer.parseInt(arguments[0])).toArray();
    List<Case> cases = cases();
    for (int round = 0; round <= ROUNDS; round++) {
      for (Case one : cases) {
        one.run(hashes, round);
      }
    }
    OUT.println(
        "| store, tolerance, policy | change | resizes | cells read per key | resizes, ms | all, ms"
            + " | share | longest, ms |");
    OUT.println("|---|---|---:|---:|---:|---:|---:|---:|");
    cases.forEach(Case::print);
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (boolean counting : new boolean[] {true, false}) {
      for (double tolerance : TOLERANCES) {
        for (FoldPolicy policy : FoldPolicy.values()) {
          cases.add(new Case(counting, tolerance, policy));
        }
      }
    }
    return cases;
  }

  /** The changes of one direction: what they took, in all rounds. */
  private static final class Changes {
    private final BitSet resizing = new BitSet();
    private final long[] resizeNanos = new long[ROUNDS];
    private final long[] allNanos = new long[ROUNDS];
    private final long[] longestNanos = new long[ROUNDS];
    private long cellsRead;

    private static double median(IntToDoubleFunction ofRound) {
      return IntStream.range(0, ROUNDS).mapToDouble(ofRound).sorted().toArray()[ROUNDS / 2];
    }
  }

  /** A filter and its policy. */
  private static final class Case {
    private final boolean counting;
    private final double tolerance;
    private final FoldPolicy policy;
    private final Changes puts = new Changes();
    private final Changes removals = new Changes();
    private int keys;

    Case(boolean counting, double tolerance, FoldPolicy policy) {
      this.counting = counting;
      this.tolerance = tolerance;
      this.policy = policy;
    }

    void run(long[] hashes, int round) {
      keys = hashes.length;
      ElasticBloomFilter.Builder builder =
          ElasticBloomFilter.builder()
              .keys(hashes.length)
              .fpp(FPP)
              .tolerance(tolerance)
              .policy(policy);
      ElasticBloomFilter filter = counting ? builder.counting(4).build() : builder.build();
      change(puts, filter, hashes, round, filter::putHash);
      if (counting) {
        change(removals, filter, hashes, round, filter::removeHash);
      }
    }

    private static void change(
        Changes changes, ElasticBloomFilter filter, long[] hashes, int round, LongConsumer change) {
      if (round == 0) {
        long before = filter.cellsRead();
        for (int i = 0; i < hashes.length; i++) {
          long resizes = filter.resizes();
          change.accept(hashes[i]);
          changes.resizing.set(i, filter.resizes() > resizes);
        }
        changes.cellsRead = filter.cellsRead() - before;
        return;
      }
      long resizing = 0;
      long longest = 0;
      long begun = CpuTurns.cpu();
      int i = 0;
      for (int next = changes.resizing.nextSetBit(0);
          i < hashes.length;
          next = changes.resizing.nextSetBit(next + 1)) {
        int end = next < 0 ? hashes.length : next;
        for (; i < end; i++) {
          change.accept(hashes[i]);
        }
        if (next >= 0) {
          long start = CpuTurns.cpu();
          change.accept(hashes[i++]);
          long nanos = CpuTurns.cpu() - start;
          resizing += nanos;
          longest = Math.max(longest, nanos);
        }
      }
      changes.resizeNanos[round - 1] = resizing;
      changes.longestNanos[round - 1] = longest;
      changes.allNanos[round - 1] = CpuTurns.cpu() - begun;
    }

    void print() {
      print("put", puts);
      if (counting) {
        print("remove", removals);
      }
    }

    private void print(String change, Changes changes) {
      OUT.printf(
          "| %s, ± %.1f %%, %s | %s | %d | %.0f | %.1f | %.1f | %.0f %% | %.1f |%n",
          counting ? "counters" : "bits",
          100 * tolerance,
          policy,
          change,
          changes.resizing.cardinality(),
          changes.cellsRead / (double) keys,
          Changes.median(i -> changes.resizeNanos[i] / 1e6),
          Changes.median(i -> changes.allNanos[i] / 1e6),
          Changes.median(i -> 100.0 * changes.resizeNanos[i] / changes.allNanos[i]),
          Changes.median(i -> changes.longestNanos[i] / 1e6));
    }
  }
}
