package dev.bellows.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Times of the study on growth. Contenders take turns, round by round, and a ratio is that of the
 * times of one round, so that other load affects both.
 */
final class GrowthTimes {
  static final int ROUNDS = 9;
  private static final String READS = "reads of a chunk alone";
  private static final int WARM_UP = 3;
  private static final int FEW_QUERIES = 1 << 20;
  private static final int MANY_QUERIES = 1 << 22;
  private static final long MANY_KEYS = 10_000_000;

  /** Nanoseconds, and the ratio to the reference with the interval of the median (96 %). */
  record Time(
      String what, String name, long keys, double nanos, double ratio, double low, double high) {}

  private GrowthTimes() {}

  private static Map<String, Supplier<Grower>> makers(long keys, boolean withPeers) {
    Map<String, Supplier<Grower>> makers = new LinkedHashMap<>();
    makers.put("pre-sized BLOCKED", () -> new Grower.Presized(keys));
    makers.put("FingerprintFilter", Grower.Fingerprint::new);
    makers.put("ScalableBloomFilter", Grower.Scalable::new);
    makers.put(READS, ChunkReads::new);
    if (withPeers) {
      makers.put("Hadoop DynamicBloomFilter", Grower::hadoopRows);
      makers.put("Commons LayeredBloomFilter", Grower::commonsLayers);
      makers.put("HashSet<Long>", Grower::boxes);
    }
    return makers;
  }

  /** Queries of random keys, half of them present; ratios to the pre-sized filter. */
  static List<Time> queries(long keys, boolean withPeers) {
    Map<String, Grower> growers = new LinkedHashMap<>();
    makers(keys, withPeers).forEach((name, maker) -> growers.put(name, maker.get()));
    growers.values().forEach(grower -> GrowthKeys.put(grower, 0, keys));
    long[] asked = GrowthKeys.halfHits(keys, keys < MANY_KEYS ? FEW_QUERIES : MANY_QUERIES);
    boolean[] hits = new boolean[asked.length];
    List<Time> times =
        turns(
            "query, one by one",
            keys,
            growers,
            grower -> nanos(asked.length, () -> grower.countSingly(asked)));
    growers.values().removeIf(grower -> grower.countInBatches(asked, hits) < 0);
    times.addAll(
        turns(
            "query, in batches",
            keys,
            growers,
            grower -> nanos(asked.length, () -> grower.countInBatches(asked, hits))));
    return times;
  }

  /** Nanoseconds per key of one pass over keys, half of which are present. */
  static double nanos(int operations, Supplier<Integer> work) {
    long start = System.nanoTime();
    int count = work.get();
    long end = System.nanoTime();
    if (count < operations / 3) {
      throw new AssertionError(count + " hits of " + operations + " keys, half of them present");
    }
    return (end - start) / (double) operations;
  }

  /** Fills of fresh filters by one thread. */
  static List<Time> puts(int keys) {
    long[] hashes = GrowthKeys.present(0, keys);
    Map<String, Supplier<Grower>> makers = makers(keys, true);
    makers.remove(READS);
    return turns("put, one thread", keys, makers, maker -> fill(List.of(maker.get()), hashes));
  }

  /**
   * Fills of one fingerprint filter by one thread and by two, and of two filters by a thread each,
   * which shows what the machine achieves for threads that share nothing; ratios to one thread.
   */
  static List<Time> threads(int keys) {
    long[] hashes = GrowthKeys.present(0, keys);
    Map<String, Supplier<List<Grower>>> makers = new LinkedHashMap<>();
    makers.put("one thread", () -> List.of(new Grower.Fingerprint()));
    makers.put("two threads", () -> Collections.nCopies(2, new Grower.Fingerprint()));
    makers.put(
        "two threads, a filter each",
        () -> List.of(new Grower.Fingerprint(), new Grower.Fingerprint()));
    return turns("put, FingerprintFilter", keys, makers, maker -> fill(maker.get(), hashes));
  }

  /** One thread for each, which may be the same one. */
  private static double fill(List<Grower> growers, long[] hashes) {
    // so that no contender pays for the garbage of another one
    System.gc();
    int part = hashes.length / growers.size();
    List<CompletableFuture<Void>> others = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 1; i < growers.size(); i++) {
      Grower grower = growers.get(i);
      int from = i * part;
      int to = i + 1 == growers.size() ? hashes.length : from + part;
      others.add(CompletableFuture.runAsync(() -> grower.putAll(hashes, from, to)));
    }
    growers.get(0).putAll(hashes, 0, part);
    others.forEach(CompletableFuture::join);
    return (System.nanoTime() - start) / (double) hashes.length;
  }

  /** Measures the contenders in turns; the first is the reference of the ratios. */
  static <T> List<Time> turns(
      String what, long keys, Map<String, T> contenders, ToDoubleFunction<T> nanos) {
    Map<String, double[]> rounds =
        CpuTurns.turns(
            WARM_UP, ROUNDS, contenders, (name, contender) -> nanos.applyAsDouble(contender));
    double[] reference = rounds.values().iterator().next();
    List<Time> times = new ArrayList<>();
    rounds.forEach((name, its) -> times.add(time(what, name, keys, its, reference)));
    return times;
  }

  private static Time time(
      String what, String name, long keys, double[] rounds, double[] reference) {
    double[] ratios = new double[ROUNDS];
    Arrays.setAll(ratios, i -> rounds[i] / reference[i]);
    Arrays.sort(ratios);
    double[] sorted = rounds.clone();
    Arrays.sort(sorted);
    // of 9, the median of all lies between the second and the eighth in 96 of 100 cases
    return new Time(
        what, name, keys, sorted[ROUNDS / 2], ratios[ROUNDS / 2], ratios[1], ratios[ROUNDS - 2]);
  }
}
