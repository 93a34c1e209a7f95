package dev.bellows.papers.notes;

import dev.bellows.papers.Item;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.Simulation;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.BloomRates;
import dev.bellows.plan.Layout;

/** The size for an error rate, n = -phi ln(eps) / (ln 2)^2, and what it really reaches. */
final class SizeForRate implements Item {
  private record Case(long keys, double rate, long bits, int hashes, long needed) {}

  /** Keys, rate; bits and hashes by the notes, rounded; bits that are needed. */
  private static final Case[] CASES = {
    new Case(1000, 0.01, 9586, 7, 9593),
    new Case(1000, 0.0001, 19_171, 13, 19_173),
    new Case(1, 0.01, 10, 7, 10),
    new Case(1_000_000, 0.01, 9_585_059, 7, 9_592_955),
    new Case(44, 0.004, 506, 8, 506),
    new Case(12_345, 0.03, 90_100, 5, 90_104)
  };

  @Override
  public String id() {
    return "001/size";
  }

  @Override
  public String title() {
    return "The size for an error rate";
  }

  @Override
  public String paragraph() {
    return "The notes size a filter by n = -phi ln(eps) / (ln 2)^2 and k = (n / phi) ln 2. Rounded to whole"
        + " numbers, the filter often misses the rate by a fraction of a per cent: 9586 bits and 7 hashes"
        + " for a thousand keys at 1 % reach 1.0035 % (N2). The least size that holds the rate"
        + " compares all whole k: 9593 bits. For large rates the formula is of no use: 1000 keys at 90 %"
        + " would get 220 bits and 98.9 %; 435 are needed.";
  }

  @Override
  public Outcome compute() {
    Outcome outcome = new Outcome().columns("keys", "rate", "bits", "k", "reached", "needed");
    for (Case each : CASES) {
      long bits = (long) Math.ceil(BloomRates.textbookBits(each.keys, each.rate));
      int hashes = BloomRates.bestHashes(bits, each.keys);
      double reached = BloomRates.fpp(bits, each.keys, hashes);
      long needed = needed(each.keys, each.rate);
      String place = "%s/keys=%d/rate=%s".formatted(id(), each.keys, each.rate);
      outcome.add(
          Result.of(place + "/bits", "bits by the notes, rounded up")
              .printed(each.bits, 0)
              .formula(bits)
              .build());
      outcome.add(
          Result.of(place + "/k", "hashes for these bits")
              .printed(each.hashes, 0)
              .formula(hashes)
              .build());
      outcome.add(
          Result.of(place + "/reached", "rate of these bits; printed: the rate asked for")
              .printed(each.rate, reached <= each.rate ? each.rate : 0)
              .formula(reached)
              .erratum(reached <= each.rate ? null : "N2")
              .build());
      outcome.add(
          Result.of(place + "/needed", "least bits that hold the rate; printed: by the notes")
              .printed(each.bits, 0)
              .formula(needed)
              .counted(each.needed)
              .erratum(needed == each.bits ? null : "N2")
              .build());
      outcome.row(each.keys, each.rate, bits, hashes, reached, needed);
    }
    measured(outcome);
    large(outcome);
    return outcome;
  }

  /** A thousand keys at 1 %, in filters each hashed anew. */
  private void measured(Outcome outcome) {
    Simulation simulation = Simulation.bloom(9586, 7, 1000, 300, 1000);
    outcome.add(
        Result.of(id() + "/measured", "rate of 9586 bits, 7 hashes, 1000 keys")
            .formula(Simulation.expected(9586, 1000, 7))
            .measured(simulation.passed(), simulation.asked())
            .build());
  }

  private void large(Outcome outcome) {
    long bits = (long) Math.ceil(BloomRates.textbookBits(1000, 0.9));
    outcome.add(
        Result.of(id() + "/large/reached", "rate of the %d bits for 90 %%".formatted(bits))
            .printed(0.9, 0)
            .formula(BloomRates.fpp(bits, 1000, 1))
            .erratum("N2")
            .build());
    outcome.add(
        Result.of(id() + "/large/needed", "bits for 1000 keys at 90 %; printed: by the notes")
            .printed(bits, 0)
            .formula(needed(1000, 0.9))
            .erratum("N2")
            .build());
  }

  /** The fewest bits over all numbers of hashes. */
  private static long needed(long keys, double rate) {
    long fewest = Long.MAX_VALUE;
    for (int hashes = 1; hashes <= 40; hashes++) {
      fewest = Math.min(fewest, BloomPlan.bitsFor(keys, hashes, rate, Layout.CLASSIC));
    }
    return fewest;
  }
}
