package dev.bellows.papers.range;

import dev.bellows.range.RangePlan;

/**
 * The cover of one particular range: its divisions, the number of bits that it sets, and the
 * numbers outside the range that share its first or last division (Range thesis, Eq. 3-4; see
 * erratum R3).
 *
 * @param firstDivision {@code floorDiv(low, divide)}, negative below zero
 * @param lastDivision {@code floorDiv(high, divide)}
 * @param insertionBits {@code (divisions - 1) shift + hashes}
 * @param leftErrors the count of numbers below the range that are in its first division
 * @param rightErrors the count of numbers above the range that are in its last division
 */
record RangeCover(
    long firstDivision, long lastDivision, long insertionBits, long leftErrors, long rightErrors) {
  /** Returns the cover of {@code range} numbers, beginning with {@code start}. */
  static RangeCover of(long start, long range, long divide, int shift, int hashes) {
    long last = start + range - 1;
    long firstDivision = Math.floorDiv(start, divide);
    long lastDivision = Math.floorDiv(last, divide);
    return new RangeCover(
        firstDivision,
        lastDivision,
        (lastDivision - firstDivision) * shift + hashes,
        Math.floorMod(start, divide),
        divide - 1 - Math.floorMod(last, divide));
  }

  /** Returns the cover of the range of a plan, beginning with {@code start}. */
  static RangeCover of(RangePlan plan, long start) {
    return of(start, plan.range(), plan.divide(), plan.shift(), plan.hashes());
  }

  /** Returns the number of divisions that the range overlaps. */
  long divisions() {
    return lastDivision - firstDivision + 1;
  }
}
