package dev.bellows.autoscale;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The quantity that the thresholds of an autoscaling filter are tuned for (Autoscaling paper,
 * Section 4.1).
 *
 * <p>The score is the quantity as it is usually defined; higher is better. The loss is its distance
 * from the best possible score. The loss remains precise where the score is so close to the best
 * value that rounding hides the difference, so planners compare losses.
 *
 * @param measure the definition of the score
 * @param costFp the cost of accepting an absent key; 0 except for {@link Measure#COST}
 * @param costFn the cost of rejecting a stored key; 0 except for {@link Measure#COST}
 * @param presentShare the share of stored keys among the queries; 0 for {@link Measure#ACCURACY}
 */
public record Criterion(Measure measure, double costFp, double costFn, double presentShare) {
  /** The definition of a score. */
  public enum Measure {
    /** The average of the fractions of correct answers among stored keys and among absent keys. */
    ACCURACY,
    /**
     * The average cost of a query; the score is its negative. One of the two costs may be zero:
     * {@code costFn = 0} with a minimum TPR minimizes the FPR alone.
     */
    COST,
    /** The harmonic mean of precision and recall, {@code 2TP / (2TP + FP + FN)}. */
    F1,
    /**
     * Matthews' correlation coefficient between truth and answer; 0 if all answers are the same.
     */
    MCC
  }

  /** Checks the numbers that the measure uses; the others become 0. */
  public Criterion {
    if (measure == Measure.ACCURACY) {
      presentShare = 0;
    } else {
      Checks.probability(presentShare, "presentShare");
    }
    if (measure != Measure.COST) {
      costFp = 0;
      costFn = 0;
    } else if (!(costFp >= 0 && costFn >= 0 && costFp + costFn > 0 && costFp + costFn < 1e300)) {
      throw new IllegalArgumentException(
          "costs must be finite, non-negative and not both zero: costFp "
              + costFp
              + ", costFn "
              + costFn);
    }
  }

  /** Returns the accuracy {@code (TPR + 1 - FPR) / 2}, the default. */
  public static Criterion accuracy() {
    return new Criterion(Measure.ACCURACY, 0, 0, 0);
  }

  /** Returns the average cost of a query. */
  public static Criterion cost(double costFp, double costFn, double presentShare) {
    return new Criterion(Measure.COST, costFp, costFn, presentShare);
  }

  /** Returns the F1 score for a given share of stored keys among the queries. */
  public static Criterion f1(double presentShare) {
    return new Criterion(Measure.F1, 0, 0, presentShare);
  }

  /**
   * Returns Matthews' correlation coefficient for a given share of stored keys among the queries.
   */
  public static Criterion mcc(double presentShare) {
    return new Criterion(Measure.MCC, 0, 0, presentShare);
  }

  /** Returns the name of this criterion in command line options and JSON. */
  public String word() {
    return measure.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the parameters by their names in JSON, in the order of the factory method. */
  public Map<String, Double> numbers() {
    Map<String, Double> numbers = new LinkedHashMap<>();
    if (measure == Measure.COST) {
      numbers.put("costFp", costFp);
      numbers.put("costFn", costFn);
    }
    if (measure != Measure.ACCURACY) {
      numbers.put("presentShare", presentShare);
    }
    return numbers;
  }

  /** Returns the score at these rates. */
  public double score(double tpr, double fpr) {
    return switch (measure) {
      case ACCURACY -> (tpr + (1 - fpr)) / 2;
      case COST -> -loss(1 - tpr, fpr);
      case F1 -> {
        double twice = 2 * presentShare * tpr;
        yield twice / (twice + wrong(1 - tpr, fpr));
      }
      case MCC -> correlation(tpr, fpr);
    };
  }

  /**
   * Returns the distance from the best possible score, computed from the rates of wrong answers.
   */
  public double loss(double fnr, double fpr) {
    return switch (measure) {
      case ACCURACY -> (fnr + fpr) / 2;
      case COST -> presentShare * costFn * fnr + (1 - presentShare) * costFp * fpr;
      case F1 -> {
        double wrong = wrong(fnr, fpr);
        yield wrong / (2 * presentShare * (1 - fnr) + wrong);
      }
      case MCC -> fnr + fpr > 0.5 ? 1 - correlation(1 - fnr, fpr) : nearPerfectLoss(fnr, fpr);
    };
  }

  private double wrong(double fnr, double fpr) {
    return presentShare * fnr + (1 - presentShare) * fpr;
  }

  private double correlation(double tpr, double fpr) {
    double accepted = presentShare * tpr + (1 - presentShare) * fpr;
    double rejected = presentShare * (1 - tpr) + (1 - presentShare) * (1 - fpr);
    if (accepted == 0 || rejected == 0) {
      return 0;
    }
    double spread = presentShare / accepted * ((1 - presentShare) / rejected);
    return (tpr - fpr) * Math.sqrt(spread);
  }

  /** Returns 1 - correlation by logarithms, which keeps the precision of both rates near 1. */
  private double nearPerfectLoss(double fnr, double fpr) {
    double odds = (1 - presentShare) / presentShare;
    double log =
        Precise.log1p(-(fnr + fpr))
            - Precise.log1p(odds * fpr - fnr) / 2
            - Precise.log1p(fnr / odds - fpr) / 2;
    return -Precise.expm1(log);
  }
}
