package dev.bellows.partition;

import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.BloomRates;

/** The part of {@code explain()} that a partition filter and its view share. */
final class PartitionPage {
  private PartitionPage() {}

  static String tree(PartitionView view, long keys) {
    PartitionPlan plan = view.plan();
    return Prose.format(
        """
          universe           %s ids, depth %d: %,d units of at most %,d keys
          keys               %,d
          leaves             %,d with a filter
          size               %,d bits in them, %s per key
          hashes             %d per key
          hash scheme        %s
          false positives    %s of the absent ids on average, never more than %s
        """,
        Long.toUnsignedString(plan.universe()),
        plan.depth(),
        plan.leaves(),
        plan.unitKeys(),
        keys,
        view.leaves(),
        view.bits(),
        keys == 0 ? "none" : Prose.format("%.2f", view.bits() / (double) keys),
        plan.hashes(),
        view.hashScheme(),
        Prose.rate(view.averageFpp()),
        Prose.rate(view.expectedFpp()));
  }

  /**
   * Says so if something simpler would be enough (errata <a
   * href="{@docRoot}/doc-files/errata.html#D13">D13</a>).
   */
  static String comparison(PartitionPlan plan, long keys) {
    if (keys == 0) {
      return "";
    }
    double plain = BloomRates.bitsPerKey(BloomRates.hashesFor(plan.fpp()), plan.fpp());
    double universe = plan.universe() < 0 ? 0x1p63 : plan.universe();
    return Prose.format(
        """

          For comparison: one plain filter, sized for these keys, takes %.2f bits per key; a bitmap
          of the whole universe takes %.2f and is exact.
        """,
        plain, universe / keys);
  }
}
