package dev.bellows.papers.range;

import dev.bellows.papers.Item;
import dev.bellows.range.RangePlan;

/** A figure of the Range thesis: everything except its numbers. */
abstract class Figure extends Item {
  Figure(String number, String title, String paragraph, Pace pace) {
    super("003/figure-" + number, "Figure " + number + ": " + title, paragraph, pace);
  }

  Figure(String number, String title, String paragraph) {
    this(number, title, paragraph, Pace.FAST);
  }

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

    /** The filter of Figures 3-6, 3-7 and 3-10. */
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
      return RangePlan.of(
          RangePlan.Scheme.DIVISION_OVERLAPPING, bits, hashes, domain, range, divide, shift);
    }

    /** Returns the shape with the lowest rate. */
    RangePlan best(RangePlan.Scheme scheme) {
      return RangePlan.best(scheme, bits, hashes, domain, range);
    }

    /** Returns what a simulation of a shape converges to. */
    static double exact(RangePlan plan) {
      return ExactRangeRates.fpp(
          plan.bits(), plan.hashes(), plan.domain(), plan.range(), plan.divide(), plan.shift());
    }
  }
}
