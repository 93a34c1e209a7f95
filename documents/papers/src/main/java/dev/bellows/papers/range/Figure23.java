package dev.bellows.papers.range;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;

/** The rate of a plain filter by the number of hash functions. */
final class Figure23 extends Figure {
  private static final int BITS = 512;
  private static final int KEYS = 44;

  Figure23() {
    super(
        "2-3",
        "the false positive rate by the number of hash functions",
        """
        A filter of 512 bits with 44 elements is queried with 4 to 13 hash functions. The curve is
        Eq. 2-2; the points are ten thousand filters, each with its own hash functions. The best k
        is 8, as the Range thesis finds and as (m/n) ln 2 predicts. The measured rates lie slightly
        above the curve, because Eq. 2-2 treats the probed bits as independent (C1); they are
        compared with the exact mean.\
        """);
  }

  @Override
  protected void fill() {
    Chart chart =
        chart(
            "Rate over the number of hash functions, lowest at 8",
            "512 bits, 44 elements",
            Axis.linear("number of hash functions k").between(3, 14),
            Axis.linear("false positive rate").between(0, 0.01));
    Points formula = chart.curve("Eq. 2-2", 0);
    Points measured = chart.points("measured", 1);
    chart.marks("document: best k = 8, (1/2)⁸", 4).add(8, Math.pow(0.5, 8));
    columns("k, Eq. 2-2, exact, measured, low, high");
    for (int hashes = 4; hashes <= 13; hashes++) {
      double rate = BloomRates.fpp(BITS, KEYS, hashes);
      double exact = BloomRates.fppExact(BITS, KEYS, hashes);
      Measured simulation = Simulation.bloom(BITS, hashes, KEYS, 10_000, 50);
      formula.add(hashes, rate);
      measured.add(hashes, simulation);
      row(hashes, rate, exact, simulation);
      number("k=" + hashes, "exact mean rate").formula(exact).measured(simulation);
    }
    number("best-k", "k with the lowest rate").printed(8, 0).formula(formula.lowestX());
    number("optimal-k", "(m/n) ln 2, Eq. 2-3")
        .printed(8, 0.5)
        .formula(BloomRates.optimalHashes(BITS, KEYS));
    number("rate-at-optimum", "(1/2)^8, near the rate at the optimum")
        .printed("0.004")
        .formula(Math.pow(0.5, 8));
  }
}
