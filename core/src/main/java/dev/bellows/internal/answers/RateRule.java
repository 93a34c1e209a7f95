package dev.bellows.internal.answers;

import dev.bellows.FilterStats;
import dev.bellows.Mergeable;
import org.jspecify.annotations.Nullable;

/**
 * When a false positive rate is worth a warning and when a filter is useless: the one rule of every
 * command that writes a filter, and of the planner page.
 *
 * <ul>
 *   <li>Up to twice its target rate a filter is good.
 *   <li>Above that it is poor: the command warns and names the way out.
 *   <li>Above 50 % it is useless: the command refuses to write it, unless the user accepts such a
 *       rate.
 * </ul>
 *
 * <p>The target is the rate that was requested, or that the filter stores; a filter of bits or
 * counters stores none, and its target is the rate of its layout at its design load ({@link
 * dev.bellows.Layout#designFpp}).
 *
 * <p>Three kinds follow rules of their own, because a single rate does not describe them:
 *
 * <ul>
 *   <li>autoscaling and binarized filters may miss keys, so what counts is by how much they accept
 *       stored keys more often than absent ones ({@link #tellsLittle}). They warn and are never
 *       refused: their thresholds already are the best for their size.
 *   <li>a range filter has one rate per attribute and stores no target. It warns of an attribute
 *       above 50 %, and is refused where the mean rate is above it.
 * </ul>
 */
public final class RateRule {
  /** A rate above this multiple of its target is poor. */
  public static final double TOLERATED = 2;

  /** A filter with a higher rate is useless. */
  public static final double HIGHEST = Mergeable.DEFAULT_MAX_FPP;

  /** A plain filter at {@link #HIGHEST} accepts stored keys more often than absent ones by this. */
  private static final double LEAST_DIFFERENCE = 1 - HIGHEST;

  /** What a rate is worth. */
  public enum Verdict {
    /** Within twice the target. */
    GOOD,
    /** More than twice the target. */
    POOR,
    /** Above what is accepted at all. */
    USELESS
  }

  private RateRule() {}

  /**
   * Returns the verdict on a rate.
   *
   * @param rate the expected false positive rate
   * @param target the rate that it is meant to have; null if there is none
   * @param limit the highest rate that is accepted: {@link #limit}
   */
  public static Verdict judge(double rate, @Nullable Double target, double limit) {
    if (rate > limit) {
      return Verdict.USELESS;
    }
    return target != null && rate > TOLERATED * target ? Verdict.POOR : Verdict.GOOD;
  }

  /** Returns the verdict on a rate where the user accepts no higher limit. */
  public static Verdict judge(double rate, @Nullable Double target) {
    return judge(rate, target, limit(target, null));
  }

  /**
   * Returns the highest rate that is accepted: what the user says, otherwise 50 %, or the requested
   * rate if that is higher.
   */
  public static double limit(@Nullable Double requested, @Nullable Double accepted) {
    if (accepted != null) {
      return accepted;
    }
    return requested == null ? HIGHEST : Math.max(HIGHEST, requested);
  }

  /**
   * Returns the target of a filter: the rate that it keeps, or the rate of its layout at its design
   * load; null for kinds that have a rule of their own.
   */
  public static @Nullable Double target(FilterStats stats) {
    return switch (stats.kind()) {
      case AUTOSCALING, BINARIZED, RANGE -> null;
      default -> {
        Double kept = stats.targetFpp();
        yield kept != null || stats.layout() == null
            ? kept
            : Double.valueOf(stats.layout().designFpp());
      }
    };
  }

  /**
   * Returns whether a filter that may miss keys tells stored from absent ones no better than a
   * plain filter with a rate of 50 %.
   *
   * @param tpr the share of stored keys that it accepts
   * @param fpr the share of absent keys that it accepts
   */
  public static boolean tellsLittle(double tpr, double fpr) {
    return tpr - fpr < LEAST_DIFFERENCE;
  }
}
