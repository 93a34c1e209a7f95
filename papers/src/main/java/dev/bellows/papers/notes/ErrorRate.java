package dev.bellows.papers.notes;

import dev.bellows.internal.rates.BinomialInterval;
import dev.bellows.internal.rates.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;

/** The error rate of the standard filter by bits per key, with the best whole number of hashes. */
public final class ErrorRate implements Item {
  private static final int KEYS = 10_000;
  private static final int LEAST = 2;
  private static final int MOST = 20;

  @Override
  public String id() {
    return "001/error-rate";
  }

  @Override
  public String title() {
    return "Error rate by bits per key";
  }

  @Override
  public String paragraph() {
    return "The notes ask for a decently sized filter, \"n = 8 or higher\", which means 8 bits per key"
        + " (N1). The curve is (1 - e^(-k phi/n))^k with the best whole k for each number of bits per"
        + " key; the points are filters of ten thousand keys, each hashed anew. Eight bits per key"
        + " let about 2 % of absent keys pass, every further 4.8 bits divide the rate by ten.";
  }

  @Override
  public Outcome compute() {
    int sizes = MOST - LEAST + 1;
    double[] bitsPerKey = new double[sizes];
    double[] formula = new double[sizes];
    double[] measured = new double[sizes];
    double[] low = new double[sizes];
    double[] high = new double[sizes];
    Outcome outcome =
        new Outcome().columns("bitsPerKey", "hashes", "formula", "measured", "low", "high");
    for (int i = 0; i < sizes; i++) {
      long bits = (long) (LEAST + i) * KEYS;
      int hashes = BloomRates.bestHashes(bits, KEYS);
      bitsPerKey[i] = LEAST + i;
      formula[i] = BloomRates.fpp(bits, KEYS, hashes);
      Simulation simulation = Simulation.bloom(bits, hashes, KEYS, 10, 20_000);
      measured[i] = simulation.rate();
      BinomialInterval interval =
          BinomialInterval.of(simulation.passed(), simulation.asked(), Result.ALPHA);
      low[i] = interval.low();
      high[i] = interval.high();
      outcome.row(LEAST + i, hashes, formula[i], measured[i], low[i], high[i]);
      outcome.add(
          Result.of(id() + "/bits-per-key=" + (LEAST + i), "rate with " + hashes + " hashes")
              .formula(formula[i])
              .measured(simulation.passed(), simulation.asked())
              .build());
    }
    return outcome.picture(
        "Error rate over bits per key, formula and measured",
        Chart.of(
                "Error rate of the standard filter, best k",
                Axis.linear("bits per key"),
                Axis.log("error rate"))
            .curve("formula", 0, bitsPerKey, formula)
            .points("measured", 1, bitsPerKey, measured, low, high)
            .toSvg());
  }
}
