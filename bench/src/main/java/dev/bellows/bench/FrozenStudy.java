package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.Membership;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.internal.math.BinomialInterval;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
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
 * Static filters: bits per key next to the least possible, and the times of building and asking
 * next to those of others, in turns in one process. Prints the tables of docs/bench/frozen.md.
 *
 * <pre>
 * java -Xmx3g -cp bench/target/launcher/bellows.jar dev.bellows.bench.FrozenStudy 1e7
 * </pre>
 *
 * The number is that of the most keys. Times are of the thread's own CPU, so that a busy machine
 * disturbs them less, and medians of rounds.
 */
public final class FrozenStudy {
  private static final PrintStream OUT = System.out;
  private static final double[] RATES = {0.01, 0.004, 0.001, 1e-6};
  private static final int ASKED = 4_000_000;
  private static final int ROUNDS = 9;
  private static final int WARM_UP = 4;
  private static final double LOG_2 = Math.log(2);

  private FrozenStudy() {}

  /** Measures and prints all tables. */
  public static void main(String[] arguments) {
    int most = arguments.length == 0 ? 1_000_000 : (int) Double.parseDouble(arguments[0]);
    sizes(most);
    for (int keys = 1_000_000; keys <= Math.max(most, 1_000_000); keys *= 10) {
      times(keys);
    }
  }

  private static void print(String format, Object... values) {
    OUT.println(String.format(Locale.ROOT, format, values));
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
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
        // too few false positives tell nothing: then the rate that follows from the columns
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

  private static void times(int keys) {
    double fpp = 1.0 / 256;
    long[] hashes = random(keys, keys);
    SplittableRandom random = new SplittableRandom(5);
    long[] asked = new long[Math.min(keys, ASKED)];
    Arrays.setAll(
        asked, i -> random.nextBoolean() ? hashes[random.nextInt(keys)] : random.nextLong());
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
    Map<String, Double> building = turns(builds, build -> built(built, builds, build));
    Map<String, Supplier<Object>> queries = new LinkedHashMap<>();
    Map<String, Supplier<Object>> batches = new LinkedHashMap<>();
    boolean[] hits = new boolean[asked.length];
    built.forEach(
        (name, filter) -> {
          queries.put(name, () -> count(filter, asked));
          if (filter instanceof Membership ours) {
            batches.put(name, () -> ours.countMightContainHashes(asked, 0, asked.length, hits));
          }
        });
    Map<String, Double> query = turns(queries, Supplier::get);
    Map<String, Double> batch = turns(batches, Supplier::get);
    double scale = (double) keys / asked.length;
    building.forEach(
        (name, nanos) ->
            print(
                "| %s | %.1f | %.1f | %s |",
                name,
                nanos / keys,
                query.get(name) / keys * scale,
                batch.containsKey(name)
                    ? String.format(Locale.ROOT, "%.1f", batch.get(name) / keys * scale)
                    : "-"));
    print("");
    print(
        "FrozenFilter / BLOCKED: query %.2f, in batches %.2f; build / Xor8: %.2f",
        query.get("FrozenFilter") / query.get("BloomFilter, BLOCKED"),
        batch.get("FrozenFilter") / batch.get("BloomFilter, BLOCKED"),
        building.get("FrozenFilter") / building.get("fastfilter Xor8"));
    print("");
  }

  private static Object built(
      Map<String, Object> built, Map<String, Supplier<Object>> builds, Supplier<Object> build) {
    Object filter = build.get();
    builds.forEach(
        (name, other) -> {
          if (other == build) {
            built.put(name, filter);
          }
        });
    return filter;
  }

  private static BloomFilter bloom(Layout.Family layout, long[] hashes, double fpp) {
    var loader = BloomFilter.builder().keys(hashes.length).fpp(fpp).layout(layout).loader();
    loader.putHashes(hashes, 0, hashes.length);
    return loader.build();
  }

  private static int count(Object filter, long[] asked) {
    int count = 0;
    if (filter instanceof FrozenFilter frozen) {
      for (long hash : asked) {
        count += frozen.mightContainHash(hash) ? 1 : 0;
      }
    } else if (filter instanceof BloomFilter bloom) {
      for (long hash : asked) {
        count += bloom.mightContainHash(hash) ? 1 : 0;
      }
    } else {
      org.fastfilter.Filter other = (org.fastfilter.Filter) filter;
      for (long hash : asked) {
        count += other.mayContain(hash) ? 1 : 0;
      }
    }
    return count;
  }

  /** The medians of the thread's nanoseconds, all in turn. */
  private static Map<String, Double> turns(
      Map<String, Supplier<Object>> works,
      java.util.function.Function<Supplier<Object>, Object> run) {
    Map<String, double[]> rounds = new LinkedHashMap<>();
    works.keySet().forEach(name -> rounds.put(name, new double[ROUNDS]));
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      int at = round;
      works.forEach(
          (name, work) -> {
            long start = cpu();
            Object result = run.apply(work);
            long nanos = cpu() - start;
            if (result == null) {
              throw new AssertionError(name);
            }
            if (at >= 0) {
              rounds.get(name)[at] = nanos;
            }
          });
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    rounds.forEach(
        (name, nanos) -> {
          Arrays.sort(nanos);
          medians.put(name, nanos[ROUNDS / 2]);
        });
    return medians;
  }
}
