package dev.bellows.papers.range;

import dev.bellows.papers.Item;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.AttributePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.RangePlan.Scheme;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Table 4-2: the attributes that Tables 4-3 and 4-4 put into one filter. */
public final class Table42 extends Item {
  /** Ends of the domain, least and greatest range: as printed. */
  private static final String PRINTED =
      """
      1        120     1     10
      1900     2100    2     20
      0        5000000 50000 5000000
      -1800000 1800000 10    100
      -900000  900000  10    100
      """;

  Table42() {
    super(
        "003/table-4-2",
        "Table 4-2: the system defined attributes",
        """
        Five texts of twenty letters and five numbers, each with the ends of its domain and with
        ranges from a minimum to a maximum length. The maximum range of Income is printed with a
        zero too many: all others are ten times the minimum, and the total of 500,235 elements
        confirms 500,000 (R9). A domain includes both its ends (R8): with one number less in the
        last four, the best divide of Income with fifteen hashes would be 5131, not the 5129 of
        Table 4-4. The other values are the setup of Tables 4-3 and 4-4; there is nothing to compare
        them with.\
        """);
  }

  @Override
  protected void fill() {
    columns("attribute, smallest number, largest number, smallest range, largest range");
    String[] lines = PRINTED.lines().toArray(String[]::new);
    for (int i = 0; i < lines.length; i++) {
      attribute(SystemAttributes.NUMBERS.get(i), lines[i].split(" +"));
    }
    income("both-ends", 0, null);
    income("one-end", 1, "R8");
  }

  private void attribute(RangeAttribute attribute, String[] cells) {
    String place = SystemAttributes.place(attribute.name());
    long low = Long.parseLong(cells[0]);
    long greatest = attribute.range();
    row(attribute.name(), low, low + attribute.domain() - 1, greatest / 10, greatest);
    if (attribute.equals(SystemAttributes.INCOME)) {
      number(place + "/greatest", "largest range")
          .printedExactly(cells[3])
          .formula(greatest)
          .erratum("R9");
    }
  }

  /** The best divide of Income in Table 4-4 shows how the domains were counted. */
  private void income(String which, int less, @Nullable String erratum) {
    List<RangeAttribute> numbers =
        SystemAttributes.NUMBERS.stream()
            .map(a -> a.equals(SystemAttributes.AGE) ? a : shortened(a, less))
            .toList();
    ProfilePlan plan =
        ProfilePlan.best(
            Profile.of(SystemAttributes.BITS, SystemAttributes.TEXTS.size(), numbers),
            Scheme.DIVISION_OVERLAPPING,
            15);
    AttributePlan income = plan.attributes().get(2);
    number(
            "income/domain/" + which,
            "best divide of Income, k = 15, if its domain counts %,d numbers"
                .formatted(income.attribute().domain()))
        .printed(5129, 0)
        .formula(income.divide())
        .erratum(erratum);
  }

  private static RangeAttribute shortened(RangeAttribute attribute, int less) {
    return RangeAttribute.of(attribute.name(), attribute.domain() - less, attribute.range());
  }
}
