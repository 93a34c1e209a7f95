package dev.bellows.plan;

import dev.bellows.internal.Checks;
import java.util.List;

/**
 * What one filter has to hold: some string attributes and some numeric ones (003 section 4.2).
 *
 * @param bits size of the filter
 * @param strings number of string attributes, one key each
 * @param stringWeight how often each string attribute is asked, relative to the others
 * @param attributes the numeric attributes
 */
public record Profile(
    long bits, int strings, double stringWeight, List<RangeAttribute> attributes) {
  public Profile {
    Checks.positive(bits, "bits");
    Checks.notNegative(strings, "strings");
    RangeAttribute.checkWeight(stringWeight, "strings");
    attributes = List.copyOf(attributes);
    if (strings == 0 && attributes.isEmpty()) {
      throw new IllegalArgumentException(
          "a profile of 0 strings and 0 numeric attributes has nothing to plan: give at least one");
    }
    double weight = strings * stringWeight;
    for (RangeAttribute attribute : attributes) {
      weight += attribute.weight();
    }
    if (!(weight > 0)) {
      throw new IllegalArgumentException(
          "the weights of all attributes are 0: give at least one a positive weight");
    }
  }

  /** A profile whose attributes are all asked equally often. */
  public static Profile of(long bits, int strings, List<RangeAttribute> attributes) {
    return new Profile(bits, strings, 1, attributes);
  }

  /** The sum of all weights. */
  public double totalWeight() {
    return strings * stringWeight + attributes.stream().mapToDouble(RangeAttribute::weight).sum();
  }

  /** Bits that storing both ends of every numeric attribute exactly would take. */
  public long exactBits() {
    return attributes.stream().mapToLong(a -> RangeRates.exactBits(a.domain())).sum();
  }
}
