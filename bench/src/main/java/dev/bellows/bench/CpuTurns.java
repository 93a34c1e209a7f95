package dev.bellows.bench;

import dev.bellows.BloomFilter;
import dev.bellows.Membership;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.window.WindowFilter;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleBiFunction;

/**
 * Works that take turns in one thread. Their times are CPU times of the thread, which a busy
 * machine disturbs less than wall-clock times.
 */
final class CpuTurns {
  private static final int ROUNDS = 11;
  private static final int WARM_UP = 4;

  private CpuTurns() {}

  /** Returns the CPU time of this thread so far, in nanoseconds. */
  static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /**
   * Returns the median of the nanoseconds that each work takes.
   *
   * @param check receives the name and the result of a work after each of its turns
   */
  static <T> Map<String, Double> medians(
      Map<String, Supplier<T>> works, BiConsumer<String, T> check) {
    Map<String, double[]> rounds =
        turns(
            WARM_UP,
            ROUNDS,
            works,
            (name, work) -> {
              long start = cpu();
              T result = work.get();
              long nanos = cpu() - start;
              check.accept(name, result);
              return nanos;
            });
    Map<String, Double> medians = new LinkedHashMap<>();
    rounds.forEach(
        (name, nanos) -> {
          Arrays.sort(nanos);
          medians.put(name, nanos[ROUNDS / 2]);
        });
    return medians;
  }

  /** Returns the times of contenders that take turns, after some rounds that do not count. */
  static <T> Map<String, double[]> turns(
      int warmUp, int rounds, Map<String, T> contenders, ToDoubleBiFunction<String, T> nanos) {
    Map<String, double[]> times = new LinkedHashMap<>();
    for (int round = -warmUp; round < rounds; round++) {
      for (Map.Entry<String, T> contender : contenders.entrySet()) {
        double time = nanos.applyAsDouble(contender.getKey(), contender.getValue());
        double[] its = times.computeIfAbsent(contender.getKey(), name -> new double[rounds]);
        its[Math.max(0, round)] = time;
      }
    }
    return times;
  }

  /**
   * Times of queries in nanoseconds per key, by the names of the filters.
   *
   * @param singly one by one
   * @param inBatches in batches, for this library's filters
   */
  record Queries(Map<String, Double> singly, Map<String, Double> inBatches) {
    /** Returns the time in batches as text; a dash for other libraries' filters. */
    String batch(String name) {
      Double nanos = inBatches.get(name);
      return nanos == null ? "-" : String.format(Locale.ROOT, "%.1f", nanos);
    }

    /** Returns the ratios of two filters' times as text. */
    String ratios(String one, String other) {
      return String.format(
          Locale.ROOT,
          "%.2f, in batches %.2f",
          singly.get(one) / singly.get(other),
          inBatches.get(one) / inBatches.get(other));
    }
  }

  /** Measures queries of filters, or of several in turn, that contain half of the keys. */
  static Queries queries(Map<String, ?> filters, long[] asked) {
    Map<String, Supplier<Integer>> singly = new LinkedHashMap<>();
    Map<String, Supplier<Integer>> inBatches = new LinkedHashMap<>();
    boolean[] hits = new boolean[asked.length];
    filters.forEach(
        (name, filter) -> {
          singly.put(name, () -> count(filter, asked));
          if (filter instanceof Membership ours) {
            inBatches.put(name, () -> ours.countMightContainHashes(asked, 0, asked.length, hits));
          }
        });
    return new Queries(perKey(singly, asked.length), perKey(inBatches, asked.length));
  }

  private static Map<String, Double> perKey(Map<String, Supplier<Integer>> works, int keys) {
    Map<String, Double> nanos =
        medians(
            works,
            (name, found) -> {
              if (found < 0.49 * keys || found > 0.52 * keys) {
                throw new AssertionError(name + " found " + found);
              }
            });
    nanos.replaceAll((name, all) -> all / keys);
    return nanos;
  }

  /** Each class of filters has its own loop, so that the JIT profiles them separately. */
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
    } else if (filter instanceof WindowFilter window) {
      for (long hash : asked) {
        count += window.mightContainHash(hash) ? 1 : 0;
      }
    } else if (filter instanceof BloomFilter[] turns) {
      for (long hash : asked) {
        for (BloomFilter each : turns) {
          if (each.mightContainHash(hash)) {
            count++;
            break;
          }
        }
      }
    } else {
      org.fastfilter.Filter other = (org.fastfilter.Filter) filter;
      for (long hash : asked) {
        count += other.mayContain(hash) ? 1 : 0;
      }
    }
    return count;
  }
}
