package dev.bellows.papers.partition;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.SplittableRandom;

/** Partition paper, Theorem A.1: the rate of a list of equal filters (see erratum D12). */
final class Theorem extends Item {
  private static final int UNIT_KEYS = 64;
  private static final int HASHES = 4;
  private static final double FPP = 0.02;

  Theorem() {
    super(
        "002/theorem-a-1",
        "Theorem A.1: the rate of DBF grows with every filter",
        """
        The theorem gives floor(alpha) f as a lower bound for the rate of the list, where alpha is
        the number of keys divided by those of one unit. That is not a lower bound: 1 - (1-f)^n is
        at most n f, and a rate cannot exceed 1, while the bound reaches 1.28 at alpha = 64 (D12).
        The correct rate is 1 - (1-f_unit)^floor(alpha) (1-f_last), which includes the last, partly
        filled filter. Lists of units of 64 keys at 2 % with k = 4 were filled anew for every four
        absent keys; the measured rates follow the correct formula.\
        """);
  }

  @Override
  protected void fill() {
    long unitBits = BloomRates.bitsFor(UNIT_KEYS, HASHES, FPP);
    columns("keys, alpha, theorem, correct, measured, low, high");
    number("unit-bits", "bits of a unit for 64 keys, 4 hashes, 2 %, by Eq. 1").formula(unitBits);
    Points measured = draw(unitBits);
    for (int keys : new int[] {10, 64, 100, 128, 256, 512, 1000, 2048, 4096}) {
      int trials = Math.min(20_000, 2_000_000 / keys);
      int absentKeys = 4;
      Measured rate =
          Measured.of(passed(keys, unitBits, trials, absentKeys), (long) trials * absentKeys);
      long full = keys / UNIT_KEYS;
      String place = "keys=%d".formatted(keys);
      double right = DynamicBloomFilter.fpp(keys, UNIT_KEYS, unitBits, HASHES);
      number(place + "/theorem", "rate of %d keys; printed: floor(alpha) f".formatted(keys))
          .stated(full * FPP, 1e-9)
          .formula(right)
          .erratum("D12");
      number(place + "/measured", "rate of %d keys, the last filter included".formatted(keys))
          .formula(right)
          .measured(rate);
      row(keys, (double) keys / UNIT_KEYS, full * FPP, right, rate);
      measured.add((double) keys / UNIT_KEYS, rate);
    }
  }

  /** Draws the theorem and the correct rate; returns the points of what is measured. */
  private Points draw(long unitBits) {
    Chart chart =
        chart(
            "Rate of a list by the number of its filters",
            "A list of filters of 64 keys at 2 % each",
            Axis.linear("alpha = keys / keys of one filter").between(0, 65),
            Axis.linear("rate").between(0, 1.4));
    Points theorem = chart.dashed("Theorem A.1: floor(alpha) f", 3);
    Points right = chart.curve("correct: 1 - (1-f)^floor(alpha) (1-f_last)", 0);
    for (int keys = 16; keys <= 4096; keys += 16) {
      double alpha = (double) keys / UNIT_KEYS;
      right.add(alpha, DynamicBloomFilter.fpp(keys, UNIT_KEYS, unitBits, HASHES));
      theorem.add(alpha, Math.floor(alpha) * FPP);
    }
    return chart.points("measured", 1);
  }

  /** Uses random keys for every list, which is equivalent to different hash functions. */
  private static long passed(int keys, long unitBits, int trials, int absentKeys) {
    SplittableRandom random = new SplittableRandom(keys);
    long passed = 0;
    for (int trial = 0; trial < trials; trial++) {
      DynamicBloomFilter list = new DynamicBloomFilter(UNIT_KEYS, unitBits, HASHES);
      for (int i = 0; i < keys; i++) {
        list.put(random.nextLong());
      }
      for (int i = 0; i < absentKeys; i++) {
        passed += list.mightContain(random.nextLong()) ? 1 : 0;
      }
    }
    return passed;
  }
}
