package dev.bellows.bench;

import dev.bellows.bench.operations.LargeFilter;
import dev.bellows.bench.peers.Peer;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A JVM of its own for one contender; several operations may look at the same one.
 *
 * @param benchmark the class of the operation
 * @param method and its method
 * @param peer the contender
 * @param parameters the other parameters
 * @param threads the threads that work
 * @param pace how long and how often it measures
 */
record Fork(
    Class<?> benchmark,
    String method,
    Peer peer,
    Map<String, String> parameters,
    int threads,
    Pace pace) {
  /** How long and how often a fork measures. */
  enum Pace {
    /** Iterations of a tenth of a second. */
    SHORT(2, 3, 6, 100, 1.7),
    /** The same for filters of fewer readers. */
    RARE(2, 3, 6, 100, 2.2),
    /** Iterations of a few whole filters. */
    WHOLE(2, 3, 6, 150, 3.5),
    /** Single shots. */
    SHOTS(2, 3, 8, 0, 5),
    /** All steps of a large filter. */
    LARGE(2, 0, LargeFilter.FILLS + 10 * LargeFilter.KINDS.size(), 0, 15);

    final int passes;
    final int warmups;
    final int iterations;
    final int millis;

    /** About how long a fork takes, all in all. */
    final double seconds;

    Pace(int passes, int warmups, int iterations, int millis, double seconds) {
      this.passes = passes;
      this.warmups = warmups;
      this.iterations = iterations;
      this.millis = millis;
      this.seconds = seconds;
    }
  }

  /** What JMH would call it. */
  String pattern() {
    return "^" + (benchmark.getName() + "." + method).replace(".", "\\.") + "$";
  }

  /** How often it is run: once where filling alone takes a minute. */
  int passes() {
    boolean slow = peer == Peer.HADOOP || peer == Peer.COMMONS;
    return pace == Pace.LARGE && slow ? 1 : pace.passes;
  }

  /** About how long it takes: a large filter is as slow as its contender's puts. */
  double seconds() {
    return pace != Pace.LARGE
        ? pace.seconds
        : switch (peer) {
          case GUAVA, SPARK_V1, SPARK_V2 -> 3 * pace.seconds;
          case HADOOP, COMMONS, SCALABLE -> 5 * pace.seconds;
          default -> pace.seconds;
        };
  }

  @Override
  public String toString() {
    return peer.label() + ", " + benchmark.getSimpleName() + " " + method;
  }

  /**
   * What came of it, iteration by iteration.
   *
   * @param nanos the times per operation
   * @param garbage the bytes allocated per operation
   * @param found the keys found, where they are counted
   * @param bits the bits of the filter, where they are told
   */
  record Result(double[] nanos, double[] garbage, double[] found, double[] bits) {
    double[] scores(IntPredicate counts) {
      return pick(nanos, counts);
    }

    double bytes(IntPredicate counts) {
      return Arrays.stream(pick(garbage, counts)).min().orElse(Double.NaN);
    }

    long found(IntPredicate counts) {
      return (long) Arrays.stream(pick(found, counts)).sum();
    }

    /** The bits of the filter in the last iteration that counts. */
    long lastBits(IntPredicate counts) {
      double[] picked = pick(bits, counts);
      return (long) picked[picked.length - 1];
    }

    private static double[] pick(double[] values, IntPredicate counts) {
      return IntStream.range(0, values.length).filter(counts).mapToDouble(i -> values[i]).toArray();
    }
  }
}
