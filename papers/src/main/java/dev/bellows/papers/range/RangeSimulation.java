package dev.bellows.papers.range;

import dev.bellows.papers.Measured;
import dev.bellows.papers.Result;
import dev.bellows.range.RangePlan;
import java.util.SplittableRandom;

/**
 * The measured rate at which numbers outside of a range pass, as a mean over all ranges of that
 * length and over hash functions: every filter hashes anew (errata R16).
 */
public final class RangeSimulation {
  /** Numbers drawn for each filter besides those near its range. */
  private static final int LOTS = 40;

  private RangeSimulation() {}

  /** Measures the library's filter. */
  public static Measured of(RangePlan plan, int filters) {
    return of(plan, RangeHolder.library(plan), filters);
  }

  /** Measures any filter; its instances are numbered from 0. */
  public static Measured of(RangePlan plan, RangeHolder holder, int filters) {
    AbsentCount count = new AbsentCount(plan, LOTS);
    SplittableRandom random = new SplittableRandom(plan.range());
    for (int instance = 0; instance < filters; instance++) {
      long start = random.nextLong(plan.domain() - plan.range() + 1);
      count.ask(holder.hold(instance, start, start + plan.range() - 1), start, random);
    }
    return count.result(Result.ALPHA);
  }
}
