package dev.bellows.papers.range;

import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.RangePlan;

/** The attributes of Table 4-2 with ranges of a tenth of the largest up to the largest. */
final class GrowingAttributes {
  /** The steps from the smallest ranges to the largest. */
  static final int STEPS = 10;

  private static final int TEXTS = SystemAttributes.TEXTS.size();

  private GrowingAttributes() {}

  private static Profile profile(int step) {
    return Profile.of(
        SystemAttributes.BITS,
        TEXTS,
        SystemAttributes.NUMBERS.stream()
            .map(a -> RangeAttribute.of(a.name(), a.domain(), a.range() * step / STEPS))
            .toList());
  }

  /** All elements put: the numbers of the ranges and the strings. */
  static long elements(int step) {
    return TEXTS + profile(step).attributes().stream().mapToLong(RangeAttribute::range).sum();
  }

  /** The best shapes with so many hash functions. */
  static ProfilePlan plan(int step, int hashes) {
    return ProfilePlan.best(profile(step), RangePlan.Scheme.DIVISION_OVERLAPPING, hashes);
  }

  /** The average rate that a simulation converges to. */
  static double exact(ProfilePlan plan) {
    double sum = TEXTS * ExactRangeRates.stringFpp(plan);
    for (int i = 0; i < plan.attributes().size(); i++) {
      sum += ExactRangeRates.attributeFpp(plan, i);
    }
    return sum / (TEXTS + plan.attributes().size());
  }
}
