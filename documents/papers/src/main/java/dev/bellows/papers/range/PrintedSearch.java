package dev.bellows.papers.range;

import dev.bellows.range.RangePlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search of Algorithm 3-2 as printed, except for the initial value of fpMin, which is missing
 * (erratum R10): divides upwards until the rate no longer falls, shifts upwards until the best rate
 * of a shift no longer falls.
 */
final class PrintedSearch {
  private final List<RangePlan> path = new ArrayList<>();
  private final List<RangePlan> stops = new ArrayList<>();

  /** Runs the search; fpTemp1 starts at 1, as printed. */
  PrintedSearch(OneRange setting) {
    double least = Double.POSITIVE_INFINITY;
    for (int shift = 1; shift <= setting.hashes(); shift++) {
      RangePlan stop = along(setting, shift);
      if (stop == null || stop.fpp() >= least) {
        return;
      }
      least = stop.fpp();
      stops.add(stop);
    }
  }

  private @Nullable RangePlan along(OneRange setting, int shift) {
    double before = 1;
    RangePlan stop = null;
    for (long divide = 1; divide <= setting.range(); divide++) {
      RangePlan plan = setting.shape(divide, shift);
      path.add(plan);
      if (plan.fpp() >= before) {
        break;
      }
      before = plan.fpp();
      stop = plan;
    }
    return stop;
  }

  /** Returns every shape whose rate was computed. */
  List<RangePlan> path() {
    return path;
  }

  /** Returns the shapes it accepted, each better than the one before; empty if it found none. */
  List<RangePlan> stops() {
    return stops;
  }

  /** The shape it returns. */
  RangePlan found() {
    return stops.get(stops.size() - 1);
  }
}
