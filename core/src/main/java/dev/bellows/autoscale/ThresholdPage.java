package dev.bellows.autoscale;

import dev.bellows.internal.base.Prose;
import dev.bellows.plan.DetectionRates;

/** The part of {@code explain()} about thresholds. */
final class ThresholdPage {
  private ThresholdPage() {}

  static String of(long theta, long decision, DetectionRates rates) {
    boolean empty = Double.isNaN(rates.tpr());
    return Prose.format(
        """
          theta              %d: a position hits when its counter exceeds it
          decision           %d: a key is accepted when so many of its positions hit
          stored keys found  %s
          accuracy           %s
        """,
        theta,
        decision,
        empty ? "no keys yet" : Prose.format("%.4g %%", 100 * rates.tpr()),
        empty ? "unknown" : Prose.format("%.5f", rates.accuracy()));
  }
}
