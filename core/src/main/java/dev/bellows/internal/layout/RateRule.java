package dev.bellows.internal.layout;

import dev.bellows.FilterStats;
import org.jspecify.annotations.Nullable;

/**
 * The rule that decides when a false positive rate causes a warning and when a filter is useless.
 * All commands that write filters use it, and so do the merges of all kinds and the planner page.
 *
 * <ul>
 *   <li>Up to twice its target rate a filter is good.
 *   <li>Above that it is poor: the command warns and names the way out.
 *   <li>Above 50 % it is useless: the command refuses to write it, unless the user accepts such a
 *       rate.
 * </ul>
 *
 * <p>A program sees no warnings: in Java a merge throws if its result is poor, unless the caller
 * passes the rate that it accepts ({@link #mergeLimit}).
 *
 * <p>The target is the rate that was requested or that the filter stores. Plain and counting
 * filters store none; their target is the rate of their layout at its design load ({@link
 * dev.bellows.Layout#designFpp}).
 *
 * <p>Some kinds have their own rules:
 *
 * <ul>
 *   <li>Autoscaling and binarized filters may miss keys, so they are judged by how much more often
 *       they accept stored keys than absent ones ({@link #tellsLittle}). They may cause a warning
 *       but are never refused, because their thresholds are already the best for their size.
 *   <li>A range filter has one rate per attribute and stores no target. An attribute above 50 %
 *       causes a warning; the filter is refused if the average rate is above 50 %.
 * </ul>
 */
public final class RateRule {
  /** The multiple of its target above which a rate is poor. */
  public static final double TOLERATED = 2;

  /** The rate above which a filter is useless. */
  public static final double HIGHEST = 0.5;

  /**
   * The difference between the rates at which a plain filter at {@link #HIGHEST} accepts stored and
   * absent keys.
   */
  private static final double LEAST_DIFFERENCE = 1 - HIGHEST;

  /** The verdict on a rate. */
  public enum Verdict {
    /** Within twice the target. */
    GOOD,
    /** More than twice the target. */
    POOR,
    /** Above the highest accepted rate. */
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

  /** Returns the verdict on a rate with the default limit. */
  public static Verdict judge(double rate, @Nullable Double target) {
    return judge(rate, target, limit(target, null));
  }

  /**
   * Returns the highest rate that a merge accepts by default: one that is neither poor nor useless.
   */
  public static double mergeLimit(double target) {
    return Math.min(HIGHEST, TOLERATED * target);
  }

  /**
   * Returns the highest accepted rate: the one that the user accepts or, by default, 50 % or the
   * requested rate if that is higher.
   */
  public static double limit(@Nullable Double requested, @Nullable Double accepted) {
    if (accepted != null) {
      return accepted;
    }
    return requested == null ? HIGHEST : Math.max(HIGHEST, requested);
  }

  /**
   * Returns the target of a filter: the rate that it stores, or the rate of its layout at its
   * design load; null for kinds that have their own rule.
   */
  public static @Nullable Double target(FilterStats stats) {
    return switch (stats.kind()) {
      case AUTOSCALING, BINARIZED, ELASTIC, RANGE -> null;
      default -> {
        Double kept = stats.targetFpp();
        yield kept != null || stats.layout() == null
            ? kept
            : Double.valueOf(stats.layout().designFpp());
      }
    };
  }

  /**
   * Returns whether a filter that may miss keys distinguishes stored from absent keys no better
   * than a plain filter with a rate of 50 %.
   *
   * @param tpr the fraction of stored keys that it accepts
   * @param fpr the fraction of absent keys that it accepts
   */
  public static boolean tellsLittle(double tpr, double fpr) {
    return tpr - fpr < LEAST_DIFFERENCE;
  }

  /** Returns the highest false positive rate at which such a filter still tells keys apart. */
  public static double mostFpp(double tpr) {
    return Math.max(0, tpr - LEAST_DIFFERENCE);
  }
}
