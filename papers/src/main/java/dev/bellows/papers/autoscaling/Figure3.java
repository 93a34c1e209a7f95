package dev.bellows.papers.autoscaling;

import static dev.bellows.papers.autoscaling.Setting.BITS;
import static dev.bellows.papers.autoscaling.Setting.HASHES;
import static dev.bellows.papers.autoscaling.Setting.KEYS;

import dev.bellows.papers.Item;
import dev.bellows.papers.MeanInterval;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.plan.Criterion;
import dev.bellows.plan.LikelihoodPlan;
import dev.bellows.plan.ThresholdPlan;
import java.util.Arrays;

/** The highest accuracy at every theta from 0 to 20. */
public final class Figure3 implements Item {
  private static final int HIGHEST = 20;
  private static final int FIRST_SIX = 6;
  private static final int FILTERS = 100;
  private static final int ASKED = 200;

  @Override
  public String id() {
    return "004/figure-3";
  }

  @Override
  public String title() {
    return "Figure 3: the highest accuracy for theta = 0 to 20";
  }

  @Override
  public String paragraph() {
    return "The accuracy of the best T at every theta, n = 500, m = 10 000, k = 100, without a least TPR."
        + " It rises to theta = 4 and falls to one half, where nothing exceeds theta; the text lets it"
        + " rise to 5 and takes the first six values for those of Figure 2, which are lower because"
        + " they keep a TPR of .97 (A8). Added: the likelihood reading, which sums the logarithms of"
        + " the counters instead of comparing them with theta. It is right in .992 of the cases, where"
        + " the best theta reaches .967. Four-bit counters give the same values up to theta = 14.";
  }

  @Override
  public boolean fast() {
    return false;
  }

  @Override
  public Outcome compute() {
    Outcome outcome = new Outcome();
    outcome.columns("theta", "T", "tpr", "fpr", "acc", "measured", "low", "high", "accAtTpr97");
    double[] thetas = new double[HIGHEST + 1];
    double[] formula = new double[HIGHEST + 1];
    double[] limited = new double[HIGHEST + 1];
    double[] measured = new double[HIGHEST + 1];
    double[] low = new double[HIGHEST + 1];
    double[] high = new double[HIGHEST + 1];
    for (int theta = 0; theta <= HIGHEST; theta++) {
      ThresholdPlan plan = Figure2.plan(theta, 0);
      Answers answers =
          Answers.of(
              FILTERS, ASKED, seed -> Setting.asked(seed, KEYS, plan.theta(), plan.decision()));
      MeanInterval interval = answers.accuracy(Result.ALPHA);
      thetas[theta] = theta;
      formula[theta] = plan.accuracy();
      limited[theta] = Figure2.plan(theta, Figure2.LEAST_TPR).accuracy();
      measured[theta] = interval.mean();
      low[theta] = interval.low();
      high[theta] = interval.high();
      outcome.row(
          theta,
          plan.decision(),
          plan.tpr(),
          plan.fpr(),
          formula[theta],
          measured[theta],
          low[theta],
          high[theta],
          limited[theta]);
      Result.Builder acc =
          Result.of(id() + "/theta=" + theta, "ACC with T = " + plan.decision())
              .formula(formula[theta]);
      if (theta == HIGHEST) {
        acc.printed("0.5");
      }
      outcome.add(answers.accuracyTo(acc).build());
    }
    claims(outcome, formula, limited);
    LikelihoodPlan likelihood = likelihood(outcome);
    double[] level = new double[HIGHEST + 1];
    Arrays.fill(level, likelihood.accuracy());
    return outcome.picture(
        "Accuracy over theta: up to 0.967 at theta 4, down to one half at 20",
        Chart.of(
                "Highest accuracy by theta, n = 500",
                Axis.linear("theta").between(0, HIGHEST),
                Axis.linear("accuracy").between(0.45, 1))
            .dashed("likelihood reading", 2, thetas, level)
            .curve("best T", 0, thetas, formula)
            .dashed(
                "TPR at least .97 (Figure 2)",
                3,
                Arrays.copyOf(thetas, FIRST_SIX),
                Arrays.copyOf(limited, FIRST_SIX))
            .marks("printed", 5, new double[] {4, 20}, new double[] {0.97, 0.5})
            .points("measured", 1, thetas, measured, low, high)
            .toSvg());
  }

  private void claims(Outcome outcome, double[] formula, double[] limited) {
    for (int theta = 0; theta < FIRST_SIX; theta++) {
      outcome.add(
          Result.of(id() + "/first-six/theta=" + theta, "ACC, said to be that of Figure 2")
              .printed(limited[theta], 5e-5)
              .formula(formula[theta])
              .erratum("A8")
              .build());
    }
    int peak = 0;
    for (int theta = 1; theta <= HIGHEST; theta++) {
      peak = formula[theta] > formula[peak] ? theta : peak;
    }
    int rise = 0;
    while (formula[rise + 1] > formula[rise]) {
      rise++;
    }
    outcome.add(Result.of(id() + "/peak", "theta of the peak").printed("4").formula(peak).build());
    outcome.add(
        Result.of(id() + "/rise", "last theta of the rise")
            .printed(5, 0)
            .formula(rise)
            .erratum("A8")
            .build());
  }

  private LikelihoodPlan likelihood(Outcome outcome) {
    LikelihoodPlan plan = LikelihoodPlan.tune(BITS, HASHES, KEYS, Criterion.accuracy(), 0, 32);
    Answers answers = Setting.likelihood(30, KEYS, KEYS, 0);
    outcome.add(
        answers
            .accuracyTo(Result.of(id() + "/likelihood", "ACC of the likelihood reading"))
            .formula(plan.accuracy())
            .build());
    return plan;
  }
}
