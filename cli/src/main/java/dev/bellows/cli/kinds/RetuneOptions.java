package dev.bellows.cli.kinds;

import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.OptionGroups;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * Other thresholds, or another rule for them, than the autoscaling filter of a file has; the
 * decision of a binarized filter; and the thresholds through which a counting filter is read.
 */
public final class RetuneOptions {
  @ArgGroup(
      validate = false,
      heading = "%nThresholds, only kinds autoscale, counting and binarized:%n",
      order = OptionGroups.AUTOSCALE)
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

  /** The filter of a file with the requested thresholds: itself if nothing was. */
  public KindAdapter<?> read(KindAdapter<?> adapter, String file) {
    Filter read = read(adapter.filter, file);
    return read == adapter.filter ? adapter : Adapters.of(read);
  }

  /** The filter of a file with the requested thresholds: itself if nothing was. */
  public Filter read(Filter filter, String file) {
    if (given() == null) {
      return filter;
    }
    if (filter instanceof CountingBloomFilter counting) {
      return CountingReading.of(counting, rule(counting)).binarize();
    }
    if (filter instanceof BinarizedFilter binarized) {
      Integer decision = group.decision;
      if (decision == null || group.theta != null || group.given() != null) {
        throw new CommandFailure(
            "%s is of kind %s, whose bits were cut at one theta: only --decision "
                + "can change, not %s",
            NamedFiles.name(file), filter.kind().word(), group.theta != null ? "--theta" : given());
      }
      return binarized.withDecision(decision);
    }
    apply(filter, file);
    return filter;
  }

  private ThresholdPlan.Rule rule(CountingBloomFilter filter) {
    return rule(
        new ThresholdPlan.Rule.Tuned(group.criterion(), group.minTpr()),
        (theta, tuned) ->
            ThresholdPlan.forThetaCounting(
                filter.layout(),
                filter.bits(),
                CountingReading.keysOf(filter),
                theta,
                tuned.criterion(),
                tuned.minTpr()));
  }

  /** Changes the thresholds of an autoscaling filter, if requested. */
  public void apply(Filter filter, String file) {
    if (given() == null) {
      return;
    }
    if (!(filter instanceof AutoscalingBloomFilter autoscaling)) {
      throw new CommandFailure(
          "%s is only valid with filters of kinds autoscale, counting and "
              + "binarized: %s is of kind %s",
          given(), NamedFiles.name(file), filter.kind().word());
    }
    autoscaling.retune(rule(autoscaling));
  }

  private ThresholdPlan.Rule rule(AutoscalingBloomFilter filter) {
    return rule(
        tuned(filter.rule()),
        (theta, tuned) ->
            ThresholdPlan.forTheta(
                filter.bits(),
                filter.hashes(),
                filter.approximateElementCount(),
                theta,
                tuned.criterion(),
                tuned.minTpr()));
  }

  /** The rule that was given; a theta without a decision gets that of the best plan for it. */
  private ThresholdPlan.Rule rule(
      ThresholdPlan.Rule.Tuned tuned,
      BiFunction<Long, ThresholdPlan.Rule.Tuned, ThresholdPlan> best) {
    Long theta = group.theta;
    Integer decision = group.decision;
    if (theta == null && decision != null) {
      throw new CommandFailure("--decision " + decision + " needs --theta");
    }
    if (theta == null) {
      return tuned;
    }
    if (decision == null) {
      return new ThresholdPlan.Rule.Fixed(theta, best.apply(theta, tuned).decision());
    }
    if (group.given() != null) {
      throw new CommandFailure(
          "%s tunes the thresholds, but --theta %d and --decision %d fix both: "
              + "leave out one of them",
          group.given(), theta, decision);
    }
    return new ThresholdPlan.Rule.Fixed(theta, decision);
  }

  /** Returns the criterion and the minimum TPR that were given; what was not is as in the file. */
  private ThresholdPlan.Rule.Tuned tuned(ThresholdPlan.Rule present) {
    if (!(present instanceof ThresholdPlan.Rule.Tuned tuned)) {
      return new ThresholdPlan.Rule.Tuned(group.criterion(), group.minTpr());
    }
    return new ThresholdPlan.Rule.Tuned(
        group.criterion(tuned.criterion()), group.minTpr == null ? tuned.minTpr() : group.minTpr);
  }
}
