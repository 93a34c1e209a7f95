package dev.bellows.range;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.range.RangeRates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The shape of a single numeric attribute in a filter, and its predicted false positive rate for a
 * range of {@code range} numbers.
 *
 * @param scheme how numbers are mapped to bits
 * @param bits size of the filter
 * @param hashes number of positions of a number
 * @param domain number of values that the attribute can take, both ends inclusive (erratum <a
 *     href="{@docRoot}/doc-files/errata.html#R8">R8</a>)
 * @param range number of values in the range
 * @param divide number of neighboring numbers that share a key; 1 if no two numbers share one
 * @param shift number of positions in which neighbors differ; equal to hashes if they differ in all
 * @param insertionBits average number of bits that the range sets, counting coinciding bits
 *     separately
 * @param fpp average false positive rate over all ranges of this length and all numbers outside
 * @param runnerUpGap how much worse the second-best shape is, relative to fpp; infinite if there is
 *     no other shape, 0 if the plan is not the result of a search
 */
public record RangePlan(
    Scheme scheme,
    long bits,
    int hashes,
    long domain,
    long range,
    long divide,
    int shift,
    double insertionBits,
    double fpp,
    double runnerUpGap) {

  /** The maximum number of hashes that a search considers. */
  public static final int MAX_HASHES = 256;

  /** A point of the curve around an optimum. */
  public record CurvePoint(int hashes, long divide, int shift, double fpp) {}

  /** Returns the plan with a given divide and shift, which must suit the scheme. */
  public static RangePlan of(
      Scheme scheme, long bits, int hashes, long domain, long range, long divide, int shift) {
    check(bits, hashes, domain, range);
    RangeRates.checkShape(range, divide, shift, hashes);
    if (divide != 1 && !scheme.divides()) {
      throw new IllegalArgumentException(
          "scheme %s has divide 1, not %d: use scheme division or both"
              .formatted(scheme.word(), divide));
    }
    if (shift != hashes && !scheme.shifts()) {
      throw new IllegalArgumentException(
          "scheme %s has shift = hashes = %d, not %d: use scheme overlapping or both"
              .formatted(scheme.word(), hashes, shift));
    }
    return evaluate(scheme, bits, hashes, domain, range, divide, shift, 0);
  }

  /** Returns the divide and shift with the lowest rate for a fixed number of hashes. */
  public static RangePlan best(Scheme scheme, long bits, int hashes, long domain, long range) {
    return search(scheme, bits, hashes, hashes, domain, range);
  }

  /** Returns the hashes, divide and shift with the lowest rate, over all hashes up to a limit. */
  public static RangePlan bestUpTo(
      Scheme scheme, long bits, int maxHashes, long domain, long range) {
    return search(scheme, bits, 1, maxHashes, domain, range);
  }

  private static RangePlan search(
      Scheme scheme, long bits, int minHashes, int maxHashes, long domain, long range) {
    check(bits, minHashes, domain, range);
    Checks.inRange(1, MAX_HASHES, maxHashes, "hashes");
    ShapeSearch search =
        new ShapeSearch(
            scheme.divides() ? range : 1,
            (hashes, divide, shift) -> RangeRates.fpp(bits, hashes, domain, range, divide, shift));
    for (int hashes = minHashes; hashes <= maxHashes; hashes++) {
      search.search(hashes, scheme.shifts() ? 1 : hashes, hashes);
    }
    ProfilePlan.Shape best = search.shape();
    return evaluate(
        scheme,
        bits,
        best.hashes(),
        domain,
        range,
        best.divide(),
        best.shift(),
        search.runnerUpGap());
  }

  /** Returns the rate for divides below and above that of this plan, in geometric steps. */
  public List<CurvePoint> divideCurve(int points) {
    Checks.atLeast(2, points, "points");
    List<CurvePoint> curve = new ArrayList<>();
    double low = Math.max(1, divide / 8.0);
    double high = scheme.divides() ? Math.min(range, Math.max(8.0, divide * 8.0)) : 1;
    long last = 0;
    for (int i = 0; i < points; i++) {
      long d = Math.round(low * Math.pow(high / low, i / (points - 1.0)));
      if (last < divide && divide < d) {
        curve.add(point(hashes, divide, shift));
      }
      if (d > last && d <= range) {
        curve.add(point(hashes, d, shift));
        last = d;
      }
    }
    return List.copyOf(curve);
  }

  /** Returns the rate for every shift at this plan's divide. */
  public List<CurvePoint> shiftCurve() {
    List<CurvePoint> curve = new ArrayList<>();
    for (int s = scheme.shifts() ? 1 : hashes; s <= hashes; s++) {
      curve.add(point(hashes, divide, s));
    }
    return List.copyOf(curve);
  }

  /**
   * Returns the lowest rate for every number of hashes up to a limit (Range thesis, Figure 4-3).
   */
  public List<CurvePoint> hashesCurve(int maxHashes) {
    List<CurvePoint> curve = new ArrayList<>();
    for (int k = 1; k <= maxHashes; k++) {
      RangePlan plan = best(scheme, bits, k, domain, range);
      curve.add(new CurvePoint(k, plan.divide, plan.shift, plan.fpp));
    }
    return List.copyOf(curve);
  }

  /** Returns the number of bits that storing both ends of the range exactly would take. */
  public int exactBits() {
    return RangeRates.exactBits(domain);
  }

  /** Returns whether storing both ends exactly is smaller than this filter. */
  public boolean exactIsSmaller() {
    return exactBits() < bits;
  }

  private CurvePoint point(int hashes, long divide, int shift) {
    return new CurvePoint(
        hashes, divide, shift, RangeRates.fpp(bits, hashes, domain, range, divide, shift));
  }

  private static RangePlan evaluate(
      Scheme scheme,
      long bits,
      int hashes,
      long domain,
      long range,
      long divide,
      int shift,
      double runnerUpGap) {
    return new RangePlan(
        scheme,
        bits,
        hashes,
        domain,
        range,
        divide,
        shift,
        RangeRates.insertionBits(range, divide, shift, hashes),
        RangeRates.fpp(bits, hashes, domain, range, divide, shift),
        runnerUpGap);
  }

  private static void check(long bits, int hashes, long domain, long range) {
    Checks.positive(bits, "bits");
    Checks.positive(hashes, "hashes");
    Checks.positive(range, "range");
    Checks.atLeast(range, domain, "domain");
  }

  /** A mapping of the numbers of a range to bits (Range thesis, Chapter 3). */
  public enum Scheme {
    /** Every number is a separate key. */
    PLAIN(0, "plain"),

    /** {@code divide} neighboring numbers share one key (Range thesis, Section 3.1). */
    DIVISION(1, "division"),

    /**
     * Neighboring numbers share all but {@code shift} of their positions (Range thesis, Section
     * 3.2).
     */
    OVERLAPPING(2, "overlapping"),

    /**
     * Neighboring divisions share all but {@code shift} of their positions (Range thesis, Section
     * 3.3).
     */
    DIVISION_OVERLAPPING(3, "both");

    private final int id;
    private final String word;

    Scheme(int id, String word) {
      this.id = id;
      this.word = word;
    }

    /** Returns the fixed number of this scheme in files. */
    public int id() {
      return id;
    }

    /** Returns the name of this scheme in flags and JSON. */
    public String word() {
      return word;
    }

    /** Returns whether {@code divide} may differ from 1. */
    public boolean divides() {
      return this == DIVISION || this == DIVISION_OVERLAPPING;
    }

    /** Returns whether {@code shift} may differ from the number of hashes. */
    public boolean shifts() {
      return this == OVERLAPPING || this == DIVISION_OVERLAPPING;
    }

    /** Returns the scheme with this name. */
    public static Scheme of(String word) {
      for (Scheme scheme : values()) {
        if (scheme.word.equals(word)) {
          return scheme;
        }
      }
      throw new IllegalArgumentException(
          "unknown range scheme '"
              + word
              + "': use one of "
              + Arrays.stream(values()).map(Scheme::word).collect(Collectors.joining(", ")));
    }
  }
}
