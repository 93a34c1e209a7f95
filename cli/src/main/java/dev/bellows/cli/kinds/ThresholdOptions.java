package dev.bellows.cli.kinds;

import dev.bellows.autoscale.Criterion;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Numbers;
import dev.bellows.internal.base.Prose;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the thresholds of an autoscaling filter are tuned for. */
public class ThresholdOptions {

  private static final double EVEN_SHARE = 0.5;

  @Option(
      names = "--min-tpr",
      paramLabel = "L",
      description = "Find at least this share of the stored keys (default: 0).")
  @Nullable Double minTpr;

  @Option(
      names = "--criterion",
      paramLabel = "C",
      description = "Tune thresholds for accuracy (default), cost, f1 or mcc.")
  @Nullable String criterion;

  @Option(
      names = "--present-share",
      paramLabel = "S",
      description =
          "The share of stored keys among the queries, for cost, f1 and mcc (default: 0.5).")
  @Nullable Double presentShare;

  @Option(
      names = "--cost-fp",
      paramLabel = "X",
      converter = Numbers.Amount.class,
      description = "The cost of accepting an absent key (default: 1).")
  @Nullable Double costFp;

  @Option(
      names = "--cost-fn",
      paramLabel = "Y",
      converter = Numbers.Amount.class,
      description = "The cost of rejecting a stored key (default: 1).")
  @Nullable Double costFn;

  /** Returns the name of an option that was given, or null if none was. */
  final @Nullable String given() {
    if (minTpr != null) {
      return "--min-tpr";
    }
    if (criterion != null) {
      return "--criterion";
    }
    return presentShare != null ? "--present-share" : costOption();
  }

  private @Nullable String costOption() {
    return costFp != null ? "--cost-fp" : costFn != null ? "--cost-fn" : null;
  }

  public final double minTpr() {
    return or(minTpr, 0);
  }

  /** Returns what to tune for by default. */
  public final Criterion criterion() {
    return criterion(Criterion.accuracy());
  }

  /** Returns what to tune for instead of the present criterion; what was not given stays. */
  public final Criterion criterion(Criterion present) {
    String word = criterion == null ? present.word() : criterion;
    if (!word.equals("cost") && costOption() != null) {
      throw new CommandFailure(costOption() + " needs --criterion cost, not " + word);
    }
    if (word.equals("accuracy") && presentShare != null) {
      throw new CommandFailure("--present-share needs --criterion cost, f1 or mcc, not accuracy");
    }
    Criterion cost = present.word().equals("cost") ? present : Criterion.cost(1, 1, EVEN_SHARE);
    double share = or(presentShare, word.equals(present.word()) ? share(present) : EVEN_SHARE);
    return switch (word) {
      case "accuracy" -> Criterion.accuracy();
      case "cost" -> Criterion.cost(or(costFp, cost.costFp()), or(costFn, cost.costFn()), share);
      case "f1" -> Criterion.f1(share);
      case "mcc" -> Criterion.mcc(share);
      default ->
          throw new CommandFailure(
              Prose.quote(word) + " is not a criterion: use one of accuracy, cost, f1, mcc");
    };
  }

  private static double share(Criterion criterion) {
    return criterion.numbers().getOrDefault("presentShare", EVEN_SHARE);
  }

  private static double or(@Nullable Double value, double otherwise) {
    return value == null ? otherwise : value;
  }
}
