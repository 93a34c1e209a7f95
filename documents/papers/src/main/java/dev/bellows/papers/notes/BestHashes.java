package dev.bellows.papers.notes;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.Arrays;

/** The best number of hash functions, k = (bits / keys) ln 2, as an integer. */
final class BestHashes extends Item {
  private static final int KEYS = 5000;
  private static final int MOST = 16;

  BestHashes() {
    super(
        "001/best-k",
        "The best number of hash functions",
        """
        The Standard notes give k = (bits / keys) ln 2, which is not an integer. Of the two
        neighboring integers, the library takes the one with the lower rate: 6 for 8 bits per key,
        with 2.158 % against 2.168 % for 5 (N3). Rounding is not always right: for 1000 bits and 475
        keys it gives 1, but 2 is better (C4). The curves are flat around their minimum, so one hash
        more or less costs little.\
        """);
  }

  @Override
  protected void fill() {
    columns("bitsPerKey, k, formula, measured, low, high");
    Chart chart =
        chart(
            "Rate over the number of hash functions for 4, 8, 12 and 16 bits per key",
            "Rate by the number of hash functions",
            Axis.linear("hash functions, k").between(0, MOST + 1),
            Axis.log("error rate").between(1e-4, 1));
    int[] loads = {4, 8, 12, 16};
    Points[] curves = new Points[loads.length];
    Arrays.setAll(curves, i -> chart.curve(loads[i] + " bits per key", i));
    Points measured = chart.points("measured", 4);
    Points lowest = chart.marks("best integer k", 6);
    for (int i = 0; i < loads.length; i++) {
      int bitsPerKey = loads[i];
      long bits = (long) bitsPerKey * KEYS;
      for (int hashes = 1; hashes <= MOST; hashes++) {
        double rate = BloomRates.fpp(bits, KEYS, hashes);
        curves[i].add(hashes, rate);
        if (hashes % 3 == 1 || hashes == BloomRates.bestHashes(bits, KEYS)) {
          Measured simulation = Simulation.bloom(bits, hashes, KEYS, 8, ErrorRate.absentKeys(rate));
          number(
                  "bits-per-key=%d/k=%d".formatted(bitsPerKey, hashes),
                  "rate with k = %d".formatted(hashes))
              .formula(rate)
              .measured(simulation);
          row(bitsPerKey, hashes, rate, simulation);
          measured.add(hashes, simulation);
        }
      }
      int best = BloomRates.bestHashes(bits, KEYS);
      lowest.add(best, BloomRates.fpp(bits, KEYS, best));
    }
    whole(8, 1);
    whole(1000, 475);
    rounded();
  }

  private void whole(long bits, long keys) {
    String place = "bits=%d/keys=%d".formatted(bits, keys);
    number(place + "/real", "(bits / keys) ln 2")
        .stated(Math.log(2) * bits / keys, 1e-12)
        .formula(BloomRates.optimalHashes(bits, keys));
    number(place + "/whole", "best integer k; counted: by trying all of them")
        .formula(BloomRates.bestHashes(bits, keys))
        .counted(bestOfAll(bits, keys))
        .erratum("C4");
  }

  private void rounded() {
    number("bits-per-key=8/k=5/rate", "rate of 8 bits per key with 5 hashes")
        .formula(BloomRates.fpp(8000, 1000, 5))
        .erratum("N3");
    number("bits-per-key=8/k=6/rate", "rate of 8 bits per key with 6 hashes")
        .formula(BloomRates.fpp(8000, 1000, 6))
        .erratum("N3");
    number("rounded", "best k for 1000 bits and 475 keys; printed: k rounded")
        .stated(Math.rint(BloomRates.optimalHashes(1000, 475)), 0)
        .formula(BloomRates.bestHashes(1000, 475))
        .erratum("C4");
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
