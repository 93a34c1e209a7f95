package dev.bellows.cli.plan;

import dev.bellows.answers.JavaCode;
import dev.bellows.answers.PlanFields;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.LikelihoodPlan;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.ThresholdOptions;
import dev.bellows.internal.base.Prose;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bellows plan autoscale}: the best thresholds for a size that is fixed. */
@Command(
    name = "autoscale",
    description = {
      "Tunes the thresholds of an autoscaling filter.",
      "A position hits when its counter exceeds theta; a key is accepted when at least decision of"
          + " its positions hit. For a size and a number of hashes that are fixed while the number"
          + " of keys is not."
    },
    footer = {
      "  bellows plan autoscale --bits 10000 --hashes 100 --keys 500 --min-tpr 97%%",
      "  bellows plan autoscale --bits 10000 --hashes 100 --keys 500 --min-tpr 97%% \\",
      "    --theta 3",
      "  bellows plan autoscale --bits 10000 --hashes 100 --keys 5000 \\",
      "    --criterion cost --cost-fp 5 --present-share 10%%"
    })
final class PlanAutoscale extends Verb {
  private static final int MOST_HASHES_OF_THE_LIKELIHOOD = 4096;

  @Option(
      names = "--bits",
      paramLabel = "M",
      required = true,
      description = "The number of counters.")
  long bits;

  @Option(
      names = "--hashes",
      paramLabel = "K",
      required = true,
      description = "Distinct positions per key.")
  int hashes;

  @Option(
      names = "--keys",
      paramLabel = "N",
      required = true,
      description = "Distinct keys, e.g. 10000, 10k, 1M.")
  long keys;

  @Option(
      names = "--theta",
      paramLabel = "T",
      description = "Find the best decision for this theta only (default: the best of both).")
  @Nullable Long theta;

  @Mixin ThresholdOptions thresholds = new ThresholdOptions();

  @Override
  public Integer call() throws IOException {
    Criterion criterion = thresholds.criterion();
    double minTpr = thresholds.minTpr();
    ThresholdPlan plan =
        theta == null
            ? ThresholdPlan.tune(bits, hashes, keys, criterion, minTpr)
            : ThresholdPlan.forTheta(bits, hashes, keys, theta, criterion, minTpr);
    ThresholdPlan.Rule rule =
        theta == null
            ? new ThresholdPlan.Rule.Tuned(criterion, minTpr)
            : new ThresholdPlan.Rule.Fixed(theta, plan.decision());
    int width = ThresholdPlan.counterBits(bits, hashes, keys, rule);
    LikelihoodPlan likelihood =
        hashes > MOST_HASHES_OF_THE_LIKELIHOOD
            ? null
            : LikelihoodPlan.tune(bits, hashes, keys, criterion, minTpr, 32);
    return report(
        PlanFields.autoscale(plan, criterion, minTpr, width, likelihood),
        page(plan, width, likelihood));
  }

  private String page(ThresholdPlan plan, int width, @Nullable LikelihoodPlan likelihood) {
    String score = thresholds.criterion().word();
    Report facts =
        new Report()
            .add("keys", keys)
            .add("counters", bits, "of " + width + " bits, if keys are only added")
            .add("hashes", hashes)
            .add("theta", plan.theta(), "hit: counter > theta")
            .add("decision", plan.decision(), "accept: hits >= decision")
            .add(
                "tpr",
                share(plan.tpr()),
                "Pr(Bin(k, px) >= decision), px = Pr(Bin(n-1, k/m) >= theta)")
            .add("fpr", plan.fpr(), "Pr(Bin(k, py) >= decision), py = Pr(Bin(n, k/m) > theta)")
            .add(
                "accuracy",
                Double.isNaN(plan.accuracy()) ? "unknown" : Prose.format("%.6f", plan.accuracy()),
                "(tpr + 1 - fpr) / 2");
    if (!score.equals("accuracy")) {
      double value = thresholds.criterion().score(plan.tpr(), plan.fpr());
      facts.add(
          score,
          Prose.format("%.6g", Math.abs(value)),
          score.equals("cost") ? "mean per query, lower is better" : "");
    }
    if (likelihood != null && keys > 0) {
      facts.add(
          "likelihood reading",
          Prose.format("tpr %.5f, fpr %.5g", likelihood.tpr(), likelihood.fpr()),
          "of the same counters");
    }
    double minTpr = thresholds.minTpr();
    return "An autoscaling filter, %stuned for %s%s\n\n"
            .formatted(
                theta == null ? "" : "theta given, the decision ",
                score,
                minTpr > 0 ? " with a tpr of at least " + minTpr : "")
        + facts
        + (keys == 0 ? "" : "\n" + plainAlternative(plan, width))
        + "\nIn Java:\n  AutoscalingBloomFilter.builder().bits(%dL).hashes(%d)%s.build()\n"
            .formatted(bits, hashes, java(plan));
  }

  /** Returns the builder's calls for the thresholds. */
  private String java(ThresholdPlan plan) {
    if (theta != null) {
      return ".thresholds(" + plan.theta() + ", " + plan.decision() + ")";
    }
    return JavaCode.criterion(thresholds.criterion())
        + (thresholds.minTpr() > 0 ? ".minTpr(" + thresholds.minTpr() + ")" : "");
  }

  private String plainAlternative(ThresholdPlan plan, int width) {
    return ThresholdPlan.plainAlternative(bits, width, keys, plan.rates(), thresholds.criterion())
        + "\n";
  }

  private static String share(double tpr) {
    return Double.isNaN(tpr) ? "unknown, nothing is stored" : Prose.format("%.5g %%", 100 * tpr);
  }
}
