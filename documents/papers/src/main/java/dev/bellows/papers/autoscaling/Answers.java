package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Result;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import java.util.function.ToDoubleFunction;

/**
 * What many filters, each hashed again, answered for stored and for absent keys.
 *
 * @param stored the rate of stored keys that were accepted
 * @param absent the rate of absent keys that were accepted
 */
record Answers(ClusteredRate stored, ClusteredRate absent) {
  /** What the page of a filter compares: a rate by formula, and as measured. */
  enum Rate {
    TPR(ThresholdPlan.Rates::tpr, answers -> answers.stored.measured()),
    FPR(ThresholdPlan.Rates::fpr, answers -> answers.absent.measured()),
    ACC(ThresholdPlan.Rates::accuracy, Answers::measuredAccuracy);

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    final ToDoubleFunction<ThresholdPlan.Rates> formula;

    @SuppressWarnings("ImmutableEnumChecker")
    final Function<Answers, Measured> measured;

    Rate(ToDoubleFunction<ThresholdPlan.Rates> formula, Function<Answers, Measured> measured) {
      this.formula = formula;
      this.measured = measured;
    }
  }

  /**
   * Compares the rates with those of a formula.
   *
   * @param number begins a number with its place and what it is
   * @param at the place of the three numbers
   * @param of which filter they belong to, after the name of the rate
   */
  Map<Rate, Result.Builder> compare(
      BiFunction<String, String, Result.Builder> number,
      String at,
      String of,
      ThresholdPlan.Rates right) {
    Map<Rate, Result.Builder> numbers = new EnumMap<>(Rate.class);
    for (Rate rate : Rate.values()) {
      numbers.put(
          rate,
          number
              .apply(at + rate.name().toLowerCase(Locale.ROOT), rate + of)
              .formula(rate.formula.applyAsDouble(right))
              .measured(rate.measured.apply(this)));
    }
    return numbers;
  }

  /**
   * Queries filters.
   *
   * @param filters how many
   * @param queries stored keys, 0 and up, and absent keys, -1 and down, that are queried in each
   * @param filled the filter with a seed, filled with the keys from 0 up
   */
  static Answers of(int filters, int queries, IntFunction<LongPredicate> filled) {
    long[] stored = new long[filters];
    long[] absent = new long[filters];
    for (int i = 0; i < filters; i++) {
      LongPredicate filter = filled.apply(i);
      for (long key = 0; key < queries; key++) {
        stored[i] += filter.test(key) ? 1 : 0;
        absent[i] += filter.test(-1 - key) ? 1 : 0;
      }
    }
    return new Answers(new ClusteredRate(stored, queries), new ClusteredRate(absent, queries));
  }

  /** Returns the accuracy, (TPR + 1 - FPR) / 2. */
  double accuracy() {
    return (stored.rate() + 1 - absent.rate()) / 2;
  }

  /** Returns the interval of the accuracy, from those of the two rates with half the alpha each. */
  Measured measuredAccuracy() {
    Measured tpr = stored.interval(Result.ALPHA / 2);
    Measured fpr = absent.interval(Result.ALPHA / 2);
    return new Measured(
        accuracy(),
        (tpr.low() + 1 - fpr.high()) / 2,
        (tpr.high() + 1 - fpr.low()) / 2,
        Result.ALPHA);
  }
}
