package dev.bellows.papers.range;

import dev.bellows.plan.RangePlan;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * Algorithm 3-1: a thousand random ranges, a thousand random numbers of the domain for each; of
 * those that are not in the range, how many pass.
 *
 * @param falsePositives numbers outside that passed
 * @param trueNegatives numbers outside that did not
 */
public record ThesisSimulation(long falsePositives, long trueNegatives) {
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
    long falsePositives = 0;
    long trueNegatives = 0;
    long instance = firstInstance;
    for (int i = 0; i < NUMBERS; i += NUMBERS_PER_RANGE, instance += step) {
      long start = random.nextLong(plan.domain() - plan.range() + 1);
      LongPredicate filter = holder.hold(instance, start, start + plan.range() - 1);
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
    }
    return new ThesisSimulation(falsePositives, trueNegatives);
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
