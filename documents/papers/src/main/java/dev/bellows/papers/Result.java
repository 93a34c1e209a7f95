package dev.bellows.papers;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One number: as a document prints it, as a formula gives it, and as measured. Two sources are
 * compared, and the number agrees iff every comparison holds:
 *
 * <ul>
 *   <li>printed and formula: the formula's value satisfies the {@link Rule} of the printed one;
 *   <li>formula and measured: the formula's value lies in the measured interval, or equals the
 *       counted value;
 *   <li>printed and measured, without a formula: some value of the measured interval satisfies the
 *       rule.
 * </ul>
 *
 * A number from a single source neither agrees nor disagrees. A measurement that says too little
 * ({@link #isVague}) is shown, but not compared.
 *
 * @param id the item's id and the place in it: {@code 003/table-4-1/n=700/k=8}
 * @param what the number in words
 * @param printed the number in the document, or what a formula or a statement of the document gives
 *     for this case
 * @param rule which values agree with the printed one
 * @param formula by this library's function, errata applied
 * @param measured by a simulation with this library
 * @param low the lower end of the measured interval
 * @param high its upper end
 * @param alpha the probability that the interval misses the true value
 * @param comparison what was compared; null if nothing was
 * @param agrees whether all comparisons hold; null if nothing was compared
 * @param erratum the entry of the errata that explains why the printed value is wrong
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
    @Nullable Comparison comparison,
    @Nullable Boolean agrees,
    @Nullable String erratum) {
  /** The probability that a measured interval misses the true value. */
  public static final double ALPHA = 1e-9;

  private static final double ROUNDING = 1e-12;

  /** An interval whose ends differ by a larger factor says too little to be compared. */
  private static final double WIDEST = 3;

  /** So does one that reaches this multiple of the formula. */
  private static final double FARTHEST = 10;

  /** What a comparison is worth to a reader of the document. */
  public enum Comparison {
    /** A number that the document prints, measured here, and by the formula if there is one. */
    PRINTED_AND_MEASURED("printed and measured"),
    /** A number that the document prints, computed here by a formula. */
    PRINTED_AND_COMPUTED("printed and computed"),
    /**
     * A number that no document prints: a formula or statement against a formula or measurement.
     */
    OWN_FIGURE("own figure");

    private final String words;

    Comparison(String words) {
      this.words = words;
    }

    /** Returns the words that results.json and the pages use. */
    public String words() {
      return words;
    }

    static @Nullable Comparison ofWords(@Nullable Object words) {
      for (Comparison one : values()) {
        if (one.words.equals(words)) {
          return one;
        }
      }
      return null;
    }
  }

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
    fields.put("comparison", comparison == null ? null : comparison.words());
    fields.put("agrees", agrees);
    fields.put("erratum", erratum);
    return fields;
  }

  /**
   * Returns whether the measured interval holds the number but says too little about it: its ends
   * differ by a factor above 3, or it holds ten times the formula as well. Of a bound, whether it
   * holds both the bound and what is three times beyond.
   */
  public boolean isVague() {
    if (low == null || high == null || alpha == null || low < 0) {
      return false;
    }
    if (formula == null && printed != null && rule != null) {
      if (rule.endsWith("at most")) {
        return low <= printed && high > WIDEST * printed;
      }
      if (rule.endsWith("at least")) {
        return high >= printed && low < printed / WIDEST;
      }
    }
    Double value = formula == null ? printed : formula;
    if (value != null && !holds(low, high, value, ROUNDING * Math.abs(value))) {
      return false;
    }
    return high > WIDEST * low || (formula != null && formula > 0 && high >= FARTHEST * formula);
  }

  /** Returns whether the formula lies outside the measured interval, as approximations may. */
  public boolean missed() {
    return formula != null && !holds(low, high, formula, ROUNDING * Math.abs(formula));
  }

  private static boolean holds(
      @Nullable Double low, @Nullable Double high, double value, double slack) {
    return low == null || high == null || (low - slack <= value && value <= high + slack);
  }

  /** The outcome for a number. */
  public enum Verdict {
    /** At least two sources, and all comparisons hold. */
    AGREES,
    /** A comparison fails, and an erratum says why. */
    CORRECTED,
    /** A comparison fails, and nothing says why. */
    DISAGREES,
    /** Computed here, with nothing to compare it with. */
    COMPUTED,
    /** Measured here, with nothing to compare it with. */
    MEASURED
  }

  /** Returns the verdict. */
  public Verdict verdict() {
    if (agrees == null) {
      return formula == null ? Verdict.MEASURED : Verdict.COMPUTED;
    }
    if (agrees) {
      return Verdict.AGREES;
    }
    return erratum == null ? Verdict.DISAGREES : Verdict.CORRECTED;
  }

  /** Returns whether it disagrees and no erratum explains why. */
  public boolean unexplained() {
    return verdict() == Verdict.DISAGREES;
  }

  /** Collects what is known about one number. */
  public static final class Builder {
    private final String id;
    private final String what;
    private @Nullable Double printed;
    private @Nullable Rule rule;
    private boolean isPrinted;
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

    /** Sets a printed number, digit by digit; it stands for all that round or truncate to it. */
    public Builder printed(String digits) {
      BigDecimal value = new BigDecimal(digits);
      return printed(value.doubleValue(), Rule.digits(value));
    }

    /** Sets a count, or a number that is printed with its fraction wherever it has one. */
    public Builder printedExactly(String digits) {
      return digits.contains(".") ? printed(digits) : printed(Long.parseLong(digits), 0);
    }

    /** Sets a printed number that was read off a picture, or is known within a tolerance. */
    public Builder printed(double value, double tolerance) {
      return printed(value, Rule.within(value, tolerance));
    }

    private Builder printed(double value, Rule agreeing) {
      isPrinted = true;
      return rule(value, agreeing);
    }

    /**
     * Sets what a formula or a statement of the document gives for this case. The document does not
     * print this number.
     */
    public Builder stated(double value, double tolerance) {
      return rule(value, Rule.within(value, tolerance).stated());
    }

    /** Sets an upper bound that follows from a statement of the document. */
    public Builder statedAtMost(double value) {
      return rule(value, Rule.atMost(value).stated());
    }

    /** Sets a lower bound that follows from a statement of the document. */
    public Builder statedAtLeast(double value) {
      return rule(value, Rule.atLeast(value).stated());
    }

    private Builder rule(double value, Rule agreeing) {
      printed = value;
      rule = agreeing;
      return this;
    }

    /** Sets the value by this library's function. */
    public Builder formula(double value) {
      formula = value;
      return this;
    }

    /** Sets a count of successes in independent trials. */
    public Builder measured(long successes, long trials) {
      return measured(Measured.of(successes, trials));
    }

    /** Sets a measured value and the interval that holds the true one, except with this chance. */
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

    /** Sets a value that was counted and has no error. */
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
      boolean isMeasured = measured != null && !result(null, null).isVague();
      Comparison comparison = comparison(isMeasured);
      return result(comparison, comparison == null ? null : (Boolean) agrees(isMeasured));
    }

    private Result result(@Nullable Comparison comparison, @Nullable Boolean agrees) {
      String words = rule == null ? null : rule.words();
      return new Result(
          id,
          what,
          printed,
          words,
          formula,
          measured,
          low,
          high,
          alpha,
          comparison,
          agrees,
          erratum);
    }

    private @Nullable Comparison comparison(boolean isMeasured) {
      int sources = (rule == null ? 0 : 1) + (formula == null ? 0 : 1) + (isMeasured ? 1 : 0);
      if (sources < 2) {
        return null;
      }
      if (!isPrinted) {
        return Comparison.OWN_FIGURE;
      }
      return isMeasured ? Comparison.PRINTED_AND_MEASURED : Comparison.PRINTED_AND_COMPUTED;
    }

    private boolean agrees(boolean isMeasured) {
      if (formula == null) {
        return rule != null && low != null && high != null && rule.overlaps(low, high);
      }
      boolean asPrinted = rule == null || rule.accepts(formula);
      return asPrinted && (!isMeasured || holds(low, high, formula, ROUNDING * Math.abs(formula)));
    }
  }
}
