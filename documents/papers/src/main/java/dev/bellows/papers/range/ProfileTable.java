package dev.bellows.papers.range;

import dev.bellows.internal.range.HashOffset;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Result;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.AttributePlan;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import java.util.Set;

/** Tables 4-3 and 4-4: five texts and five ranges in one filter, with 8 and with 15 hashes. */
final class ProfileTable extends Item {
  private static final int FILTERS = 200_000;

  /** Numbers of the range, divide, shift, bits, rate of the five attributes: as printed. */
  private static final String PRINTED_8 =
      """
      10     1    3 35    6.51E-4
      20     1    2 43    0.00131
      500000 9315 1 62.78 0.00399
      100    100  1 8.99  9.63E-5
      100    81   1 9.22  1.2E-4
      """;

  private static final String PRINTED_15 =
      """
      10     1    6 69     3.88E-4
      20     1    4 91     9.08E-4
      500000 5129 1 112.48 0.00365
      100    65   1 16.52  8.14E-5
      100    46   1 17.15  9.73E-5
      """;

  private final int hashes;
  private final String printed;
  private final String textRate;
  private final String totalBits;
  private final String average;
  private final Set<String> wrong;

  /**
   * Returns a table.
   *
   * @param number of the table
   * @param hashes positions of every attribute
   * @param printed the cells of the numeric attributes
   * @param textRate the printed rate of a text
   * @param totalBits the printed total of bits
   * @param average the printed average rate
   * @param wrong the misprinted cells, apart from the rates
   * @param story the outcome for the shapes and bits
   */
  private ProfileTable(
      String number,
      int hashes,
      String printed,
      String textRate,
      String totalBits,
      String average,
      Set<String> wrong,
      String story) {
    super(
        "003/table-" + number,
        "Table %s: five texts and five ranges in one filter, k = %d".formatted(number, hashes),
        """
        The profile of Table 4-2 is stored in a filter of 512 bits; the table gives the divides and
        shifts with the lowest average rate. %s Total, average and the rates of texts are right.
        The printed rates of Age, Year and Income are Eq. 3-15 without its first term, the numbers
        that share nothing with the range; those of Longitude and Latitude match neither formula;
        the printed average and the simulation require the full rates (R15). The measurements use
        200,000 filters, each with its own texts, ranges and hash functions; the rows called exact
        give the mean without approximations.\
        """
            .formatted(story),
        Pace.SLOW);
    this.hashes = hashes;
    this.printed = printed;
    this.textRate = textRate;
    this.totalBits = totalBits;
    this.average = average;
    this.wrong = wrong;
  }

  /** Table 4-3. */
  static ProfileTable with8Hashes() {
    return new ProfileTable(
        "4-3",
        8,
        PRINTED_8,
        "1.27E-4",
        "201.94",
        "7.35E-4",
        Set.of("year/bits", "income/d", "income/bits"),
        "The divide of Income has two digits swapped; its bits and those of Year are misprinted.");
  }

  /** Table 4-4. */
  static ProfileTable with15Hashes() {
    return new ProfileTable(
        "4-4",
        15,
        PRINTED_15,
        "6.34E-5",
        "381.15",
        "5.72E-4",
        Set.of(),
        "All shapes and all bits are confirmed.");
  }

  @Override
  protected void fill() {
    ProfilePlan plan = SystemAttributes.plan(SystemAttributes.STEPS, hashes);
    ProfileSimulation simulation = ProfileSimulation.of(plan, FILTERS);
    String[] lines = printed.lines().toArray(String[]::new);
    for (int i = 0; i < lines.length; i++) {
      attribute(plan, i, lines[i].split(" +"), simulation.attributes().get(i));
    }
    for (String name : SystemAttributes.TEXTS) {
      number(SystemAttributes.place(name), "rate of a text")
          .measured(simulation.text())
          .printed(textRate)
          .formula(plan.stringFpp());
    }
    number("texts/exact", "rate of a text, without approximations")
        .measured(simulation.text())
        .formula(ExactRangeRates.stringFpp(plan));
    total(plan, simulation.average());
  }

  private void attribute(ProfilePlan plan, int index, String[] cells, Measured measured) {
    AttributePlan attribute = plan.attributes().get(index);
    String place = SystemAttributes.place(attribute.name());
    corrected(number(place + "/d", "best divide").printedExactly(cells[1]), place + "/d")
        .formula(attribute.divide());
    number(place + "/s", "best shift").printedExactly(cells[2]).formula(attribute.shift());
    corrected(number(place + "/bits", "bits inserted").printedExactly(cells[3]), place + "/bits")
        .formula(attribute.insertionBits());
    number(place, "rate of " + attribute.name())
        .measured(measured)
        .printed(cells[4])
        .formula(attribute.fpp())
        .erratum("R15");
    number(place + "/without-native", "rate without the numbers that share nothing")
        .printed(cells[4])
        .formula(attribute.fpp() - nativeTerm(plan, attribute))
        .erratum("R15");
    number(place + "/exact", "rate without approximations")
        .measured(measured)
        .formula(ExactRangeRates.attributeFpp(plan, index));
  }

  private Result.Builder corrected(Result.Builder result, String place) {
    return result.erratum(wrong.contains(place) ? "R15" : null);
  }

  /** Returns the first term of Equation 3-15. */
  private static double nativeTerm(ProfilePlan plan, AttributePlan shape) {
    RangeAttribute attribute = shape.attribute();
    double outside = attribute.domain() - attribute.range();
    int reach = HashOffset.reach(shape.hashes(), shape.shift());
    double unrelated = outside - (shape.divide() - 1.0) - 2.0 * reach * shape.divide();
    return unrelated / outside * plan.stringFpp();
  }

  private void total(ProfilePlan plan, Measured measured) {
    number("total/n", "elements in total")
        .printedExactly("500235")
        .formula(SystemAttributes.elements(SystemAttributes.STEPS));
    number("total/bits", "bits inserted in total").printed(totalBits).formula(plan.totalBits());
    number("total", "average rate of the ten attributes")
        .measured(measured)
        .printed(average)
        .formula(plan.averageFpp());
    number("total/exact", "average without approximations")
        .measured(measured)
        .formula(SystemAttributes.exact(plan));
  }
}
