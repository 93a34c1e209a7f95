package dev.bellows.cli.kinds;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.RateRule;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * {@code --max-fpp}, and the rule of {@link RateRule} for the filter that a verb is about to write:
 * a useless one is refused, a poor one is written with a warning.
 */
public final class RateLimit {
  @Option(
      names = "--max-fpp",
      paramLabel = "P",
      description =
          "Write the filter even if its false positive rate is as high as P, or only up to P"
              + " (default: 50%%). Above twice its target rate there is a warning.")
  @Nullable Double maxFpp;

  /**
   * A rate to judge.
   *
   * @param subject the filter, at the beginning of a sentence
   * @param rate the expected false positive rate
   * @param requested the rate that the command was given; null if none
   * @param target the rate that the filter is meant to have otherwise; null if none
   * @param wayOut what to do about it
   */
  public record Case(
      String subject,
      double rate,
      @Nullable Double requested,
      @Nullable Double target,
      Supplier<String> wayOut) {
    private @Nullable Double aim() {
      return requested == null ? target : requested;
    }
  }

  /** Returns the rate, or the limit if that is lower. */
  public double atMost(double rate) {
    return Math.min(rate, RateRule.limit(null, maxFpp));
  }

  /** Refuses a rate above the limit before anything is written. */
  public void require(
      String subject, double rate, @Nullable Double requested, Supplier<String> wayOut) {
    double limit = RateRule.limit(requested, maxFpp);
    if (rate > limit) {
      refuse(new Case(subject, rate, requested, null, wayOut), limit);
    }
  }

  /** Refuses a filter of a kind that follows the common rule, or warns of it. */
  public void check(Console console, Case one) {
    double limit = RateRule.limit(one.requested, maxFpp);
    switch (RateRule.judge(one.rate, one.aim(), limit)) {
      case USELESS -> refuse(one, limit);
      case POOR -> warn(console, one);
      case GOOD -> {}
    }
  }

  /** Refuses a filter or warns of it, by the rule of its kind. */
  public void check(Console console, KindAdapter<?> adapter, Case one) {
    if (adapter.rates() == null) {
      check(console, one);
    } else if (maxFpp != null && one.rate > maxFpp) {
      refuse(one, maxFpp);
    }
    String complaint = adapter.complaint();
    if (complaint != null) {
      console.say("warning: " + complaint);
    }
  }

  /** Returns the case of a filter after keys were put into it. */
  public static Case filled(KindAdapter<?> adapter, FilterStats stats, String subject) {
    return new Case(
        subject,
        stats.expectedFpp(),
        null,
        RateRule.target(stats),
        () -> adapter.roomAdvice(stats));
  }

  private static void refuse(Case one, double limit) {
    throw new CommandFailure(
        "%s would have a false positive rate of %s, above --max-fpp %s: %s, or give a higher"
            + " --max-fpp",
        one.subject, Prose.rate(one.rate), limit, one.wayOut.get());
  }

  /** Warns of a poor rate. */
  public static void warn(Console console, Case one) {
    Double aim = one.aim();
    String comparison =
        aim == null
            ? ""
            : ", more than twice "
                + (one.requested == null ? "its target of " : "the requested ")
                + Prose.rate(aim);
    console.say(
        "warning: %s has a false positive rate of %s%s: %s",
        one.subject, Prose.rate(one.rate), comparison, one.wayOut.get());
  }

  /** Warns of a poor or useless rate that is never refused: a single part of several. */
  public static void warnOnly(Console console, Case one) {
    if (RateRule.judge(one.rate, one.aim()) != RateRule.Verdict.GOOD) {
      warn(console, one);
    }
  }
}
