package dev.bellows.papers.range;

import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.RangePlan.Scheme;
import java.util.List;
import java.util.Locale;

/**
 * The system defined attributes of Table 4-2, with the ranges of Tables 4-3 and 4-4, and with
 * ranges that grow in steps up to these.
 */
final class SystemAttributes {
  static final int BITS = 512;
  static final int TEXT_LENGTH = 20;

  static final List<String> TEXTS =
      List.of("Name", "Nick Name", "University", "Hobby", "Professional");

  static final RangeAttribute AGE = RangeAttribute.of("Age", 120, 10);
  static final RangeAttribute YEAR = RangeAttribute.of("Year", 201, 20);
  static final RangeAttribute INCOME = RangeAttribute.of("Income", 5_000_001, 500_000);
  static final RangeAttribute LONGITUDE = RangeAttribute.of("Longitude", 3_600_001, 100);
  static final RangeAttribute LATITUDE = RangeAttribute.of("Latitude", 1_800_001, 100);

  static final List<RangeAttribute> NUMBERS = List.of(AGE, YEAR, INCOME, LONGITUDE, LATITUDE);

  static final Profile PROFILE = Profile.of(BITS, TEXTS.size(), NUMBERS);

  /** The steps from ranges of a tenth of the largest up to the largest. */
  static final int STEPS = 10;

  private SystemAttributes() {}

  /** Returns the name of an attribute in ids. */
  static String place(String name) {
    return name.toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  private static Profile profile(int step) {
    return Profile.of(
        BITS,
        TEXTS.size(),
        NUMBERS.stream()
            .map(a -> RangeAttribute.of(a.name(), a.domain(), a.range() * step / STEPS))
            .toList());
  }

  /** Returns all elements put: the numbers of the ranges and the strings. */
  static long elements(int step) {
    return TEXTS.size()
        + profile(step).attributes().stream().mapToLong(RangeAttribute::range).sum();
  }

  /** Returns the best shapes with a number of hash functions. */
  static ProfilePlan plan(int step, int hashes) {
    return ProfilePlan.best(profile(step), Scheme.DIVISION_OVERLAPPING, hashes);
  }

  /** Returns the average rate, by the profile's weights, that a simulation converges to. */
  static double exact(ProfilePlan plan) {
    Profile profile = plan.profile();
    double sum = profile.strings() * profile.stringWeight() * ExactRangeRates.stringFpp(plan);
    for (int i = 0; i < plan.attributes().size(); i++) {
      sum += profile.attributes().get(i).weight() * ExactRangeRates.attributeFpp(plan, i);
    }
    return sum / profile.totalWeight();
  }
}
