package dev.bellows.range;

import dev.bellows.internal.range.DyadicRates;
import dev.bellows.range.ProfilePlan.AttributePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import java.util.ArrayList;
import java.util.List;

/**
 * The rates of a profile whose attributes are all DYADIC. The only parameter is the number of
 * hashes. The number of intervals in the filter is the sum of the independent numbers of all
 * attributes, so its distribution is the convolution of theirs.
 */
final class DyadicProfile {
  private DyadicProfile() {}

  static ProfilePlan plan(Profile profile, int minHashes, int maxHashes) {
    double[] intervals = intervals(profile);
    int best = minHashes;
    double least = Double.POSITIVE_INFINITY;
    double second = Double.POSITIVE_INFINITY;
    for (int hashes = minHashes; hashes <= maxHashes; hashes++) {
      double average = evaluate(profile, hashes, intervals, 0).averageFpp();
      second = Math.min(second, Math.max(least, average));
      if (average < least) {
        least = average;
        best = hashes;
      }
    }
    return evaluate(profile, best, intervals, ShapeSearch.gap(least, second));
  }

  /** Returns the probabilities of 0, 1, 2, ... intervals in the filter. */
  private static double[] intervals(Profile profile) {
    double[] intervals = {1};
    for (RangeAttribute attribute : profile.attributes()) {
      double[] own = DyadicRates.distribution(attribute.domain(), attribute.range());
      double[] sum = new double[intervals.length + own.length - 1];
      for (int i = 0; i < intervals.length; i++) {
        for (int j = 0; j < own.length && intervals[i] > 0; j++) {
          sum[i + j] += intervals[i] * own[j];
        }
      }
      intervals = sum;
    }
    return intervals;
  }

  private static ProfilePlan evaluate(
      Profile profile, int hashes, double[] intervals, double runnerUpGap) {
    List<AttributePlan> plans = new ArrayList<>();
    for (RangeAttribute attribute : profile.attributes()) {
      int levels = DyadicRates.levels(attribute.domain());
      double fpp =
          attribute.domain() == attribute.range() ? 0 : mean(profile, hashes, intervals, levels);
      double bits = DyadicRates.insertionBits(attribute.domain(), attribute.range(), hashes);
      plans.add(new AttributePlan(attribute, hashes, 1, hashes, bits, fpp));
    }
    double stringFpp = mean(profile, hashes, intervals, 1);
    return ProfilePlan.of(profile, RangePlan.Scheme.DYADIC, hashes, plans, stringFpp, runnerUpGap);
  }

  private static double mean(Profile profile, int hashes, double[] intervals, int levels) {
    return DyadicRates.mean(profile.bits(), hashes, levels, intervals, profile.strings());
  }
}
