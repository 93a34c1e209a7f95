package dev.bellows.internal.answers;

import dev.bellows.autoscale.Criterion;

/** Plans as Java code to paste, the same on the command line and on the page. */
public final class JavaCode {
  private JavaCode() {}

  /** The builder's call for a criterion of thresholds; none for the usual one. */
  public static String criterion(Criterion criterion) {
    if (criterion instanceof Criterion.Cost cost) {
      return ".criterion(Criterion.cost(%s, %s, %s))"
          .formatted(cost.costFp(), cost.costFn(), cost.presentShare());
    }
    if (criterion instanceof Criterion.F1 f1) {
      return ".criterion(Criterion.f1(" + f1.presentShare() + "))";
    }
    return criterion instanceof Criterion.Mcc mcc
        ? ".criterion(Criterion.mcc(" + mcc.presentShare() + "))"
        : "";
  }
}
