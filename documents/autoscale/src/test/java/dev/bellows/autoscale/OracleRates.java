package dev.bellows.autoscale;

import static dev.bellows.plan.Oracles.assertClose;

import dev.bellows.plan.Oracles;
import dev.bellows.plan.Oracles.Case;

/** Compares the rates of a reading with the oracles. */
public final class OracleRates {
  private OracleRates() {}

  /** Rates against a structured output with TPR, FNR, FPR and ACC. */
  public static void assertRates(ThresholdPlan.Rates rates, Case c) {
    assertClose(rates.tpr(), c.expected("TPR"), Oracles.CLOSED_FORM);
    assertClose(rates.fnr(), c.expected("FNR"), Oracles.CLOSED_FORM);
    assertClose(rates.fpr(), c.expected("FPR"), Oracles.CLOSED_FORM);
    assertClose(rates.accuracy(), c.expected("ACC"), Oracles.CLOSED_FORM);
  }
}
