package dev.bellows.papers.range;

import dev.bellows.papers.ClusterCount;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Result;
import dev.bellows.range.RangePlan;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * The measured rate at which numbers outside of a range pass: as a mean over all ranges of that
 * length and over hash functions, where every filter hashes again (erratum R16), and by the
 * thesis's own procedure.
 */
public final class RangeSimulation {
  /** Numbers drawn for each filter, in addition to those near its range. */
  private static final int LOTS = 40;

  private static final int NUMBERS = 1_000_000;
  private static final int NUMBERS_PER_RANGE = 1000;

  private RangeSimulation() {}

  /** Measures the library's filter. */
  public static Measured of(RangePlan plan, int filters) {
    return of(plan, RangeHolder.library(plan), filters);
  }

  /** Measures any filter; its instances are numbered from 0. */
  public static Measured of(RangePlan plan, RangeHolder holder, int filters) {
    AbsentCount count = new AbsentCount(plan, LOTS);
    SplittableRandom random = new SplittableRandom(plan.range());
    for (int instance = 0; instance < filters; instance++) {
      long start = random.nextLong(plan.domain() - plan.range() + 1);
      count.query(holder.hold(instance, start, start + plan.range() - 1), start, random);
    }
    return count.result(Result.ALPHA);
  }

  /**
   * Algorithm 3-1: a thousand random ranges, a thousand random numbers of the domain for each; of
   * those that are not in the range, how many pass. As the thesis does it: one attribute name, so
   * all ranges are hashed alike.
   */
  public static Measured oneInstance(RangePlan plan, RangeHolder holder, long instance) {
    return run(plan, holder, instance, 0);
  }

  /** The same procedure with different hash functions for every range (erratum R16). */
  public static Measured reseeded(RangePlan plan, RangeHolder holder) {
    return run(plan, holder, 0, 1);
  }

  private static Measured run(RangePlan plan, RangeHolder holder, long firstInstance, long step) {
    SplittableRandom random = new SplittableRandom(plan.range());
    ClusterCount count = new ClusterCount();
    for (int i = 0; i < NUMBERS / NUMBERS_PER_RANGE; i++) {
      long start = random.nextLong(plan.domain() - plan.range() + 1);
      LongPredicate filter = holder.hold(firstInstance + i * step, start, start + plan.range() - 1);
      int falsePositives = 0;
      int trueNegatives = 0;
      for (int j = 0; j < NUMBERS_PER_RANGE; j++) {
        long number = random.nextLong(plan.domain());
        if (number >= start && number < start + plan.range()) {
          continue;
        }
        if (filter.test(number)) {
          falsePositives++;
        } else {
          trueNegatives++;
        }
      }
      count.add(falsePositives, falsePositives + trueNegatives);
    }
    return count.result(AbsentCount.designEffect(plan, NUMBERS_PER_RANGE), Result.ALPHA);
  }

  /** Returns the rate of each of the first instances over every case. */
  static double[] instances(RangePlan plan, RangeHolder holder, int instances) {
    return IntStream.range(0, instances).mapToDouble(i -> everyCase(plan, holder, i)).toArray();
  }

  /**
   * Returns the rate of one instance over every range and every number outside of it, by querying
   * all of them: what section 4.3 calls emulation.
   */
  public static double everyCase(RangePlan plan, RangeHolder holder, long instance) {
    long passed = 0;
    long ranges = plan.domain() - plan.range() + 1;
    for (long start = 0; start < ranges; start++) {
      LongPredicate filter = holder.hold(instance, start, start + plan.range() - 1);
      for (long number = 0; number < plan.domain(); number++) {
        boolean outside = number < start || number >= start + plan.range();
        passed += outside && filter.test(number) ? 1 : 0;
      }
    }
    return (double) passed / ranges / (plan.domain() - plan.range());
  }
}
