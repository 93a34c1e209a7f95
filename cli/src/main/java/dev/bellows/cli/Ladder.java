package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.FilterStats;
import dev.bellows.plan.BlockedRates;
import dev.bellows.plan.Divisors;
import dev.bellows.plan.Layout;
import java.util.ArrayList;
import java.util.List;

/** The sizes a filter can fold to, each with the rate to expect there. */
final class Ladder {
  private Ladder() {}

  /** One size and its rate. */
  record Step(long bits, double expectedFpp) {}

  /** All steps, ascending, the current size last. */
  static List<Step> of(BloomFilter filter) {
    FilterStats stats = filter.stats();
    int cellBits = stats.layout().cellBits();
    long cells = stats.bits() / cellBits;
    List<Step> steps = new ArrayList<>();
    for (long divisor : Divisors.of(cells)) {
      double fpp = divisor == cells ? stats.expectedFpp() : folded(stats, divisor, cells / divisor);
      steps.add(new Step(divisor * cellBits, fpp));
    }
    return steps;
  }

  /** A folded bit is one if any of the bits above it was. */
  private static double folded(FilterStats stats, long cells, long factor) {
    if (stats.layout() == Layout.CLASSIC) {
      double fill = -Math.expm1(factor * Math.log1p(-stats.fill()));
      return Math.pow(fill, stats.hashes());
    }
    return BlockedRates.fpp(cells, Math.round(stats.approximateKeys()), stats.hashes());
  }
}
