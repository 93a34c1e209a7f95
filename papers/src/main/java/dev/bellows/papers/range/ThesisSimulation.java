package dev.bellows.papers.range;

import dev.bellows.papers.Result;
import dev.bellows.plan.BinomialInterval;
import dev.bellows.plan.RangePlan;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * Algorithm 3-1: a thousand random ranges, a thousand random numbers of the domain for each; of
 * those that are not in the range, how many pass.
 *
 * @param falsePositives numbers outside that passed
 * @param trueNegatives numbers outside that did not
 * @param standardError of the rate; the numbers asked of one range are not independent, so it comes
 *     from the differences between ranges
 */
public record ThesisSimulation(long falsePositives, long trueNegatives, double standardError) {
  /** Errors to either side that hold the truth but for 1e-9, however skewed the ranges are. */
  static final double ERRORS = 8;

  private static final int NUMBERS = 1_000_000;
  private static final int NUMBERS_PER_RANGE = 1000;

  /** As the thesis does it: one attribute name, so all ranges are hashed alike. */
  public static ThesisSimulation oneInstance(RangePlan plan, RangeHolder holder, long instance) {
    return run(plan, holder, instance, 0);
  }

  /** The same procedure with hash functions of its own for every range (errata R16). */
  public static ThesisSimulation reseeded(RangePlan plan, RangeHolder holder) {
    return run(plan, holder, 0, 1);
  }

  private static ThesisSimulation run(
      RangePlan plan, RangeHolder holder, long firstInstance, long step) {
    SplittableRandom random = new SplittableRandom(plan.range());
    int ranges = NUMBERS / NUMBERS_PER_RANGE;
    long[] passed = new long[ranges];
    long[] outside = new long[ranges];
    for (int i = 0; i < ranges; i++) {
      long start = random.nextLong(plan.domain() - plan.range() + 1);
      LongPredicate filter = holder.hold(firstInstance + i * step, start, start + plan.range() - 1);
      for (int j = 0; j < NUMBERS_PER_RANGE; j++) {
        long number = random.nextLong(plan.domain());
        if (number < start || number >= start + plan.range()) {
          outside[i]++;
          passed[i] += filter.test(number) ? 1 : 0;
        }
      }
    }
    return of(passed, outside);
  }

  private static ThesisSimulation of(long[] passed, long[] outside) {
    long allPassed = Arrays.stream(passed).sum();
    long all = Arrays.stream(outside).sum();
    double rate = (double) allPassed / all;
    double squares = 0;
    for (int i = 0; i < passed.length; i++) {
      double difference = passed[i] - rate * outside[i];
      squares += difference * difference;
    }
    return new ThesisSimulation(allPassed, all - allPassed, Math.sqrt(squares) / all);
  }

  /** Writes the rate and its interval, at least the binomial one, into a result. */
  Result.Builder into(Result.Builder result) {
    BinomialInterval least =
        BinomialInterval.of(falsePositives, falsePositives + trueNegatives, Result.ALPHA);
    return result.measured(
        rate(),
        Math.min(least.low(), Math.max(0, rate() - ERRORS * standardError)),
        Math.max(least.high(), rate() + ERRORS * standardError),
        Result.ALPHA);
  }

  /**
   * The rate of one instance over every range and every number outside of it, by asking them all:
   * what section 4.3 calls emulation.
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

  /** The false positive rate that the algorithm returns. */
  public double rate() {
    return (double) falsePositives / (falsePositives + trueNegatives);
  }
}
