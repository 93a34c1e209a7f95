package dev.bellows.papers.folding;

import dev.bellows.BloomFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.numbers.Divisors;
import dev.bellows.internal.rates.BloomRates;
import dev.bellows.internal.rates.JointRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Two foldings of one filter asked together (000 section IV-C, made precise: errata F15). */
final class JointFoldings implements Item {
  private static final long CAPACITY = 55_440;
  private static final int HASHES = 4;
  private static final long FIRST = 2520;
  private static final long[] SECONDS = {
    1155, 880, 1232, 1584, 2640, 1848, 1980, 2310, 2772, 3080, 3960, 5544, 3696, 5040
  };

  @Override
  public String id() {
    return "000/joint";
  }

  @Override
  public String title() {
    return "Section IV-C: two foldings of one filter, asked together";
  }

  @Override
  public String paragraph() {
    return "The document says that changing the folding with each transmission reduces false positives for"
        + " who aggregates several. How much depends on the greatest common divisor of the two sizes"
        + " (F15): an absent key passes both at nearly the product of the rates if it is small, and at"
        + " the rate of the larger alone if one size divides the other. Here 2520 bits are paired"
        + " with other foldings of 55440 bits (400 keys, k = 4), by formula and measured on real"
        + " foldings. The unfolded filter is always better than any pair.";
  }

  @Override
  public Outcome compute() {
    Outcome outcome =
        new Outcome()
            .columns("bits", "other", "gcd", "joint", "product", "measured", "low", "high");
    Points ratio = new Points();
    Points measured = new Points();
    pairs(outcome, ratio, measured);
    smallFilters(outcome);
    outcome.add(
        Result.of(id() + "/unfolded", "rate of the unfolded filter, below every pair of foldings")
            .formula(BloomRates.fpp(CAPACITY, 400, HASHES))
            .erratum("F15")
            .build());
    return outcome.picture(
        "Joint rate of two foldings over the product of their rates, by gcd",
        Chart.of(
                "Foldings to 2520 bits and another size, asked together",
                Axis.log("greatest common divisor of the two sizes").between(30, 3000),
                Axis.log("joint rate / product of rates").between(0.8, 30))
            .curve("formula", 0, ratio)
            .points("measured", 1, measured)
            .toSvg());
  }

  private void pairs(Outcome outcome, Points ratio, Points measured) {
    long keys = 400;
    long asked = 100;
    int filters = 4000;
    long[] passed = new long[SECONDS.length];
    for (int trial = 0; trial < filters; trial++) {
      BloomFilter filter = filter(CAPACITY, keys, trial);
      BloomFilter first = filter.foldTo(FIRST);
      for (int i = 0; i < SECONDS.length; i++) {
        passed[i] += passed(first, filter.foldTo(SECONDS[i]), asked);
      }
    }
    IntStream.range(0, SECONDS.length)
        .boxed()
        .sorted(Comparator.comparingLong(i -> Divisors.gcd(FIRST, SECONDS[i])))
        .forEach(
            i -> {
              Result result = result(outcome, FIRST, SECONDS[i], keys, passed[i], filters * asked);
              double product = product(FIRST, SECONDS[i], keys);
              long gcd = Divisors.gcd(FIRST, SECONDS[i]);
              ratio.add(gcd, result.formula() / product);
              measured.add(
                  gcd,
                  result.measured() / product,
                  result.low() / product,
                  result.high() / product);
            });
  }

  /** Small filters, where foldings say less: one absent key for each. */
  private void smallFilters(Outcome outcome) {
    long keys = 40;
    int filters = 40_000;
    long[][] pairs = {{120, 168}, {84, 60}, {120, 60}};
    for (long[] pair : pairs) {
      long passed = 0;
      for (int trial = 0; trial < filters; trial++) {
        BloomFilter filter = filter(840, keys, trial);
        passed += passed(filter.foldTo(pair[0]), filter.foldTo(pair[1]), 1);
      }
      result(outcome, pair[0], pair[1], keys, passed, filters);
    }
  }

  private static BloomFilter filter(long bits, long keys, int trial) {
    BloomFilter filter =
        BloomFilter.builder()
            .bits(bits)
            .hashes(HASHES)
            .layout(Layout.CLASSIC)
            .hashScheme(HashScheme.xxh3(trial))
            .id(1)
            .build();
    for (long key = 0; key < keys; key++) {
      filter.put(key);
    }
    return filter;
  }

  private static long passed(BloomFilter one, BloomFilter other, long asked) {
    FoldedFilters both = FoldedFilters.of(one).with(other);
    long passed = 0;
    for (long key = 1; key <= asked; key++) {
      passed += both.mightContain(-key) ? 1 : 0;
    }
    return passed;
  }

  private Result result(Outcome outcome, long one, long other, long keys, long passed, long asked) {
    long gcd = Divisors.gcd(one, other);
    Result result =
        Result.of(
                "%s/keys=%d/%d-and-%d".formatted(id(), keys, one, other), "joint rate, gcd " + gcd)
            .formula(JointRates.fpp(one, other, keys, HASHES))
            .measured(passed, asked)
            .erratum("F15")
            .build();
    outcome.add(result);
    outcome.row(
        one,
        other,
        gcd,
        result.formula(),
        product(one, other, keys),
        result.measured(),
        result.low(),
        result.high());
    return result;
  }

  private static double product(long one, long other, long keys) {
    return BloomRates.fppClassic(one, keys, HASHES) * BloomRates.fppClassic(other, keys, HASHES);
  }
}
