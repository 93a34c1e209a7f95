package dev.bellows.autoscale;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The quantity that the thresholds of an autoscaling filter are tuned for (Autoscaling paper,
 * Section 4.1).
 *
 * <p>The score is the quantity as it is usually defined; higher is better. The loss is its distance
 * from the best possible score. The loss remains precise where the score is so close to the best
 * value that rounding hides the difference, so planners compare losses.
 */
public sealed interface Criterion {
  /** Returns the name of this criterion in command line options and JSON. */
  String word();

  /** Returns the score at these rates. */
  double score(double tpr, double fpr);

  /**
   * Returns the distance from the best possible score, computed from the rates of wrong answers.
   */
  double loss(double fnr, double fpr);

  /** Returns the parameters by their names in JSON, in the order of the factory method. */
  Map<String, Double> numbers();

  /** Returns the accuracy {@code (TPR + 1 - FPR) / 2}, the default. */
  static Criterion accuracy() {
    return new Accuracy();
  }

  /** Returns the average cost of a query. */
  static Criterion cost(double costFp, double costFn, double presentShare) {
    return new Cost(costFp, costFn, presentShare);
  }

  /** Returns the F1 score for a given share of stored keys among the queries. */
  static Criterion f1(double presentShare) {
    return new F1(presentShare);
  }

  /**
   * Returns Matthews' correlation coefficient for a given share of stored keys among the queries.
   */
  static Criterion mcc(double presentShare) {
    return new Mcc(presentShare);
  }

  /** The average of the fractions of correct answers among stored keys and among absent keys. */
  record Accuracy() implements Criterion {
    @Override
    public String word() {
      return "accuracy";
    }

    @Override
    public Map<String, Double> numbers() {
      return Map.of();
    }

    @Override
    public double score(double tpr, double fpr) {
      return (tpr + (1 - fpr)) / 2;
    }

    @Override
    public double loss(double fnr, double fpr) {
      return (fnr + fpr) / 2;
    }
  }

  /**
   * The average cost of a query; the score is its negative. One of the two costs may be zero:
   * {@code costFn = 0} with a minimum TPR minimizes the FPR alone.
   *
   * @param costFp the cost of accepting an absent key
   * @param costFn the cost of rejecting a stored key
   * @param presentShare the share of stored keys among the queries
   */
  record Cost(double costFp, double costFn, double presentShare) implements Criterion {
    public Cost {
      Checks.probability(presentShare, "presentShare");
      if (!(costFp >= 0 && costFn >= 0 && costFp + costFn > 0 && costFp + costFn < 1e300)) {
        throw new IllegalArgumentException(
            "costs must be finite, non-negative and not both zero: costFp "
                + costFp
                + ", costFn "
                + costFn);
      }
    }

    @Override
    public String word() {
      return "cost";
    }

    @Override
    public Map<String, Double> numbers() {
      Map<String, Double> numbers = new LinkedHashMap<>();
      numbers.put("costFp", costFp);
      numbers.put("costFn", costFn);
      numbers.put("presentShare", presentShare);
      return numbers;
    }

    @Override
    public double score(double tpr, double fpr) {
      return -loss(1 - tpr, fpr);
    }

    @Override
    public double loss(double fnr, double fpr) {
      return presentShare * costFn * fnr + (1 - presentShare) * costFp * fpr;
    }
  }

  /**
   * The harmonic mean of precision and recall, {@code 2TP / (2TP + FP + FN)}.
   *
   * @param presentShare the share of stored keys among the queries
   */
  record F1(double presentShare) implements Criterion {
    public F1 {
      Checks.probability(presentShare, "presentShare");
    }

    @Override
    public String word() {
      return "f1";
    }

    @Override
    public Map<String, Double> numbers() {
      return Map.of("presentShare", presentShare);
    }

    @Override
    public double score(double tpr, double fpr) {
      double twice = 2 * presentShare * tpr;
      return twice / (twice + wrong(1 - tpr, fpr));
    }

    @Override
    public double loss(double fnr, double fpr) {
      double wrong = wrong(fnr, fpr);
      return wrong / (2 * presentShare * (1 - fnr) + wrong);
    }

    private double wrong(double fnr, double fpr) {
      return presentShare * fnr + (1 - presentShare) * fpr;
    }
  }

  /**
   * Matthews' correlation coefficient between truth and answer; 0 if all answers are the same.
   *
   * @param presentShare the share of stored keys among the queries
   */
  record Mcc(double presentShare) implements Criterion {
    public Mcc {
      Checks.probability(presentShare, "presentShare");
    }

    @Override
    public String word() {
      return "mcc";
    }

    @Override
    public Map<String, Double> numbers() {
      return Map.of("presentShare", presentShare);
    }

    @Override
    public double score(double tpr, double fpr) {
      double accepted = presentShare * tpr + (1 - presentShare) * fpr;
      double rejected = presentShare * (1 - tpr) + (1 - presentShare) * (1 - fpr);
      if (accepted == 0 || rejected == 0) {
        return 0;
      }
      double spread = presentShare / accepted * ((1 - presentShare) / rejected);
      return (tpr - fpr) * Math.sqrt(spread);
    }

    @Override
    public double loss(double fnr, double fpr) {
      if (fnr + fpr > 0.5) {
        return 1 - score(1 - fnr, fpr);
      }
      // near 1, 1 - score is computed by logarithms, which keeps the precision of both rates
      double odds = (1 - presentShare) / presentShare;
      double log =
          Precise.log1p(-(fnr + fpr))
              - Precise.log1p(odds * fpr - fnr) / 2
              - Precise.log1p(fnr / odds - fpr) / 2;
      return -Precise.expm1(log);
    }
  }
}
