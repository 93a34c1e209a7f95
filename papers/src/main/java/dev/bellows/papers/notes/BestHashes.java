package dev.bellows.papers.notes;

import dev.bellows.internal.rates.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;

/** The best number of hash functions, k = (bits / keys) ln 2, made whole. */
final class BestHashes implements Item {
  private static final int KEYS = 5000;
  private static final int MOST = 16;

  @Override
  public String id() {
    return "001/best-k";
  }

  @Override
  public String title() {
    return "The best number of hash functions";
  }

  @Override
  public String paragraph() {
    return "The notes give k = (bits / keys) ln 2, which is no whole number. Of the two whole ones beside it"
        + " the better is taken by comparing their rates: 6 for 8 bits per key, with 2.158 % against"
        + " 2.168 % for 5 (N3). Rounding is not always right: for 1000 bits and 475 keys it says 1, and"
        + " 2 is better (C4). The curves are flat around their lowest point, so that one hash more"
        + " or less costs little.";
  }

  @Override
  public Outcome compute() {
    Outcome outcome =
        new Outcome().columns("bitsPerKey", "k", "formula", "measured", "low", "high");
    Chart chart =
        Chart.of(
            "Rate by the number of hash functions",
            Axis.linear("hash functions, k").between(0, MOST + 1),
            Axis.log("error rate").between(1e-4, 1));
    int colour = 0;
    Points lowest = new Points();
    Points measured = new Points();
    for (int bitsPerKey : new int[] {4, 8, 12, 16}) {
      long bits = (long) bitsPerKey * KEYS;
      Points curve = new Points();
      for (int hashes = 1; hashes <= MOST; hashes++) {
        double rate = BloomRates.fpp(bits, KEYS, hashes);
        curve.add(hashes, rate);
        if (hashes % 3 == 1 || hashes == BloomRates.bestHashes(bits, KEYS)) {
          Simulation simulation = Simulation.bloom(bits, hashes, KEYS, 8, 10_000);
          Result result =
              Result.of(
                      "%s/bits-per-key=%d/k=%d".formatted(id(), bitsPerKey, hashes),
                      "rate with %d hashes".formatted(hashes))
                  .formula(rate)
                  .measured(simulation.passed(), simulation.asked())
                  .build();
          outcome.add(result);
          outcome.row(bitsPerKey, hashes, rate, result.measured(), result.low(), result.high());
          measured.add(hashes, result.measured(), result.low(), result.high());
        }
      }
      chart.curve(bitsPerKey + " bits per key", colour++, curve);
      int best = BloomRates.bestHashes(bits, KEYS);
      lowest.add(best, BloomRates.fpp(bits, KEYS, best));
    }
    whole(outcome, 8, 1);
    whole(outcome, 1000, 475);
    rounded(outcome);
    return outcome.picture(
        "Rate over the number of hash functions for 4, 8, 12 and 16 bits per key",
        chart.points("measured", 4, measured).marks("best whole k", 6, lowest).toSvg());
  }

  private void whole(Outcome outcome, long bits, long keys) {
    String place = "%s/bits=%d/keys=%d".formatted(id(), bits, keys);
    outcome.add(
        Result.of(place + "/real", "(bits / keys) ln 2")
            .printed(Math.log(2) * bits / keys, 1e-12)
            .formula(BloomRates.optimalHashes(bits, keys))
            .build());
    outcome.add(
        Result.of(place + "/whole", "best whole number of hashes; counted: by trying them all")
            .formula(BloomRates.bestHashes(bits, keys))
            .counted(bestOfAll(bits, keys))
            .erratum("C4")
            .build());
  }

  private void rounded(Outcome outcome) {
    outcome.add(
        Result.of(id() + "/bits-per-key=8/k=5/rate", "rate of 8 bits per key with 5 hashes")
            .formula(BloomRates.fpp(8000, 1000, 5))
            .erratum("N3")
            .build());
    outcome.add(
        Result.of(id() + "/bits-per-key=8/k=6/rate", "rate of 8 bits per key with 6 hashes")
            .formula(BloomRates.fpp(8000, 1000, 6))
            .erratum("N3")
            .build());
    outcome.add(
        Result.of(id() + "/rounded", "best k for 1000 bits and 475 keys; printed: k rounded")
            .printed(Math.rint(BloomRates.optimalHashes(1000, 475)), 0)
            .formula(BloomRates.bestHashes(1000, 475))
            .erratum("C4")
            .build());
  }

  private static int bestOfAll(long bits, long keys) {
    int best = 1;
    for (int hashes = 2; hashes <= MOST; hashes++) {
      if (BloomRates.fpp(bits, keys, hashes) < BloomRates.fpp(bits, keys, best)) {
        best = hashes;
      }
    }
    return best;
  }
}
