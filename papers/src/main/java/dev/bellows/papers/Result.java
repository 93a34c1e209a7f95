package dev.bellows.papers;

import dev.bellows.internal.rates.BinomialInterval;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One number of a document: as printed there, by the formula, and measured. They agree iff the
 * formula gives the printed value to its last digit and lies in the measured interval; whatever is
 * not known does not disagree.
 *
 * @param id the item's id and the place in it: {@code 003/table-4-1/n=700/k=8}
 * @param what the number in words
 * @param printed as in the document
 * @param formula by this library's function, errata applied
 * @param measured by a simulation with this library
 * @param low the lower end of the measured interval
 * @param high its upper end
 * @param alpha the chance that the interval misses the truth
 * @param agrees whether all that is known of it agrees
 * @param erratum the entry of the errata that says why the printed value is not the right one
 */
public record Result(
    String id,
    String what,
    @Nullable Double printed,
    @Nullable Double formula,
    @Nullable Double measured,
    @Nullable Double low,
    @Nullable Double high,
    @Nullable Double alpha,
    boolean agrees,
    @Nullable String erratum) {
  /** The chance that a measured interval misses the truth. */
  public static final double ALPHA = 1e-9;

  private static final double ROUNDING = 1e-12;

  /** Begins a result. */
  public static Builder of(String id, String what) {
    return new Builder(id, what);
  }

  /** The fields by name, as results.json has them. */
  public Map<String, @Nullable Object> fields() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("id", id);
    fields.put("what", what);
    fields.put("printed", printed);
    fields.put("formula", formula);
    fields.put("measured", measured);
    fields.put("low", low);
    fields.put("high", high);
    fields.put("alpha", alpha);
    fields.put("agrees", agrees);
    fields.put("erratum", erratum);
    return fields;
  }

  /** Whether the formula lies outside the measured interval: an approximation shown as such. */
  public boolean missed() {
    return formula != null && !holds(low, high, formula, ROUNDING * Math.abs(formula));
  }

  private static boolean holds(
      @Nullable Double low, @Nullable Double high, double value, double slack) {
    return low == null || high == null || (low - slack <= value && value <= high + slack);
  }

  /** A disagreement that no erratum explains. */
  public boolean unexplained() {
    return !agrees && erratum == null;
  }

  /** Collects what is known of one number. */
  public static final class Builder {
    private final String id;
    private final String what;
    private @Nullable Double printed;
    private double printedTolerance;
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

    /** A printed number, digit by digit; it stands for all that round or cut to it. */
    public Builder printed(String digits) {
      BigDecimal value = new BigDecimal(digits);
      return printed(value.doubleValue(), value.ulp().doubleValue());
    }

    /** A number read off a picture, or known within a tolerance. */
    public Builder printed(double value, double tolerance) {
      printed = value;
      printedTolerance = tolerance * (1 + 1e-9);
      return this;
    }

    /** The right value. */
    public Builder formula(double value) {
      formula = value;
      return this;
    }

    /** A count of successes in independent trials. */
    public Builder measured(long successes, long trials) {
      BinomialInterval interval = BinomialInterval.of(successes, trials, ALPHA);
      return measured((double) successes / trials, interval.low(), interval.high(), ALPHA);
    }

    /** A measured value with the interval that holds the true one with chance 1 - alpha. */
    public Builder measured(double value, double from, double to, double chanceOfMiss) {
      measured = value;
      low = from;
      high = to;
      alpha = chanceOfMiss;
      return this;
    }

    /** A value that was counted, not estimated. */
    public Builder counted(double value) {
      measured = value;
      low = value;
      high = value;
      return this;
    }

    /** The erratum that corrects the printed value. */
    public Builder erratum(@Nullable String entry) {
      erratum = entry == null ? null : Errata.require(entry);
      return this;
    }

    /** The result, with its verdict. */
    public Result build() {
      return new Result(
          id, what, printed, formula, measured, low, high, alpha, agreement(), erratum);
    }

    private boolean agreement() {
      if (formula == null) {
        return printed == null || holds(low, high, printed, printedTolerance);
      }
      boolean asPrinted = printed == null || Math.abs(printed - formula) <= printedTolerance;
      return asPrinted && holds(low, high, formula, ROUNDING * Math.abs(formula));
    }
  }
}
