package dev.bellows.papers.autoscaling;

import static dev.bellows.papers.autoscaling.Setting.BITS;
import static dev.bellows.papers.autoscaling.Setting.HASHES;
import static dev.bellows.papers.autoscaling.Setting.KEYS;

import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.LikelihoodPlan;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;

/** The highest accuracy at every theta from 0 to 20. */
public final class Figure3 extends Item {
  private static final int HIGHEST = 20;
  private static final int FIRST_SIX = 6;
  private static final int FILTERS = 100;
  private static final int QUERIES = 200;

  Figure3() {
    super(
        "004/figure-3",
        "Figure 3: the highest accuracy for theta = 0 to 20",
        """
        The accuracy of the best T at every theta, n = 500, m = 10,000, k = 100, without a minimum
        TPR. It rises up to theta = 4 and then falls to one half, where no counter exceeds theta.
        The text says that it rises up to 5 and that the first six values are those of Figure 2,
        which are lower because they keep a TPR of 0.97 (A8). This page adds the likelihood
        reading, which sums the logarithms of the counters instead of comparing them with theta.
        Its accuracy is 0.992, compared with 0.967 for the best theta. Four-bit counters give the
        same values up to theta = 14.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    columns("theta, T, tpr, fpr, acc, measured, low, high, accAtTpr97");
    Chart chart =
        chart(
            "Accuracy over theta: up to 0.967 at theta 4, down to one half at 20",
            "Highest accuracy by theta, n = 500",
            Axis.linear("theta").between(0, HIGHEST),
            Axis.linear("accuracy").between(0.45, 1));
    Points likelihood = chart.dashed("likelihood reading", 2);
    Points formula = chart.curve("best T", 0);
    Points limited = chart.dashed("TPR at least 0.97 (Figure 2)", 3);
    chart.marks("printed", 5).add(4, 0.97).add(20, 0.5);
    Points measured = chart.points("measured", 1);
    for (int theta = 0; theta <= HIGHEST; theta++) {
      ThresholdPlan plan = Figure2.plan(theta, 0);
      double atTpr97 = Figure2.plan(theta, Figure2.LEAST_TPR).accuracy();
      Measured accuracy =
          Answers.of(FILTERS, QUERIES, seed -> Setting.accepting(seed, plan)).measuredAccuracy();
      formula.add(theta, plan.accuracy());
      measured.add(theta, accuracy);
      if (theta < FIRST_SIX) {
        limited.add(theta, atTpr97);
      }
      row(theta, plan.decision(), plan.tpr(), plan.fpr(), plan.accuracy(), accuracy, atTpr97);
      Result.Builder acc =
          number("theta=" + theta, "ACC with T = " + plan.decision())
              .formula(plan.accuracy())
              .measured(accuracy);
      if (theta == HIGHEST) {
        acc.printed("0.5");
      }
    }
    claims(formula.ys(), limited.ys());
    double accuracy = likelihood().accuracy();
    for (int theta = 0; theta <= HIGHEST; theta++) {
      likelihood.add(theta, accuracy);
    }
  }

  private void claims(double[] formula, double[] limited) {
    for (int theta = 0; theta < FIRST_SIX; theta++) {
      number("first-six/theta=" + theta, "ACC, according to the text that of Figure 2")
          .stated(limited[theta], 5e-5)
          .formula(formula[theta])
          .erratum("A8");
    }
    int peak = 0;
    for (int theta = 1; theta <= HIGHEST; theta++) {
      peak = formula[theta] > formula[peak] ? theta : peak;
    }
    int rise = 0;
    while (formula[rise + 1] > formula[rise]) {
      rise++;
    }
    number("peak", "theta of the peak").printed("4").formula(peak);
    number("rise", "last theta of the rise").printed(5, 0).formula(rise).erratum("A8");
  }

  private LikelihoodPlan likelihood() {
    LikelihoodPlan plan = LikelihoodPlan.tune(BITS, HASHES, KEYS, Criterion.accuracy(), 0, 32);
    Answers answers = Setting.likelihood(30, KEYS, KEYS, 0);
    number("likelihood", "ACC of the likelihood reading")
        .measured(answers.measuredAccuracy())
        .formula(plan.accuracy());
    return plan;
  }
}
