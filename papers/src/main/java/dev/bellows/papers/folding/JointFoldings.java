package dev.bellows.papers.folding;

import dev.bellows.BloomFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.JointRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Two foldings of one filter queried together (Folding paper, Section IV-C; see erratum F15). */
final class JointFoldings extends Item {
  private static final long CAPACITY = 55_440;
  private static final int HASHES = 4;
  private static final long FIRST = 2520;
  private static final long[] SECONDS = {
    1155, 880, 1232, 1584, 2640, 1848, 1980, 2310, 2772, 3080, 3960, 5544, 3696, 5040
  };

  JointFoldings() {
    super(
        "000/joint",
        "Section IV-C: two foldings of one filter, queried together",
        """
        The Folding paper says that changing the folding with each transmission reduces the false
        positives of a receiver that combines several of them. How much depends on the greatest
        common divisor of the two sizes (F15): if it is small, an absent key passes both at nearly
        the product of the two rates; if one size divides the other, at the rate of the larger one
        alone. Here 2520 bits are paired with other foldings of 55440 bits (400 keys, k = 4), by
        formula and measured on real foldings. The unfolded filter is always better than any pair.\
        """);
  }

  @Override
  protected void fill() {
    columns("bits, other, gcd, joint, product, measured, low, high");
    Chart chart =
        chart(
            "Joint rate of two foldings over the product of their rates, by gcd",
            "Foldings to 2520 bits and another size, queried together",
            Axis.log("greatest common divisor of the two sizes").between(30, 3000),
            Axis.log("joint rate / product of rates").between(0.8, 30));
    Points ratio = chart.curve("formula", 0);
    Points measured = chart.points("measured", 1);
    pairs(ratio, measured);
    smallFilters();
    number("unfolded", "rate of the unfolded filter, below every pair of foldings")
        .formula(BloomRates.fpp(CAPACITY, 400, HASHES))
        .erratum("F15");
  }

  private void pairs(Points ratio, Points measured) {
    long keys = 400;
    long queries = 100;
    int filters = 4000;
    long[] passed = new long[SECONDS.length];
    for (int trial = 0; trial < filters; trial++) {
      BloomFilter filter = Simulation.filter(CAPACITY, HASHES, keys, trial);
      BloomFilter first = filter.foldTo(FIRST);
      for (int i = 0; i < SECONDS.length; i++) {
        passed[i] += passed(first, filter.foldTo(SECONDS[i]), queries);
      }
    }
    IntStream.range(0, SECONDS.length)
        .boxed()
        .sorted(Comparator.comparingLong(i -> Divisors.gcd(FIRST, SECONDS[i])))
        .forEach(
            i -> {
              Measured rate = Measured.of(passed[i], filters * queries);
              pair(FIRST, SECONDS[i], keys, rate);
              double product = product(FIRST, SECONDS[i], keys);
              long gcd = Divisors.gcd(FIRST, SECONDS[i]);
              ratio.add(
                  gcd, JointRates.fpp(new long[] {FIRST, SECONDS[i]}, keys, HASHES) / product);
              measured.add(gcd, rate.dividedBy(product));
            });
  }

  /** Small filters, where foldings say less: one absent key for each. */
  private void smallFilters() {
    long keys = 40;
    int filters = 40_000;
    long[][] pairs = {{120, 168}, {84, 60}, {120, 60}};
    for (long[] pair : pairs) {
      long passed = 0;
      for (int trial = 0; trial < filters; trial++) {
        BloomFilter filter = Simulation.filter(840, HASHES, keys, trial);
        passed += passed(filter.foldTo(pair[0]), filter.foldTo(pair[1]), 1);
      }
      pair(pair[0], pair[1], keys, Measured.of(passed, filters));
    }
  }

  private static long passed(BloomFilter one, BloomFilter other, long queries) {
    return Simulation.passed(FoldedFilters.of(one).with(other)::mightContain, queries);
  }

  private void pair(long one, long other, long keys, Measured measured) {
    long gcd = Divisors.gcd(one, other);
    double joint = JointRates.fpp(new long[] {one, other}, keys, HASHES);
    number("keys=%d/%d-and-%d".formatted(keys, one, other), "joint rate, gcd " + gcd)
        .formula(joint)
        .measured(measured)
        .erratum("F15");
    row(one, other, gcd, joint, product(one, other, keys), measured);
  }

  private static double product(long one, long other, long keys) {
    return BloomRates.fppClassic(one, keys, HASHES) * BloomRates.fppClassic(other, keys, HASHES);
  }
}
