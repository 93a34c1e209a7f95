package dev.bellows.cli;

import dev.bellows.plan.Criterion;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** What the thresholds of an autoscaling filter are tuned for. */
final class ThresholdOptions {
  private static final List<String> CRITERIA = List.of("accuracy", "cost", "f1", "mcc");

  @Spec(Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  CommandSpec spec;

  @Option(
      names = "--min-tpr",
      paramLabel = "L",
      converter = Numbers.Probability.class,
      description = "autoscale: find at least this share of the stored keys (default: 0).")
  @Nullable Double minTpr;

  @Option(
      names = "--criterion",
      paramLabel = "C",
      description = "autoscale: tune thresholds for accuracy, cost, f1 or mcc (default: accuracy).")
  @Nullable String criterion;

  @Option(
      names = "--present-share",
      paramLabel = "S",
      converter = Numbers.Probability.class,
      description =
          "autoscale: the share of stored keys among the queries, for cost, f1 and mcc (default:"
              + " 0.5).")
  @Nullable Double presentShare;

  @Option(
      names = "--cost-fp",
      paramLabel = "X",
      converter = Numbers.Amount.class,
      description = "autoscale: what it costs to accept an absent key (default: 1).")
  @Nullable Double costFp;

  @Option(
      names = "--cost-fn",
      paramLabel = "Y",
      converter = Numbers.Amount.class,
      description = "autoscale: what it costs to reject a stored key (default: 1).")
  @Nullable Double costFn;

  /** The name of an option that was given, or null if none was. */
  @Nullable String given() {
    if (minTpr != null) {
      return "--min-tpr";
    }
    if (criterion != null) {
      return "--criterion";
    }
    if (presentShare != null) {
      return "--present-share";
    }
    return costOption();
  }

  private @Nullable String costOption() {
    if (costFp != null) {
      return "--cost-fp";
    }
    return costFn == null ? null : "--cost-fn";
  }

  double minTpr() {
    return or(minTpr, 0);
  }

  Criterion criterion() {
    String word = criterion == null ? "accuracy" : criterion;
    if (!word.equals("cost") && costOption() != null) {
      throw misuse(costOption() + " needs --criterion cost, not " + word);
    }
    double share = or(presentShare, 0.5);
    switch (word) {
      case "accuracy":
        if (presentShare != null) {
          throw misuse("--present-share needs --criterion cost, f1 or mcc, not accuracy");
        }
        return Criterion.accuracy();
      case "cost":
        return Criterion.cost(or(costFp, 1), or(costFn, 1), share);
      case "f1":
        return Criterion.f1(share);
      case "mcc":
        return Criterion.mcc(share);
      default:
        throw misuse(
            Text.quote(word) + " is no criterion: take one of " + String.join(", ", CRITERIA));
    }
  }

  private static double or(@Nullable Double value, double otherwise) {
    return value == null ? otherwise : value;
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** The word of a criterion. */
  static String word(Criterion criterion) {
    if (criterion instanceof Criterion.Cost) {
      return "cost";
    }
    if (criterion instanceof Criterion.F1) {
      return "f1";
    }
    return criterion instanceof Criterion.Mcc ? "mcc" : "accuracy";
  }
}
