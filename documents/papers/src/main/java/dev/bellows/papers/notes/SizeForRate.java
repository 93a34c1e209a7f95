package dev.bellows.papers.notes;

import dev.bellows.Layout;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Simulation;

/** The size for an error rate, n = -phi ln(eps) / (ln 2)^2, and what it really reaches. */
final class SizeForRate extends Item {
  private record Case(long keys, double rate) {}

  private static final Case[] CASES = {
    new Case(1000, 0.01),
    new Case(1000, 0.0001),
    new Case(1, 0.01),
    new Case(1_000_000, 0.01),
    new Case(44, 0.004),
    new Case(12_345, 0.03)
  };

  private static final int MOST_HASHES = 40;

  SizeForRate() {
    super(
        "001/size",
        "The size for an error rate",
        """
        The Standard notes size a filter by n = -phi ln(eps) / (ln 2)^2 and k = (n / phi) ln 2.
        Rounded to integers, the filter often misses the rate by a fraction of a percent: 9586 bits
        and 7 hashes for a thousand keys at 1 % reach 1.0035 % (N2). The smallest size that holds
        the rate, found by comparing all integers k, is 9593 bits. For high rates the formula is
        useless: 1000 keys at 90 % would get 220 bits and 98.9 %; 435 bits are needed.\
        """);
  }

  @Override
  protected void fill() {
    columns("keys, rate, bits, k, reached, needed");
    for (Case each : CASES) {
      long bits = (long) Math.ceil(BloomRates.textbookBits(each.keys, each.rate));
      int hashes = BloomRates.bestHashes(bits, each.keys);
      double reached = BloomRates.fpp(bits, each.keys, hashes);
      long needed = needed(each.keys, each.rate);
      String place = "keys=%d/rate=%s".formatted(each.keys, each.rate);
      number(
              place + "/reached",
              "rate of %d bits with %d hashes; printed: the target rate".formatted(bits, hashes))
          .statedAtMost(each.rate)
          .formula(reached)
          .erratum(reached <= each.rate ? null : "N2");
      number(place + "/needed", "minimum bits for the rate; printed: by the notes")
          .stated(bits, 0)
          .formula(needed)
          .counted(counted(each.keys, each.rate))
          .erratum(needed == bits ? null : "N2");
      row(each.keys, each.rate, bits, hashes, reached, needed);
    }
    measured();
    large();
  }

  /** A thousand keys at 1 %, in filters each hashed again. */
  private void measured() {
    Measured simulation = Simulation.bloom(9586, 7, 1000, 300, 1000);
    number("measured", "rate of 9586 bits, 7 hashes, 1000 keys")
        .formula(Simulation.expected(9586, 1000, 7))
        .measured(simulation);
  }

  private void large() {
    long bits = (long) Math.ceil(BloomRates.textbookBits(1000, 0.9));
    number("large/reached", "rate of the %d bits for 90 %%".formatted(bits))
        .stated(0.9, 0)
        .formula(BloomRates.fpp(bits, 1000, 1))
        .erratum("N2");
    number("large/needed", "bits for 1000 keys at 90 %; printed: by the notes")
        .stated(bits, 0)
        .formula(needed(1000, 0.9))
        .erratum("N2");
  }

  /** Returns the fewest bits over all numbers of hashes. */
  private static long needed(long keys, double rate) {
    long fewest = Long.MAX_VALUE;
    for (int hashes = 1; hashes <= MOST_HASHES; hashes++) {
      fewest = Math.min(fewest, new Layout.Classic(hashes).bitsFor(keys, rate));
    }
    return fewest;
  }

  /** The same by trying sizes one by one, down from one that holds the rate. */
  private static long counted(long keys, double rate) {
    long bits = (long) Math.ceil(BloomRates.textbookBits(keys, rate)) + keys / 50 + 10;
    while (bits > 1 && holds(bits - 1, keys, rate)) {
      bits--;
    }
    return bits;
  }

  private static boolean holds(long bits, long keys, double rate) {
    for (int hashes = 1; hashes <= MOST_HASHES; hashes++) {
      if (BloomRates.fpp(bits, keys, hashes) <= rate) {
        return true;
      }
    }
    return false;
  }
}
