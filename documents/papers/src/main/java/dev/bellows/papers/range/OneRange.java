package dev.bellows.papers.range;

import dev.bellows.range.RangePlan;
import dev.bellows.range.RangePlan.Scheme;

/**
 * The setting of a figure: a range alone in a filter.
 *
 * @param bits m
 * @param hashes k
 * @param domain R
 * @param range n
 */
record OneRange(long bits, int hashes, long domain, long range) {
  /** The filter of Figures 3-2, 3-4 and 3-8. */
  static final OneRange HUNDRED = new OneRange(512, 8, 1000, 100);

  /** The filter of Figures 3-6, 3-7 and 3-10; with other ranges, of Section 4.1. */
  static final OneRange THOUSAND = new OneRange(512, 8, 10_000, 1000);

  /** The same filter with another range. */
  OneRange withRange(long other) {
    return new OneRange(bits, hashes, domain, other);
  }

  /** The same filter with other hashes. */
  OneRange withHashes(int other) {
    return new OneRange(bits, other, domain, range);
  }

  /** Returns a shape of Division-Overlapping, which includes the others. */
  RangePlan shape(long divide, int shift) {
    return RangePlan.of(Scheme.DIVISION_OVERLAPPING, bits, hashes, domain, range, divide, shift);
  }

  /** Returns the shape with the lowest rate. */
  RangePlan best(Scheme scheme) {
    return RangePlan.best(scheme, bits, hashes, domain, range);
  }

  /** Returns the shape of Division-Overlapping with the lowest rate. */
  RangePlan best() {
    return best(Scheme.DIVISION_OVERLAPPING);
  }

  /** Returns the same with the best number of hashes that two digests allow. */
  RangePlan bestOfAllHashes() {
    return RangePlan.bestUpTo(
        Scheme.DIVISION_OVERLAPPING, bits, DigestFilter.Indexes.MOST, domain, range);
  }

  /** Returns the best shape with the first k after which the rate rises: where the thesis stops. */
  RangePlan firstMinimum() {
    RangePlan plan = withHashes(1).best();
    RangePlan next = withHashes(2).best();
    while (next.fpp() < plan.fpp()) {
      plan = next;
      next = withHashes(plan.hashes() + 1).best();
    }
    return plan;
  }
}
