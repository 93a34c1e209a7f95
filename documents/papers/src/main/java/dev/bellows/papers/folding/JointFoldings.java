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

/** Two foldings of one filter queried together (Folding paper, Section IV-C; see erratum F15). */
final class JointFoldings extends Item {
  private static final long CAPACITY = 55_440;
  private static final int HASHES = 4;

  /** By their greatest common divisors. */
  private static final long[][] PAIRS = {
    {2520, 880}, {2520, 1232}, {2520, 1584}, {2520, 1155}, {2520, 2640}, {2520, 1848},
    {2520, 3696}, {2520, 1980}, {2520, 2310}, {2520, 2772}, {2520, 3080}, {2520, 3960},
    {2520, 5544}, {2520, 5040}
  };

  /** Foldings of small filters, which say less: one absent key for each. */
  private static final long[][] SMALL = {{120, 168}, {84, 60}, {120, 60}};

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
    pairs(CAPACITY, 400, 4000, 100, PAIRS, ratio, measured);
    pairs(840, 40, 40_000, 1, SMALL, new Points(), new Points());
    number("unfolded", "rate of the unfolded filter, below every pair of foldings")
        .formula(BloomRates.fpp(CAPACITY, 400, HASHES))
        .erratum("F15");
  }

  /** Folds every filter to both sizes of each pair, and queries both with absent keys. */
  private void pairs(
      long capacity,
      long keys,
      int filters,
      long queries,
      long[][] pairs,
      Points ratio,
      Points measured) {
    long[] passed = new long[pairs.length];
    for (int trial = 0; trial < filters; trial++) {
      BloomFilter filter = Simulation.filter(capacity, HASHES, keys, trial);
      for (int i = 0; i < pairs.length; i++) {
        FoldedFilters both =
            FoldedFilters.of(filter.foldTo(pairs[i][0])).with(filter.foldTo(pairs[i][1]));
        passed[i] += Simulation.passed(both::mightContain, queries);
      }
    }
    for (int i = 0; i < pairs.length; i++) {
      long one = pairs[i][0];
      long other = pairs[i][1];
      long gcd = Divisors.gcd(one, other);
      double joint = JointRates.fpp(pairs[i], keys, HASHES);
      double product =
          BloomRates.fppClassic(one, keys, HASHES) * BloomRates.fppClassic(other, keys, HASHES);
      Measured rate = Measured.of(passed[i], filters * queries);
      number("keys=%d/%d-and-%d".formatted(keys, one, other), "joint rate, gcd " + gcd)
          .formula(joint)
          .measured(rate)
          .erratum("F15");
      row(one, other, gcd, joint, product, rate);
      ratio.add(gcd, joint / product);
      measured.add(gcd, rate.dividedBy(product));
    }
  }
}
