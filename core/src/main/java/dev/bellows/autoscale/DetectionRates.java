package dev.bellows.autoscale;

/**
 * How often a decision is right for stored and wrong for absent keys.
 *
 * <p>The false negative rate is stored besides the true positive rate because {@code 1 - tpr} has
 * no precise digits where only few stored keys are missed (errata <a
 * href="{@docRoot}/doc-files/errata.html#A6">A6</a>). Without stored keys both are NaN.
 *
 * @param tpr the share of stored keys that are accepted
 * @param fnr the share of stored keys that are rejected
 * @param fpr the share of absent keys that are accepted
 */
public record DetectionRates(double tpr, double fnr, double fpr) {
  /** {@code (TPR + 1 - FPR) / 2}, the mean of the two shares of right answers (004, 4.1). */
  public double accuracy() {
    return (tpr + (1 - fpr)) / 2;
  }
}
