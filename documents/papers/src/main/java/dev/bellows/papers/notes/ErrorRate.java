package dev.bellows.papers.notes;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;

/** The error rate of the standard filter by bits per key, with the best whole number of hashes. */
public final class ErrorRate extends Item {
  private static final int KEYS = 10_000;
  private static final int LEAST = 2;
  private static final int MOST = 20;

  ErrorRate() {
    super(
        "001/error-rate",
        "Error rate by bits per key",
        """
        The Standard notes recommend a filter with "n = 8 or higher", which means 8 bits per key
        (N1). The curve is (1 - e^(-k phi/n))^k with the best integer k for each number of bits per
        key; the points are filters of ten thousand keys, each with its own hash functions, and
        enough queries that hundreds of absent keys pass. With eight bits per key about 2 % of
        absent keys pass; every further 4.8 bits divide the rate by ten.\
        """);
  }

  /** Returns enough absent keys per filter that hundreds of them pass ten filters. */
  static long absentKeys(double rate) {
    return Math.max(20_000, Math.round(40 / rate));
  }

  @Override
  protected void fill() {
    Chart chart =
        chart(
            "Error rate over bits per key, formula and measured",
            "Error rate of the standard filter, best k",
            Axis.linear("bits per key"),
            Axis.log("error rate"));
    Points formula = chart.curve("formula", 0);
    Points measured = chart.points("measured", 1);
    columns("bitsPerKey, hashes, formula, measured, low, high");
    for (int bitsPerKey = LEAST; bitsPerKey <= MOST; bitsPerKey++) {
      long bits = (long) bitsPerKey * KEYS;
      int hashes = BloomRates.bestHashes(bits, KEYS);
      double rate = BloomRates.fpp(bits, KEYS, hashes);
      Measured simulation = Simulation.bloom(bits, hashes, KEYS, 10, absentKeys(rate));
      formula.add(bitsPerKey, rate);
      measured.add(bitsPerKey, simulation);
      row(bitsPerKey, hashes, rate, simulation);
      number("bits-per-key=" + bitsPerKey, "rate with k = " + hashes)
          .formula(rate)
          .measured(simulation);
    }
  }
}
