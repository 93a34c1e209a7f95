package dev.bellows.internal.range;

/**
 * The cover of one particular range: its divisions, the number of bits that it sets, and the
 * numbers outside the range that share its first or last division (Range thesis, Eq. 3-4; see
 * erratum <a href="{@docRoot}/doc-files/errata.html#R3">R3</a>).
 *
 * @param firstDivision {@code floorDiv(low, divide)}, negative below zero
 * @param lastDivision {@code floorDiv(high, divide)}
 * @param insertionBits {@code (divisions - 1) shift + hashes}
 * @param leftErrors the count of numbers below the range that are in its first division
 * @param rightErrors the count of numbers above the range that are in its last division
 */
public record RangeCover(
    long firstDivision, long lastDivision, long insertionBits, long leftErrors, long rightErrors) {

  /** Returns the cover of {@code range} numbers, beginning with {@code start}. */
  public static RangeCover of(long start, long range, long divide, int shift, int hashes) {
    RangeRates.checkShape(range, divide, shift, hashes);
    if (start > 0 && range - 1 > Long.MAX_VALUE - start) {
      throw new IllegalArgumentException(
          "a range of " + range + " numbers from " + start + " ends beyond " + Long.MAX_VALUE);
    }
    long last = start + (range - 1);
    long firstDivision = Math.floorDiv(start, divide);
    long lastDivision = Math.floorDiv(last, divide);
    long steps = lastDivision - firstDivision;
    if (steps > (Long.MAX_VALUE - hashes) / shift) {
      throw new IllegalArgumentException(
          "%d divisions with shift %d set more than 2^63 bits: raise divide above %d"
              .formatted(steps + 1, shift, divide));
    }
    return new RangeCover(
        firstDivision,
        lastDivision,
        steps * shift + hashes,
        Math.floorMod(start, divide),
        divide - 1 - Math.floorMod(last, divide));
  }

  /** Returns the number of divisions that the range overlaps. */
  public long divisions() {
    return lastDivision - firstDivision + 1;
  }
}
