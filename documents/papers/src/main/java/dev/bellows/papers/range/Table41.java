package dev.bellows.papers.range;

import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.range.RangePlan;
import org.jspecify.annotations.Nullable;

/** Table 4-1: the best divide and shift of one range, with 8, 12 and the best number of hashes. */
public final class Table41 extends Item {
  private static final int FILTERS = 60_000;

  /** Numbers in the range, row, hashes, divide, shift, bits, rate: as printed. */
  private static final String PRINTED =
      """
      100  k=8    8  1 1 107    4.85E-5
      100  k=12   12 1 2 210    2.78E-5
      100  k=best 14 1 2 212    2.65E-5
      200  k=8    8  2 1 107.5  1.99E-4
      200  k=12   12 1 1 211    1.06E-4
      200  k=best 13 1 1 212    1.05E-4
      300  k=8    8  2 1 157.5  2.75E-4
      300  k=12   12 1 1 311    2.51E-4
      300  k=best 18 1 1 317    1.77E-4
      400  k=8    8  3 1 141    4.17E-4
      400  k=12   12 2 1 211.5  3.19E-4
      400  k=best 18 2 1 212.5  3.19E-4
      500  k=8    8  3 1 174.33 5.14E-4
      500  k=12   12 2 1 261    4.02E-4
      500  k=best 15 2 1 264.5  3.91E-4
      600  k=8    8  4 1 157.75 6.5E-4
      600  k=12   12 3 1 211.66 5.41E-4
      600  k=best 17 2 1 316.5  4.72E-4
      700  k=8    8  4 1 182.75 7.56E-4
      700  k=12   12 3 1 245    6.2E-4
      700  k=best 19 2 1 368.5  5.63E-4
      800  k=8    8  5 1 167.8  8.93E-4
      800  k=12   12 3 1 278.33 7.17E-4
      800  k=best 15 3 1 281.33 6.97E-4
      900  k=8    8  5 1 187.8  0.001
      900  k=12   12 3 1 311.66 8.52E-4
      900  k=best 16 3 1 315.66 7.85E-4
      1000 k=8    8  6 1 174.5  0.0011
      1000 k=12   12 4 1 261.75 9.43E-4
      1000 k=best 18 3 1 351    8.82E-4
      """;

  private static final int HASHES = 2;
  private static final int RATE = 6;

  /** Returns the printed rate of a row, for 100, 200 and so on up to 1000 numbers. */
  static String printedRate(String row, int column) {
    return printed(row, column)[RATE];
  }

  /** Returns the printed best number of hashes, for 100, 200 and so on up to 1000 numbers. */
  static int printedHashes(int column) {
    return Integer.parseInt(printed("k=best", column)[HASHES]);
  }

  private static String[] printed(String row, int column) {
    return PRINTED
        .lines()
        .map(line -> line.split(" +"))
        .filter(cells -> cells[1].equals(row))
        .toList()
        .get(column);
  }

  Table41() {
    super(
        "003/table-4-1",
        "Table 4-1: the best divide and shift of one range, for k = 8, 12 and the best k",
        """
        A range of n numbers out of 10,000 is stored in a filter of 512 bits; the table gives the
        best divide d and shift s, the bits they insert and the rate. All shapes and rates are
        confirmed, truncated and not rounded; one count of bits lost its half, and the best k of n
        = 400 is 13, not 18 (R15). The printed best k is the first after which the rate rises. The
        rows k=global compare all k up to 24: in five of the ten columns a larger k is better. Each
        cell was measured with 60,000 filters, each with its own range and hash functions; the rows
        called exact give the mean without approximations.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    columns(
        "numbers, row, hashes, divide, shift, bits, printed, formula, exact, measured, low",
        "high");
    for (String line : PRINTED.lines().toList()) {
      String[] cells = line.split(" +");
      long range = Long.parseLong(cells[0]);
      OneRange setting = OneRange.THOUSAND.withRange(range);
      boolean best = cells[1].equals("k=best");
      RangePlan plan =
          best
              ? setting.firstMinimum()
              : setting.withHashes(Integer.parseInt(cells[HASHES])).best();
      String place = "n=%d/%s".formatted(range, cells[1]);
      if (best) {
        number(place + "/k", "first k after which the rate rises")
            .printedExactly(cells[2])
            .formula(plan.hashes())
            .erratum(range == 400 ? "R15" : null);
      }
      number(place + "/d", "best divide").printedExactly(cells[3]).formula(plan.divide());
      number(place + "/s", "best shift").printedExactly(cells[4]).formula(plan.shift());
      number(place + "/bits", "bits inserted")
          .printedExactly(cells[5])
          .formula(plan.insertionBits())
          .erratum(cells[5].equals("261") ? "R15" : null);
      rate(place, cells[1], cells[6], plan, null);
      if (best) {
        global(cells, setting.bestOfAllHashes(), plan.hashes());
      }
    }
  }

  private void rate(
      String place, String row, String printed, RangePlan plan, @Nullable String erratum) {
    Measured simulation = RangeSimulation.of(plan, FILTERS);
    double exact = ExactRangeRates.fpp(plan);
    String shape = "k = %d, d = %d, s = %d".formatted(plan.hashes(), plan.divide(), plan.shift());
    number(place, "rate with " + shape)
        .printed(printed)
        .formula(plan.fpp())
        .measured(simulation)
        .erratum(erratum);
    number(place + "/exact", "the same rate, without approximations")
        .measured(simulation)
        .formula(exact);
    row(
        plan.range(),
        row,
        plan.hashes(),
        plan.divide(),
        plan.shift(),
        plan.insertionBits(),
        Double.valueOf(printed),
        plan.fpp(),
        exact,
        simulation);
  }

  /** The best of all hashes that two digests allow, compared with what is printed as the best. */
  private void global(String[] cells, RangePlan plan, int first) {
    boolean further = plan.hashes() != first;
    String place = "n=%d/k=global".formatted(plan.range());
    String erratum = further || plan.range() == 400 ? "R15" : null;
    number(place + "/k", "best k of all up to 24")
        .printedExactly(cells[2])
        .formula(plan.hashes())
        .erratum(erratum);
    if (further) {
      rate(place, "k=global", cells[6], plan, erratum);
    }
  }
}
