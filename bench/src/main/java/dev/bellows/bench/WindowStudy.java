package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.window.WindowFilter;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Windows compared with one BLOCKED filter of the same keys, and with one for each generation,
 * queried in turn; the memory of prefixes in a steady state and through a burst; and how long
 * single puts take. Prints the tables of docs/bench/windows.md.
 *
 * <pre>
 * java -Xmx3g -cp bench/target/launcher/bellows.jar dev.bellows.bench.WindowStudy queries 1e6
 * java -Xmx3g -cp bench/target/launcher/bellows.jar dev.bellows.bench.WindowStudy memory 1e5
 * java -Xmx3g -cp bench/target/launcher/bellows.jar dev.bellows.bench.WindowStudy puts 1e6
 * </pre>
 *
 * The number is that of the keys of a window. Times are of the thread's own CPU, and medians of
 * rounds in turn.
 */
public final class WindowStudy {
  private static final PrintStream OUT = System.out;
  private static final int GENERATIONS = 7;

  /** Divisible by the generations. */
  private static final long WINDOW = 7_000_000;

  private static final int ASKED = 2_000_000;

  private WindowStudy() {}

  /** Prints one table. */
  public static void main(String[] arguments) {
    String table = arguments.length == 0 ? "" : arguments[0];
    int keys = arguments.length < 2 ? 1_000_000 : (int) Double.parseDouble(arguments[1]);
    switch (table) {
      case "queries" -> {
        queries(keys, 0.01);
        queries(keys, 0.001);
      }
      case "memory" -> memory(keys);
      case "puts" -> puts(keys);
      default -> OUT.println("which table: queries, memory or puts? then the keys of a window");
    }
  }

  private static void print(String format, Object... values) {
    OUT.println(String.format(Locale.ROOT, format, values));
  }

  private static WindowFilter.Builder builder(double fpp) {
    return WindowFilter.builder()
        .window(Duration.ofMillis(WINDOW))
        .generations(GENERATIONS)
        .fpp(fpp);
  }

  // Queries.

  /** A full window: all generations, and the one that is filled, have their even share. */
  private static void queries(int keys, double fpp) {
    int share = keys / GENERATIONS;
    int lanes = GENERATIONS + 1;
    long[] present = new SplittableRandom(7).longs((long) share * lanes).toArray();
    WindowFilter ring = builder(fpp).keys(keys).build();
    WindowFilter prefixes = builder(fpp).build();
    BloomFilter[] turns = new BloomFilter[lanes];
    double one = 1 - Math.pow(1 - fpp, 1.0 / lanes);
    for (int lane = 0; lane < lanes; lane++) {
      turns[lane] = blocked(share, one);
      for (int i = 0; i < share; i++) {
        long hash = present[lane * share + i];
        ring.putHash(hash, lane * WINDOW / GENERATIONS);
        prefixes.putHash(hash, lane * WINDOW / GENERATIONS);
        turns[lane].putHash(hash);
      }
    }
    BloomFilter blocked = blocked(keys, fpp);
    // one window: what the single filter has, and the others have found in their newest seven
    for (int i = share; i < present.length; i++) {
      blocked.putHash(present[i]);
    }
    SplittableRandom random = new SplittableRandom(8);
    long[] asked = new long[ASKED];
    Arrays.setAll(
        asked,
        i ->
            random.nextBoolean()
                ? present[share + random.nextInt(present.length - share)]
                : random.nextLong());
    CpuTurns.Queries nanos =
        CpuTurns.queries(
            Map.of(
                "BLOCKED", blocked, "ring", ring, "prefixes", prefixes, "BLOCKED in turn", turns),
            asked);
    print("| %,d keys, %s %% | bits per live key | query, ns | in batches, ns |", keys, 100 * fpp);
    print("|---|---:|---:|---:|");
    Map<String, Double> bits = new LinkedHashMap<>();
    bits.put("BLOCKED", (double) blocked.bits() / keys);
    bits.put("ring", (double) ring.bits() / keys);
    bits.put("prefixes", 8.0 * prefixes.heapBytes() / keys);
    bits.put("BLOCKED in turn", Arrays.stream(turns).mapToDouble(BloomFilter::bits).sum() / keys);
    bits.forEach(
        (name, its) ->
            print(
                "| %s | %.2f | %.1f | %s |",
                name, its, nanos.singly().get(name), nanos.batch(name)));
    print("");
    print(
        "ring / BLOCKED: %s; in turn / ring: %.2f",
        nanos.ratios("ring", "BLOCKED"),
        nanos.singly().get("BLOCKED in turn") / nanos.singly().get("ring"));
    print("");
  }

  private static BloomFilter blocked(long keys, double fpp) {
    return BloomFilter.builder().keys(keys).fpp(fpp).layout(Layout.Family.BLOCKED).build();
  }

  // Memory.

  /** A window has this many equal steps of time. */
  private static final int STEPS = 140;

  private static final int BURST = 1000;

  /**
   * Prefixes in a steady state and through a burst: during a fourteenth of a window a thousand
   * times as many keys come. Bits are those of the heap per key that came within the last window.
   */
  private static void memory(int keys) {
    print("| keys per window | bits per live key | in the burst | after it / before | fpp, most |");
    print("|---:|---:|---:|---:|---:|");
    // between two powers of two the fill of chunks differs
    double most = 0;
    double sum = 0;
    int count = 0;
    for (double factor = 1; factor < 1.99; factor *= Math.pow(2, 0.25)) {
      double steady = steady((int) (keys * factor));
      sum += steady;
      most = Math.max(most, steady);
      count++;
      print("| %,d | %.2f | - | - | - |", (int) (keys * factor), steady);
    }
    burst(keys / 50);
    print("");
    print("steady state: %.2f on average over sizes, at most %.2f", sum / count, most);
  }

  private static void step(WindowFilter filter, int step, long[] key, int keys) {
    long time = step * (WINDOW / STEPS);
    SplittableRandom random = new SplittableRandom(key[0]++);
    for (int i = 0; i < keys; i++) {
      filter.putHash(random.nextLong(), time);
    }
  }

  /** The most bits per live key of a window and a half, at its fullest. */
  private static double steady(int keys) {
    WindowFilter filter = builder(0.01).build();
    long[] key = {keys};
    double most = 0;
    for (int step = 0; step < STEPS * 3; step++) {
      step(filter, step, key, keys / STEPS);
      if (step > STEPS * 3 / 2) {
        most = Math.max(most, 8.0 * filter.heapBytes() / keys);
      }
    }
    return most;
  }

  private static void burst(int keys) {
    WindowFilter filter = builder(0.01).build();
    long[] key = {3};
    int perStep = keys / STEPS;
    int begin = 2 * STEPS;
    int end = begin + STEPS / 14;
    int back = end + STEPS + 2 * STEPS / GENERATIONS;
    long before = 0;
    double inBurst = 0;
    double fpp = 0;
    double after = 0;
    for (int step = 0; step <= back; step++) {
      boolean isBurst = step >= begin && step < end;
      step(filter, step, key, isBurst ? perStep * BURST : perStep);
      if (step == begin - 1) {
        before = filter.heapBytes();
      }
      if (isBurst) {
        double live = (double) (step - begin + 1) * perStep * BURST + keys;
        inBurst = Math.max(inBurst, 8.0 * filter.heapBytes() / live);
        fpp = Math.max(fpp, filter.expectedFpp());
      }
      if (step == back) {
        after = (double) filter.heapBytes() / before;
      }
    }
    print(
        "| %,d | %.2f | %.2f | %.2f | %.3f %% |",
        keys, 8.0 * before / keys, inBurst, after, 100 * fpp);
  }

  // Pauses.

  /** Puts of new keys through several windows, rotations and sweeps included. */
  private static void puts(int keys) {
    print("| %,d keys per window | p99.99, us | longest, us | p99.99, wall | puts |", keys);
    print("|---|---:|---:|---:|---:|");
    for (String form : new String[] {"ring", "elastic ring", "prefixes"}) {
      // a first one, so that the code of the second is compiled
      pauses(form, keys);
      PutClock clock = pauses(form, keys);
      print(
          "| %s | %.1f | %.1f | %.1f | %,d |",
          form, clock.own.above(1e-4), clock.own.most(), clock.wall.above(1e-4), 3L * keys);
    }
  }

  private static PutClock pauses(String form, int keys) {
    WindowFilter.Builder builder = builder(0.01);
    WindowFilter filter =
        switch (form) {
          case "ring" -> builder.keys(keys).build();
          // begins small, so that it unfolds
          case "elastic ring" -> builder.keys(Math.max(1, keys / 64)).elastic().build();
          default -> builder.build();
        };
    PutClock clock = new PutClock();
    SplittableRandom random = new SplittableRandom(4);
    long[] hashes = new long[PutClock.BLOCK];
    for (long done = 0; done < 3L * keys; done += PutClock.BLOCK) {
      Arrays.setAll(hashes, i -> random.nextLong());
      long time = (long) ((double) done / keys * WINDOW);
      clock.block(hashes, PutClock.BLOCK, hash -> filter.putHash(hash, time));
    }
    return clock;
  }
}
