package dev.bellows;

import dev.bellows.plan.BloomRates;
import dev.bellows.plan.PartitionPlan;
import java.util.List;
import java.util.Locale;

/** The pages that {@code explain()} prints. */
final class Explanation {
  private Explanation() {}

  static String of(BloomFilter filter) {
    return "A Bloom filter, " + filter.layout() + " layout.\n\n" + numbers(filter.stats(), "bits");
  }

  static String of(CountingBloomFilter filter) {
    return "A counting Bloom filter, "
        + filter.layout()
        + " layout, counters of "
        + filter.counterBits()
        + " bits.\n\n"
        + numbers(filter.stats(), "counters");
  }

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

  static String of(ElasticBloomFilter filter, double fpp, double tolerance) {
    FilterStats stats = filter.stats();
    String memory =
        filter.isFrozen()
            ? "  The capacity filter is gone (frozen): the view can only shrink.\n"
            : page(
                """
                  Folding saves bandwidth and cache, not memory: the full %,d bits stay here,
                  since unfolding needs them.
                """,
                filter.capacity());
    String full =
        filter.isOverCapacity()
            ? "  More keys came than the capacity serves in its band: build a larger one.\n"
            : "";
    return "An elastic Bloom filter, "
        + stats.layout()
        + " layout, holding fpp "
        + fpp
        + " +- "
        + tolerance
        + ".\n\n"
        + page(
            "  capacity           %,d bits, folded by %d now\n",
            filter.capacity(), filter.capacity() / filter.bits())
        + page("  keys, counted      %,d\n", filter.keys())
        + numbers(stats, "bits in view")
        + "\n"
        + memory
        + full;
  }

  static String of(FoldedFilters set, List<BloomFilter> foldings) {
    StringBuilder page = new StringBuilder();
    page.append("Foldings of one filter, asked together.\n\n");
    for (BloomFilter folding : foldings) {
      page.append(page("  %,14d bits   alone %s\n", folding.bits(), rate(folding.expectedFpp())));
    }
    page.append(page("  %,14d bits   together %s\n", set.stats().bits(), rate(set.expectedFpp())));
    if (set.tellingSizes().size() < foldings.size()) {
      page.append("\n  A size that divides another tells nothing new.\n");
    }
    page.append(
        page(
            "\n  keys, estimated    %,.0f\n  false positives    %s\n",
            set.stats().approximateKeys(), rate(set.expectedFpp())));
    return page.toString();
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

  private static String numbers(FilterStats stats, String unit) {
    return page(
        """
          size               %,d %s (%s in a file)
          hashes             %d per key
          hash scheme        %s
          ones               %,d of %,d (%.2f %%)
          keys, estimated    %,.0f
          bits per key       %s
          false positives    %s of the keys that are not in it
        """,
        stats.bits(),
        unit,
        bytes(stats.bytes()),
        stats.hashes(),
        stats.hashScheme(),
        stats.ones(),
        stats.bits(),
        100 * stats.fill(),
        stats.approximateKeys(),
        stats.ones() == 0 ? "none in it yet" : page("%.2f", stats.bits() / stats.approximateKeys()),
        rate(stats.expectedFpp()));
  }

  static String page(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** A rate as a person says it: a percentage, and "1 in n" where that is clearer. */
  static String rate(double rate) {
    if (rate == 0) {
      return "none";
    }
    return rate < 0.1
        ? page("%.4g %% (1 in %,.0f)", 100 * rate, 1 / rate)
        : page("%.4g %%", 100 * rate);
  }

  /** A size in bytes with a binary unit. */
  static String bytes(long bytes) {
    String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < units.length - 1) {
      size /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " bytes" : page("%.1f %s", size, units[unit]);
  }
}
