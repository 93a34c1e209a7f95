package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Groups;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * Other thresholds, or another rule for them, than the autoscaling filter of a file has. The
 * options of {@link ThresholdOptions} are declared again, because a group belongs to one place
 * only.
 */
public final class RetuneOptions {
  @ArgGroup(
      validate = false,
      heading = "%nOther thresholds, only kind autoscale:%n",
      order = Groups.AUTOSCALE)
  private Group group = new Group();

  /** The options. */
  static final class Group {
    @Option(
        names = "--theta",
        paramLabel = "T",
        converter = Numbers.Count.class,
        description = "A position hits when its counter exceeds T.")
    @Nullable Long theta;

    @Option(
        names = "--decision",
        paramLabel = "D",
        converter = Numbers.SmallCount.class,
        description =
            "Accept a key when at least D of its positions hit (default: the best for --theta).")
    @Nullable Integer decision;

    @Option(
        names = "--min-tpr",
        paramLabel = "L",
        converter = Numbers.Probability.class,
        description = "Tune them to find at least this share of the stored keys.")
    @Nullable Double minTpr;

    @Option(
        names = "--criterion",
        paramLabel = "C",
        description = "Tune them for accuracy, cost, f1 or mcc.")
    @Nullable String criterion;

    @Option(
        names = "--present-share",
        paramLabel = "S",
        converter = Numbers.Probability.class,
        description = ThresholdOptions.PRESENT_SHARE)
    @Nullable Double presentShare;

    @Option(
        names = "--cost-fp",
        paramLabel = "X",
        converter = Numbers.Amount.class,
        description = ThresholdOptions.COST_FP)
    @Nullable Double costFp;

    @Option(
        names = "--cost-fn",
        paramLabel = "Y",
        converter = Numbers.Amount.class,
        description = ThresholdOptions.COST_FN)
    @Nullable Double costFn;

    /** What is to be tuned for. */
    private ThresholdOptions tuning() {
      ThresholdOptions tuning = new ThresholdOptions();
      tuning.minTpr = minTpr;
      tuning.criterion = criterion;
      tuning.presentShare = presentShare;
      tuning.costFp = costFp;
      tuning.costFn = costFn;
      return tuning;
    }
  }

  /** The name of an option that was given, or null if none was. */
  @Nullable String given() {
    return group.theta != null
        ? "--theta"
        : group.decision != null ? "--decision" : group.tuning().given();
  }

  /** Changes the thresholds of the filter as it was asked for, if it was. */
  public void apply(Filter filter, String file) {
    if (given() == null) {
      return;
    }
    if (!(filter instanceof AutoscalingBloomFilter autoscaling)) {
      throw new CommandFailure(
          "%s is only valid with a filter of kind autoscale: %s is of kind %s"
              .formatted(given(), NamedFiles.name(file), filter.kind().word()));
    }
    autoscaling.retune(rule(autoscaling));
  }

  private ThresholdPlan.Rule rule(AutoscalingBloomFilter filter) {
    Long theta = group.theta;
    Integer decision = group.decision;
    ThresholdPlan.Rule.Tuned tuned = tuned(filter.rule());
    if (theta == null) {
      if (decision != null) {
        throw new CommandFailure("--decision " + decision + " needs --theta");
      }
      return tuned;
    }
    if (decision == null) {
      ThresholdPlan best =
          ThresholdPlan.forTheta(
              filter.bits(),
              filter.hashes(),
              filter.approximateElementCount(),
              theta,
              tuned.criterion(),
              tuned.minTpr());
      return new ThresholdPlan.Rule.Fixed(theta, best.decision());
    }
    if (group.tuning().given() != null) {
      throw new CommandFailure(
          "%s tunes the thresholds, but --theta %d and --decision %d fix both: leave out one of them"
              .formatted(group.tuning().given(), theta, decision));
    }
    return new ThresholdPlan.Rule.Fixed(theta, decision);
  }

  /** The criterion and the least TPR that were given; what was not is as in the file. */
  private ThresholdPlan.Rule.Tuned tuned(ThresholdPlan.Rule present) {
    ThresholdOptions tuning = group.tuning();
    if (!(present instanceof ThresholdPlan.Rule.Tuned tuned)) {
      return new ThresholdPlan.Rule.Tuned(tuning.criterion(), tuning.minTpr());
    }
    return new ThresholdPlan.Rule.Tuned(
        tuning.criterion(tuned.criterion()),
        tuning.minTpr == null ? tuned.minTpr() : tuning.minTpr);
  }
}
