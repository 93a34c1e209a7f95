package dev.bellows.papers.range;

import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.RangePlan;

/** The gain of the best number of hash functions, and what a first minimum misses. */
final class Figure43 extends Figure {
  Figure43() {
    super(
        "4-3",
        "the best number of hash functions by the size of the range",
        """
        The same ranges with k = 8, k = 12 and the best k. The Range thesis increases k until the
        rate no longer falls, and prints the first such k (the marks); for n = 400 this is 13, not
        18 (R15). In five of the ten ranges a larger k, up to the 24 that the thesis can hash, is
        better still (R12, R15); the lowest curve is the search over all of them. The optimum of the
        plain filter that is quoted here has n k = 352 and k = 8, not k = 352 (R9).\
        """);
  }

  @Override
  protected void fill() {
    columns(
        "n, k = 8, k = 12, first k, its rate, best k up to 24, its rate, printed k",
        "printed rate");
    Chart chart =
        chart(
            "Rates for 8, 12 and the best number of hash functions",
            "The best k: up to 1000 of 10000 numbers in 512 bits",
            Axis.linear("numbers in the range n").between(50, 1050),
            Axis.log("false positive rate").between(1e-5, 2e-3));
    Points eight = chart.curve("k = 8", 0);
    Points twelve = chart.curve("k = 12", 1);
    Points optimal = chart.curve("best k up to 24", 2);
    Points printed = chart.marks("Table 4-1, its optimal k", 4);
    int missed = 0;
    int more = 0;
    for (int i = 0; i < 10; i++) {
      int range = 100 * (i + 1);
      OneRange setting = OneRange.THOUSAND.withRange(range);
      RangePlan of8 = setting.withHashes(8).best();
      RangePlan of12 = setting.withHashes(12).best();
      RangePlan first = setting.firstMinimum();
      RangePlan best = setting.bestOfAllHashes();
      boolean isMissed = best.fpp() < first.fpp() * (1 - 1e-9);
      String digits = Table41.printedRate("k=best", i);
      eight.add(range, of8.fpp());
      twelve.add(range, of12.fpp());
      optimal.add(range, best.fpp());
      printed.add(range, Double.parseDouble(digits));
      missed += isMissed ? 1 : 0;
      more +=
          first.insertionBits() > of12.insertionBits() && of12.insertionBits() > of8.insertionBits()
              ? 1
              : 0;
      row(
          range,
          of8.fpp(),
          of12.fpp(),
          first.hashes(),
          first.fpp(),
          best.hashes(),
          best.fpp(),
          Table41.printedHashes(i),
          Double.parseDouble(digits));
      number("n=" + range + "/first-k", "first k after which the rate rises")
          .printed(Table41.printedHashes(i), 0)
          .formula(first.hashes())
          .erratum(i == 3 ? "R15" : null);
      number("n=" + range + "/first-rate", "its rate").printed(digits).formula(first.fpp());
      number(
              "n=" + range + "/best-rate",
              "the printed optimum compared with the lowest rate, at k = " + best.hashes())
          .printed(digits)
          .formula(best.fpp())
          .erratum(isMissed ? "R15" : null);
    }
    number("missed", "of the ten printed optima, those that a larger k up to 24 beats")
        .printed(0, 0)
        .formula(missed)
        .erratum("R12");
    number("more-bits", "of the ten ranges, those where the printed optimum sets the most bits")
        .printed(10, 0)
        .formula(more);
    number("k", "k of the plain filter with m = 512, n = 44")
        .printed(352, 0)
        .formula(352 / 44)
        .erratum("R9");
  }
}
