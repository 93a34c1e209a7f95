package dev.bellows.plan;

/**
 * The shape of one numeric attribute inside a profile.
 *
 * @param attribute what is planned for
 * @param hashes positions of a number or interval
 * @param divide neighbouring numbers that share a key
 * @param shift positions in which neighbours differ
 * @param levels intervals around a number that a question tests; 0 unless DYADIC
 * @param insertionBits mean number of bits its range sets
 * @param fpp its rate in the filter that holds the whole profile (003 Eq 3-15; errata R7)
 */
public record AttributePlan(
    RangeAttribute attribute,
    int hashes,
    long divide,
    int shift,
    int levels,
    double insertionBits,
    double fpp) {

  /** What the attribute is called. */
  public String name() {
    return attribute.name();
  }
}
