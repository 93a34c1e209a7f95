package dev.bellows.plan;

import dev.bellows.internal.Checks;

/**
 * A numeric attribute to plan for.
 *
 * @param name what it is called
 * @param domain how many values it can take, both ends included (errata R8)
 * @param range how many of them its range holds
 * @param weight how often it is asked, relative to the other attributes
 */
public record RangeAttribute(String name, long domain, long range, double weight) {
  public RangeAttribute {
    Checks.positive(range, "range of " + name);
    Checks.atLeast(range, domain, "domain of " + name);
    checkWeight(weight, name);
  }

  /** An attribute that is asked as often as any other. */
  public static RangeAttribute of(String name, long domain, long range) {
    return new RangeAttribute(name, domain, range, 1);
  }

  /** The same attribute, asked this often. */
  public RangeAttribute withWeight(double weight) {
    return new RangeAttribute(name, domain, range, weight);
  }

  static void checkWeight(double weight, String name) {
    if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "weight of " + name + " must be a finite number of at least 0: " + weight);
    }
  }
}
