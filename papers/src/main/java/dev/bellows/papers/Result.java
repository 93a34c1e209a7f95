package dev.bellows.papers;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One number of a document: as printed there, by the formula, and measured. It agrees iff every
 * comparison that can be made holds, and only if one can be made:
 *
 * <ul>
 *   <li>printed and formula: the formula's value agrees with the printed one under its {@link
 *       Rule};
 *   <li>formula and measured: the formula's value lies in the measured interval, or is the counted
 *       value;
 *   <li>printed and measured, without a formula: a value of the measured interval agrees with the
 *       printed one under its rule.
 * </ul>
 *
 * A number alone, computed or measured, neither agrees nor disagrees: its verdict is null.
 *
 * @param id the item's id and the place in it: {@code 003/table-4-1/n=700/k=8}
 * @param what the number in words
 * @param printed as in the document, or as its formula gives it as it is printed
 * @param rule which values agree with the printed one
 * @param formula by this library's function, errata applied
 * @param measured by a simulation with this library
 * @param low the lower end of the measured interval
 * @param high its upper end
 * @param alpha the chance that the interval misses the truth
 * @param agrees whether all comparisons hold; null if there is nothing to compare
 * @param erratum the entry of the errata that says why the printed value is not the right one
 */
public record Result(
    String id,
    String what,
    @Nullable Double printed,
    @Nullable String rule,
    @Nullable Double formula,
    @Nullable Double measured,
    @Nullable Double low,
    @Nullable Double high,
    @Nullable Double alpha,
    @Nullable Boolean agrees,
    @Nullable String erratum) {
  /** The chance that a measured interval misses the truth. */
  public static final double ALPHA = 1e-9;

  private static final double ROUNDING = 1e-12;

  /** Begins a result. */
  public static Builder of(String id, String what) {
    return new Builder(id, what);
  }

  /** Returns the fields by name, as results.json has them. */
  public Map<String, @Nullable Object> fields() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("id", id);
    fields.put("what", what);
    fields.put("printed", printed);
    fields.put("rule", rule);
    fields.put("formula", formula);
    fields.put("measured", measured);
    fields.put("low", low);
    fields.put("high", high);
    fields.put("alpha", alpha);
    fields.put("agrees", agrees);
    fields.put("erratum", erratum);
    return fields;
  }

  /**
   * Returns whether the formula lies outside the measured interval: an approximation shown as such.
   */
  public boolean missed() {
    return formula != null && !holds(low, high, formula, ROUNDING * Math.abs(formula));
  }

  private static boolean holds(
      @Nullable Double low, @Nullable Double high, double value, double slack) {
    return low == null || high == null || (low - slack <= value && value <= high + slack);
  }

  /** What becomes of a number. */
  public enum Verdict {
    /** Two sources at least, and all comparisons hold. */
    AGREES,
    /** A comparison fails, and an erratum says why. */
    CORRECTED,
    /** A comparison fails, and nothing says why. */
    DISAGREES,
    /** Computed here; nothing is printed or measured to compare with. */
    COMPUTED,
    /** Measured here; nothing is printed or computed to compare with. */
    MEASURED
  }

  /** Its verdict. */
  public Verdict verdict() {
    if (agrees == null) {
      return formula == null ? Verdict.MEASURED : Verdict.COMPUTED;
    }
    if (agrees) {
      return Verdict.AGREES;
    }
    return erratum == null ? Verdict.DISAGREES : Verdict.CORRECTED;
  }

  /** A disagreement that no erratum explains. */
  public boolean unexplained() {
    return verdict() == Verdict.DISAGREES;
  }

  /** Collects what is known of one number. */
  public static final class Builder {
    private final String id;
    private final String what;
    private @Nullable Double printed;
    private @Nullable Rule rule;
    private @Nullable Double formula;
    private @Nullable Double measured;
    private @Nullable Double low;
    private @Nullable Double high;
    private @Nullable Double alpha;
    private @Nullable String erratum;

    private Builder(String id, String what) {
      this.id = id;
      this.what = what;
    }

    /** Sets a printed number, digit by digit; it stands for all that round or cut to it. */
    public Builder printed(String digits) {
      BigDecimal value = new BigDecimal(digits);
      return printed(value.doubleValue(), Rule.digits(value));
    }

    /** Sets a count, or a number that is printed with its fraction wherever it has one. */
    public Builder printedExactly(String digits) {
      return digits.contains(".") ? printed(digits) : printed(Long.parseLong(digits), 0);
    }

    /** Sets a number read off a picture, or known within a tolerance. */
    public Builder printed(double value, double tolerance) {
      return printed(value, Rule.within(value, tolerance));
    }

    /** Sets a printed upper bound. */
    public Builder printedAtMost(double value) {
      return printed(value, Rule.atMost(value));
    }

    /** Sets a printed lower bound. */
    public Builder printedAtLeast(double value) {
      return printed(value, Rule.atLeast(value));
    }

    private Builder printed(double value, Rule agreeing) {
      printed = value;
      rule = agreeing;
      return this;
    }

    /** Sets the right value. */
    public Builder formula(double value) {
      formula = value;
      return this;
    }

    /** Sets a count of successes in independent trials. */
    public Builder measured(long successes, long trials) {
      return measured(Measured.of(successes, trials));
    }

    /** Sets a measured value with the interval that holds the true one with chance 1 - alpha. */
    public Builder measured(double value, double from, double to, double chanceOfMiss) {
      return measured(new Measured(value, from, to, chanceOfMiss));
    }

    /** Sets a measured value with its interval. */
    public Builder measured(Measured estimate) {
      measured = estimate.value();
      low = estimate.low();
      high = estimate.high();
      alpha = estimate.alpha();
      return this;
    }

    /** Sets a measured value whose error is known to be at most this. */
    public Builder weighed(double value, double error) {
      measured = value;
      low = value - error;
      high = value + error;
      return this;
    }

    /** Sets a value that was counted, not estimated. */
    public Builder counted(double value) {
      measured = value;
      low = value;
      high = value;
      return this;
    }

    /** Sets the erratum that corrects the printed value. */
    public Builder erratum(@Nullable String entry) {
      erratum = entry == null ? null : Errata.require(entry);
      return this;
    }

    /** Returns the result, with its verdict. */
    public Result build() {
      if (formula == null && measured == null) {
        throw new IllegalStateException(id + " is neither computed nor measured");
      }
      return new Result(
          id,
          what,
          printed,
          rule == null ? null : rule.words(),
          formula,
          measured,
          low,
          high,
          alpha,
          agreement(),
          erratum);
    }

    private @Nullable Boolean agreement() {
      if (formula != null) {
        boolean asPrinted = rule == null || rule.accepts(formula);
        boolean asMeasured = holds(low, high, formula, ROUNDING * Math.abs(formula));
        return rule == null && measured == null ? null : (Boolean) (asPrinted && asMeasured);
      }
      return rule == null || low == null || high == null
          ? null
          : (Boolean) rule.overlaps(low, high);
    }
  }
}
