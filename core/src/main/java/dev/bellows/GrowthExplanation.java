package dev.bellows;

import static dev.bellows.Explanation.bytes;
import static dev.bellows.Explanation.numbers;
import static dev.bellows.Explanation.page;
import static dev.bellows.Explanation.rate;

import dev.bellows.plan.BloomRates;
import dev.bellows.plan.PartitionPlan;

/** The pages that {@code explain()} prints for the filters that grow. */
final class GrowthExplanation {
  private GrowthExplanation() {}

  static String of(ScalableBloomFilter filter) {
    StringBuilder levels = new StringBuilder();
    for (ScalableLevel level : filter.levels()) {
      levels.append(
          page(
              "  level %-2d           %,d of %,d keys in %,d bits, passes %s%n",
              level.index(),
              level.keys(),
              level.capacity(),
              level.bits(),
              rate(level.expectedFpp())));
    }
    return "A scalable Bloom filter, "
        + filter.layout()
        + " layout: it grows by levels and passes at most "
        + rate(filter.promisedFpp())
        + " at any size.\n\n"
        + numbers(filter.stats(), "bits")
        + levels;
  }

  static String of(DynamicPartitionBloomFilter filter) {
    FilterStats stats = filter.stats();
    return "A dynamic partition Bloom filter, mode "
        + filter.mode()
        + ".\n\n"
        + tree(filter.view(), filter.keys())
        + page(
            "  file               %s: %s\n",
            bytes(stats.bytes()),
            filter.mode() == PartitionMode.EXACT_LEAVES
                ? "the ids, exactly; its view() is the tree alone"
                : "the unit filters; its view() is the tree alone")
        + comparison(filter.plan(), filter.keys());
  }

  static String of(PartitionView view) {
    return "The tree of a dynamic partition Bloom filter.\n\n"
        + tree(view, view.keys())
        + page("  file               %s\n", bytes(view.stats().bytes()))
        + comparison(view.plan(), view.keys());
  }

  private static String tree(PartitionView view, long keys) {
    PartitionPlan plan = view.plan();
    FilterStats stats = view.stats();
    return page(
        """
          universe           %s ids, depth %d: %,d units of at most %,d keys
          keys               %,d
          leaves             %,d with a filter
          size               %,d bits in them, %s per key
          hashes             %d per key
          hash scheme        %s
          false positives    %s of the outsiders on average, never more than %s
        """,
        Long.toUnsignedString(plan.universe()),
        plan.depth(),
        plan.leaves(),
        plan.unitKeys(),
        keys,
        view.leaves(),
        stats.bits(),
        keys == 0 ? "none" : page("%.2f", stats.bits() / (double) keys),
        plan.hashes(),
        stats.hashScheme(),
        rate(view.averageFpp()),
        rate(view.expectedFpp()));
  }

  /** Where something simpler would do, it says so (errata D13). */
  private static String comparison(PartitionPlan plan, long keys) {
    if (keys == 0) {
      return "";
    }
    double plain = BloomRates.bitsPerKey(BloomRates.hashesFor(plan.fpp()), plan.fpp());
    double universe = plan.universe() < 0 ? 0x1p63 : plan.universe();
    return page(
        """

          For comparison: one plain filter, sized for these keys, takes %.2f bits per key; a bitmap
          of the whole universe takes %.2f and is exact.
        """,
        plain, universe / keys);
  }
}
