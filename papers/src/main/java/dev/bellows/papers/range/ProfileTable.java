package dev.bellows.papers.range;

import dev.bellows.internal.rates.RangeRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.plan.ProfilePlan;
import dev.bellows.plan.ProfilePlan.AttributePlan;
import dev.bellows.plan.ProfilePlan.RangeAttribute;
import dev.bellows.plan.RangeScheme;
import java.util.Locale;
import java.util.Set;

/**
 * Tables 4-3 and 4-4: five texts and five ranges in one filter, with 8 and with 15 hashes.
 *
 * @param number of the table
 * @param hashes positions of every attribute
 * @param printed the cells of the numeric attributes
 * @param textRate the printed rate of a text
 * @param totalBits the printed total of bits
 * @param average the printed average rate
 * @param wrong the cells besides the rates that are misprinted
 * @param story what came of the shapes and bits
 */
record ProfileTable(
    String number,
    int hashes,
    String printed,
    String textRate,
    String totalBits,
    String average,
    Set<String> wrong,
    String story)
    implements Item {
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
        "The divide of Income has two digits swapped, its bits and those of Year are misprinted.");
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
        "All shapes and all bits come out as printed.");
  }

  @Override
  public String id() {
    return "003/table-" + number;
  }

  @Override
  public String title() {
    return "Table %s: five texts and five ranges in one filter, k = %d".formatted(number, hashes);
  }

  @Override
  public String paragraph() {
    return "The profile of Table 4-2 stands in a filter of 512 bits; the table gives the divides and"
        + " shifts with the least average rate. "
        + story
        + " Total, average and the rates of texts are right. The printed rates of Age, Year and"
        + " Income are Equation 3-15 without its first term, the numbers that share nothing with the"
        + " range; those of Longitude and Latitude fit neither reading, and average and simulation ask for the"
        + " full ones (R15). Measured are 200,000 filters, each with texts, ranges and hash functions"
        + " of its own; rows called exact have the mean without approximations.";
  }

  @Override
  public boolean fast() {
    return false;
  }

  @Override
  public Outcome compute() {
    ProfilePlan plan =
        ProfilePlan.best(SystemAttributes.PROFILE, RangeScheme.DIVISION_OVERLAPPING, hashes);
    ProfileSimulation simulation = ProfileSimulation.of(plan, FILTERS);
    double exactText = ExactRangeRates.stringFpp(plan);
    double exactSum = SystemAttributes.TEXTS.size() * exactText;
    Outcome outcome = new Outcome();
    String[] lines = printed.lines().toArray(String[]::new);
    for (int i = 0; i < lines.length; i++) {
      double exact = ExactRangeRates.attributeFpp(plan, i);
      exactSum += exact;
      attribute(outcome, plan, i, lines[i].split(" +"), exact, simulation.attributes().get(i));
    }
    for (String name : SystemAttributes.TEXTS) {
      text(outcome, place(name), plan, simulation.text());
    }
    outcome.add(
        simulation
            .text()
            .into(Result.of(id() + "/texts/exact", "rate of a text, without approximations"))
            .formula(exactText)
            .build());
    total(outcome, plan, exactSum / 10, simulation.average());
    return outcome;
  }

  private String place(String name) {
    return id() + "/" + name.toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  private void attribute(
      Outcome outcome,
      ProfilePlan plan,
      int index,
      String[] cells,
      double exact,
      RangeSimulation measured) {
    AttributePlan attribute = plan.attributes().get(index);
    String place = place(attribute.name());
    outcome
        .add(
            Printed.count(place + "/n", "numbers in the range", cells[0])
                .formula(attribute.attribute().range())
                .build())
        .add(
            corrected(Printed.count(place + "/d", "best divide", cells[1]), place + "/d")
                .formula(attribute.divide())
                .build())
        .add(Printed.count(place + "/s", "best shift", cells[2]).formula(attribute.shift()).build())
        .add(
            corrected(Printed.bits(place + "/bits", "bits inserted", cells[3]), place + "/bits")
                .formula(attribute.insertionBits())
                .build())
        .add(
            measured
                .into(Result.of(place, "rate of " + attribute.name()))
                .printed(cells[4])
                .formula(attribute.fpp())
                .erratum("R15")
                .build())
        .add(
            Result.of(place + "/without-native", "rate without the numbers that share nothing")
                .printed(cells[4])
                .formula(attribute.fpp() - nativeTerm(plan, attribute))
                .erratum("R15")
                .build())
        .add(
            measured
                .into(Result.of(place + "/exact", "rate without approximations"))
                .formula(exact)
                .build());
  }

  private Result.Builder corrected(Result.Builder result, String place) {
    return result.erratum(wrong.contains(place.substring(id().length() + 1)) ? "R15" : null);
  }

  /** The first term of Equation 3-15. */
  private static double nativeTerm(ProfilePlan plan, AttributePlan shape) {
    RangeAttribute attribute = shape.attribute();
    double numbers =
        RangeRates.nativeNumbers(
            shape.hashes(), attribute.domain(), attribute.range(), shape.divide(), shape.shift());
    return numbers / (attribute.domain() - attribute.range()) * plan.stringFpp();
  }

  private void text(Outcome outcome, String place, ProfilePlan plan, RangeSimulation measured) {
    outcome
        .add(
            Printed.count(place + "/bits", "bits inserted", Integer.toString(hashes))
                .formula(plan.hashes())
                .build())
        .add(
            measured
                .into(Result.of(place, "rate of a text"))
                .printed(textRate)
                .formula(plan.stringFpp())
                .build());
  }

  private void total(Outcome outcome, ProfilePlan plan, double exact, RangeSimulation measured) {
    long elements =
        SystemAttributes.TEXTS.size()
            + SystemAttributes.NUMBERS.stream().mapToLong(RangeAttribute::range).sum();
    outcome
        .add(
            Printed.count(id() + "/total/n", "elements in all", "500235").formula(elements).build())
        .add(
            Result.of(id() + "/total/bits", "bits inserted in all")
                .printed(totalBits)
                .formula(plan.totalBits())
                .build())
        .add(
            measured
                .into(Result.of(id() + "/total", "average rate of the ten attributes"))
                .printed(average)
                .formula(plan.averageFpp())
                .build())
        .add(
            measured
                .into(Result.of(id() + "/total/exact", "average without approximations"))
                .formula(exact)
                .build());
  }
}
