package dev.bellows.autoscale;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.plan.Oracles;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class CriterionTest {
  @TestFactory
  Stream<DynamicTest> f1AndMcc() {
    return Oracles.cases(
        "004_abf",
        "f1_and_mcc",
        (c, all) -> {
          double share = c.real("stored") / c.real("universe");
          double tpr = c.real("TPR");
          double fpr = c.real("FPR");
          assertClose(Criterion.f1(share).score(tpr, fpr), c.expected("F1"), CLOSED_FORM);
          assertClose(Criterion.mcc(share).score(tpr, fpr), c.expected("MCC"), CLOSED_FORM);
        });
  }

  @Test
  void lossIsOneMinusTheScore() {
    for (double share : new double[] {0.01, 0.3, 0.5, 0.9}) {
      for (double tpr = 0; tpr <= 1; tpr += 0.0625) {
        for (double fpr = 0; fpr <= 1; fpr += 0.0625) {
          for (Criterion c :
              List.of(Criterion.accuracy(), Criterion.f1(share), Criterion.mcc(share))) {
            assertThat(c.loss(1 - tpr, fpr)).isCloseTo(1 - c.score(tpr, fpr), Offset.offset(1e-14));
          }
          Criterion cost = Criterion.cost(2, 3, share);
          assertThat(cost.loss(1 - tpr, fpr)).isEqualTo(-cost.score(tpr, fpr));
        }
      }
    }
  }

  @Test
  void lossesStayPreciseWhenScoresRoundToOne() {
    assertThat(Criterion.accuracy().loss(1e-30, 3e-30)).isEqualTo(2e-30);
    assertClose(Criterion.f1(0.5).loss(2e-30, 4e-30), 3e-30, CLOSED_FORM);
    // d(1 - MCC) = FNR (1 + s/(1-s)) / 2 + FPR (1 + (1-s)/s) / 2
    assertClose(Criterion.mcc(0.2).loss(2e-30, 4e-30), 1.25e-30 + 10e-30, CLOSED_FORM);
  }

  @Test
  void costCountsBothKindsOfErrors() {
    Criterion cost = Criterion.cost(10, 1, 0.25);
    assertThat(cost.loss(0.4, 0.1)).isCloseTo(0.25 * 0.4 + 0.75, Offset.offset(1e-15));
    Criterion even = Criterion.cost(1, 1, 0.5);
    assertThat(even.loss(0.4, 0.1)).isEqualTo(Criterion.accuracy().loss(0.4, 0.1));
  }

  @Test
  void invalidArgumentsAreRefused() {
    assertThatThrownBy(() -> Criterion.f1(0)).hasMessageContaining("presentShare");
    assertThatThrownBy(() -> Criterion.mcc(1)).hasMessageContaining("presentShare");
    assertThatThrownBy(() -> Criterion.cost(-1, 1, 0.5)).hasMessageContaining("costFp -1.0");
    assertThatThrownBy(() -> Criterion.cost(0, 0, 0.5)).hasMessageContaining("both zero");
    assertThatThrownBy(() -> Criterion.cost(1, Double.NaN, 0.5)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> Criterion.cost(Double.POSITIVE_INFINITY, 1, 0.5))
        .hasMessageContaining("finite");
  }
}
