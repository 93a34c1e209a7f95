package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.internal.math.BinomialInterval;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.fastfilter.utils.Hash;
import org.fastfilter.xor.Xor16;
import org.fastfilter.xor.Xor8;
import org.fastfilter.xorplus.XorPlus8;

/**
 * Static filters: bits per key compared with the least possible, and the times of builds and
 * queries compared with those of other filters, interleaved in one process. Prints the tables of
 * docs/bench/frozen.md.
 *
 * <pre>
 * java -Xmx3g -cp bench/target/launcher/bellows.jar dev.bellows.bench.FrozenStudy 1e7
 * java -Xmx8g -cp bench/target/launcher/bellows.jar dev.bellows.bench.FrozenStudy queries 1e8
 * </pre>
 *
 * The number is the largest number of keys; {@code queries} builds each of our filters once, with
 * that number of keys, and times queries only. Times are CPU times of the measuring thread, which a
 * busy machine disturbs less than wall-clock times, and medians of the rounds.
 */
public final class FrozenStudy {
  private static final PrintStream OUT = System.out;
  private static final double[] RATES = {0.01, 0.004, 0.001, 1e-6};
  private static final int ASKED = 4_000_000;
  private static final double LOG_2 = Math.log(2);

  private FrozenStudy() {}

  /** Measures and prints all tables. */
  public static void main(String[] arguments) {
    if (arguments.length == 2 && arguments[0].equals("queries")) {
      largeQueries((int) Double.parseDouble(arguments[1]));
      return;
    }
    int most = arguments.length == 0 ? 1_000_000 : (int) Double.parseDouble(arguments[0]);
    sizes(most);
    for (int keys = 1_000_000; keys <= Math.max(most, 1_000_000); keys *= 10) {
      times(keys);
    }
  }

  private static void print(String format, Object... values) {
    OUT.println(String.format(Locale.ROOT, format, values));
  }

  private static long[] random(int seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  /** Bits of the whole file. */
  private static void sizes(int most) {
    print("| keys | fpp | columns | bits per key | / columns | measured fpp | / log2(1/fpp) |");
    print("|---:|---:|---:|---:|---:|---:|---:|");
    long[] absent = random(-1, ASKED);
    boolean[] hits = new boolean[ASKED];
    for (int keys = 100; keys <= most; keys *= 10) {
      long[] hashes = random(keys, keys);
      for (double fpp : RATES) {
        FrozenFilter filter = FrozenFilter.builder().fpp(fpp).build(hashes);
        int found = filter.countMightContainHashes(absent, 0, ASKED, hits);
        double measured = (double) found / ASKED;
        double perKey = 8.0 * filter.sizeInBytes() / keys;
        // too few false positives to measure: then the rate that follows from the columns
        BinomialInterval interval = BinomialInterval.of(found, ASKED, 1e-9);
        if (filter.expectedFpp() < interval.low() || filter.expectedFpp() > interval.high()) {
          throw new AssertionError("measured " + measured + ", expected " + filter.expectedFpp());
        }
        double limit = -Math.log(found < 1000 ? filter.expectedFpp() : measured) / LOG_2;
        print(
            "| %,d | %s | %.4f | %.4f | %.4f | %s | %.4f |",
            keys,
            fpp,
            filter.columns(),
            perKey,
            perKey / filter.columns(),
            found < 1000 ? "-" : String.format(Locale.ROOT, "%.4f %%", 100 * measured),
            perKey / limit);
      }
    }
    print("");
  }

  /** Half of them present. */
  private static long[] asked(long[] hashes) {
    SplittableRandom random = new SplittableRandom(5);
    long[] asked = new long[Math.min(hashes.length, ASKED)];
    Arrays.setAll(
        asked,
        i -> random.nextBoolean() ? hashes[random.nextInt(hashes.length)] : random.nextLong());
    return asked;
  }

  /** Queries of filters that are far larger than the caches. */
  private static void largeQueries(int keys) {
    double fpp = 1.0 / 256;
    long[] hashes = random(keys, keys);
    long[] asked = asked(hashes);
    long start = CpuTurns.cpu();
    FrozenFilter frozen = FrozenFilter.builder().fpp(fpp).build(hashes);
    print("built in %.1f ns per key", (double) (CpuTurns.cpu() - start) / keys);
    BloomFilter blocked = bloom(Layout.Family.BLOCKED, hashes, fpp);
    CpuTurns.Queries nanos =
        CpuTurns.queries(Map.of("FrozenFilter", frozen, "BLOCKED", blocked), asked);
    print("| %,d keys, fpp 1/256 | bits per key | query, ns | in batches, ns |", keys);
    print("|---|---:|---:|---:|");
    Map.of("FrozenFilter", 8.0 * frozen.sizeInBytes(), "BLOCKED", (double) blocked.bits())
        .forEach(
            (name, bits) ->
                print(
                    "| %s | %.2f | %.1f | %s |",
                    name, bits / keys, nanos.singly().get(name), nanos.batch(name)));
    print("");
    print("FrozenFilter / BLOCKED: query %s", nanos.ratios("FrozenFilter", "BLOCKED"));
  }

  private static void times(int keys) {
    double fpp = 1.0 / 256;
    long[] hashes = random(keys, keys);
    long[] asked = asked(hashes);
    Hash.setSeed(42);
    Map<String, Supplier<Object>> builds = new LinkedHashMap<>();
    builds.put("FrozenFilter", () -> FrozenFilter.builder().fpp(fpp).build(hashes));
    builds.put("fastfilter Xor8", () -> Xor8.construct(hashes));
    builds.put("fastfilter XorPlus8", () -> XorPlus8.construct(hashes));
    builds.put("fastfilter Xor16", () -> Xor16.construct(hashes));
    for (Layout.Family layout : Layout.Family.values()) {
      builds.put("BloomFilter, " + layout, () -> bloom(layout, hashes, fpp));
    }
    Map<String, Object> built = new LinkedHashMap<>();
    print("| %,d keys, fpp 1/256 | build, ns per key | query, ns | in batches, ns |", keys);
    print("|---|---:|---:|---:|");
    Map<String, Double> building = CpuTurns.medians(builds, built::put);
    CpuTurns.Queries queries = CpuTurns.queries(built, asked);
    building.forEach(
        (name, nanos) ->
            print(
                "| %s | %.1f | %.1f | %s |",
                name, nanos / keys, queries.singly().get(name), queries.batch(name)));
    print("");
    print(
        "FrozenFilter / BLOCKED: query %s; build / Xor8: %.2f",
        queries.ratios("FrozenFilter", "BloomFilter, BLOCKED"),
        building.get("FrozenFilter") / building.get("fastfilter Xor8"));
    print("");
  }

  private static BloomFilter bloom(Layout.Family layout, long[] hashes, double fpp) {
    var loader = BloomFilter.builder().keys(hashes.length).fpp(fpp).layout(layout).loader();
    loader.putHashes(hashes, 0, hashes.length);
    return loader.build();
  }
}
