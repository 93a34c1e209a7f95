package dev.bellows;

import dev.bellows.internal.Prose;
import dev.bellows.plan.Criterion;
import dev.bellows.plan.DetectionRates;
import dev.bellows.plan.Divisors;
import dev.bellows.plan.PlainChoice;
import dev.bellows.plan.ThresholdRule;
import java.util.List;

/** The pages that {@code explain()} prints. */
final class Explanation {
  private Explanation() {}

  static String of(BloomFilter filter) {
    return "A Bloom filter, "
        + filter.layout()
        + " layout.\n\n"
        + numbers(filter.stats(), "bits")
        + folds(filter);
  }

  private static String folds(FoldableFilter<?> filter) {
    long sizes = Divisors.count(filter.bits() / filter.layout().cellBits()) - 1;
    return sizes == 0
        ? "  folds to           no smaller size\n"
        : page("  folds to           %,d smaller sizes\n", sizes);
  }

  static String of(CountingBloomFilter filter) {
    return "A counting Bloom filter, "
        + filter.layout()
        + " layout, counters of "
        + filter.counterBits()
        + " bits.\n\n"
        + numbers(filter.stats(), "counters")
        + folds(filter);
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

  static String of(AutoscalingBloomFilter filter) {
    DetectionRates rates = filter.rates();
    return "An autoscaling Bloom filter, counters of "
        + filter.counterBits()
        + " bits, "
        + (filter.rule() instanceof ThresholdRule.Fixed ? "fixed" : "tuned")
        + " thresholds.\n\n"
        + numbers(filter.stats(), "counters")
        + thresholds(filter.theta(), filter.decision(), rates)
        + (filter.keys() == 0
            ? ""
            : "\n"
                + PlainChoice.honestly(
                    filter.bits(), filter.counterBits(), filter.keys(), rates, criterion(filter))
                + "\n");
  }

  private static Criterion criterion(AutoscalingBloomFilter filter) {
    return filter.rule() instanceof ThresholdRule.Tuned tuned
        ? tuned.criterion()
        : Criterion.accuracy();
  }

  static String of(BinarizedFilter filter) {
    return "The bits of an autoscaling Bloom filter above its theta, to be read only.\n\n"
        + numbers(filter.stats(), "bits")
        + thresholds(filter.theta(), filter.decision(), filter.rates());
  }

  private static String thresholds(long theta, long decision, DetectionRates rates) {
    return page(
        """
          theta              %d: a position hits when its counter exceeds it
          decision           %d: a key is accepted when so many of its positions hit
          stored keys found  %s
          accuracy           %s
        """,
        theta,
        decision,
        Double.isNaN(rates.tpr()) ? "none in it yet" : page("%.4g %%", 100 * rates.tpr()),
        Double.isNaN(rates.tpr()) ? "unknown" : page("%.5f", rates.accuracy()));
  }

  static String numbers(FilterStats stats, String unit) {
    return page(
        """
          size               %,d %s (%s in a file)
          hashes             %d per key
          hash scheme        %s
          ones               %,d of %,d (%.2f %%)
          keys, estimated    %s%,.0f
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
        stats.ones() == stats.bits() ? "at least " : "",
        stats.approximateKeys(),
        stats.ones() == 0 ? "none in it yet" : page("%.2f", stats.bits() / stats.approximateKeys()),
        rate(stats.expectedFpp()));
  }

  static String page(String format, Object... values) {
    return Prose.page(format, values);
  }

  static String rate(double rate) {
    return Prose.rate(rate);
  }

  static String bytes(long bytes) {
    return Prose.bytes(bytes);
  }
}
