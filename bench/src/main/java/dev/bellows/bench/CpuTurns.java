package dev.bellows.bench;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

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
    Map<String, double[]> rounds = new LinkedHashMap<>();
    works.keySet().forEach(name -> rounds.put(name, new double[ROUNDS]));
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      int at = round;
      works.forEach(
          (name, work) -> {
            long start = cpu();
            T result = work.get();
            long nanos = cpu() - start;
            check.accept(name, result);
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
