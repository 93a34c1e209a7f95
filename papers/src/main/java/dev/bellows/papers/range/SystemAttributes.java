package dev.bellows.papers.range;

import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import java.util.List;

/** The system defined attributes of Table 4-2, with the ranges of Tables 4-3 and 4-4. */
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

  private SystemAttributes() {}
}
