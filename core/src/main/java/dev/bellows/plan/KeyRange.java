package dev.bellows.plan;

import dev.bellows.internal.Checks;

/** The numbers of keys a filter must serve, both ends included. */
public record KeyRange(long fewest, long most) {
  /** Standard deviations of a Poisson count that a forecast allows for. */
  private static final double DEVIATIONS = 6;

  public KeyRange {
    Checks.positive(fewest, "fewest keys");
    Checks.atLeast(fewest, most, "most keys");
  }

  /**
   * The range of a set that holds {@code present} keys now and gains {@code arrivals} per unit of
   * time until the horizon (000 section IV). Arrivals scatter, so the upper end lies six standard
   * deviations of a Poisson count above the mean.
   */
  public static KeyRange forecast(long present, double arrivals, double horizon) {
    Checks.notNegative(present, "present keys");
    double mean = arrivals * horizon;
    double most = present + Math.ceil(mean + DEVIATIONS * Math.sqrt(mean));
    if (!(arrivals >= 0 && horizon >= 0 && most < Long.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "arrivals and horizon must be at least 0 and lead to a countable set: %s and %s"
              .formatted(arrivals, horizon));
    }
    return new KeyRange(Math.max(1, present), Math.max(1, (long) most));
  }
}
