package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Groups;
import dev.bellows.cli.console.NamedFiles;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Other thresholds, or another rule for them, than the autoscaling filter of a file has. */
public final class RetuneOptions {
  @ArgGroup(
      validate = false,
      heading = "%nOther thresholds, only kind autoscale:%n",
      order = Groups.AUTOSCALE)
  private Group group = new Group();

  /** The options: thresholds, or what they are tuned for. */
  static final class Group extends ThresholdOptions {
    @Option(
        names = "--theta",
        paramLabel = "T",
        description = "A position hits when its counter exceeds T.")
    @Nullable Long theta;

    @Option(
        names = "--decision",
        paramLabel = "D",
        description =
            "Accept a key when at least D of its positions hit (default: the best for --theta).")
    @Nullable Integer decision;
  }

  /** Returns the name of an option that was given, or null if none was. */
  @Nullable String given() {
    return group.theta != null ? "--theta" : group.decision != null ? "--decision" : group.given();
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
    if (group.given() != null) {
      throw new CommandFailure(
          ("%s tunes the thresholds, but --theta %d and --decision %d fix both: "
                  + "leave out one of them")
              .formatted(group.given(), theta, decision));
    }
    return new ThresholdPlan.Rule.Fixed(theta, decision);
  }

  /** Returns the criterion and the least TPR that were given; what was not is as in the file. */
  private ThresholdPlan.Rule.Tuned tuned(ThresholdPlan.Rule present) {
    if (!(present instanceof ThresholdPlan.Rule.Tuned tuned)) {
      return new ThresholdPlan.Rule.Tuned(group.criterion(), group.minTpr());
    }
    return new ThresholdPlan.Rule.Tuned(
        group.criterion(tuned.criterion()), group.minTpr == null ? tuned.minTpr() : group.minTpr);
  }
}
