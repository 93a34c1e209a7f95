package dev.bellows.autoscale;

import dev.bellows.Layout;
import dev.bellows.internal.autoscale.BlockedEvidence;
import dev.bellows.internal.autoscale.CounterLoad;
import dev.bellows.internal.autoscale.Repetition;
import dev.bellows.internal.autoscale.ThresholdRates;
import dev.bellows.internal.autoscale.ThresholdRates.Hits;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Binomial;
import java.util.Objects;

/**
 * The two thresholds of an autoscaling filter and their predicted rates. The thresholds are those
 * of the Autoscaling paper, Eq. 21 and Eq. 22.
 *
 * <p>The search tries every theta from 0 to {@code nk/m + 12 sqrt(nk/m + 1) + 12} (see erratum <a
 * href="{@docRoot}/doc-files/errata.html#A5">A5</a>; px - py is largest near nk/m and below 1e-30
 * beyond twelve standard deviations; on the lower side, everything beyond them except theta = 0 is
 * skipped), and every decision for each theta. Among equally good pairs it chooses the smaller
 * theta, then the larger decision (see erratum <a
 * href="{@docRoot}/doc-files/errata.html#A6">A6</a>). It compares losses, not scores, so that
 * nearly perfect filters can still be distinguished.
 *
 * <p><strong>Narrow counters.</strong> A saturating counter of c bits shows min(count, 2^c - 1).
 * The filter only tests whether count > theta. If theta &lt;= 2^c - 2, then count > theta if and
 * only if min(count, 2^c - 1) > theta: below the maximum both are the same number, and at or above
 * it both are at least 2^c - 1 > theta. While keys are only added, counters of c bits therefore
 * lose nothing up to theta = 2^c - 2. At theta = 2^c - 1 they are useless, because no counter
 * exceeds it. For removals see {@link #saturatedShare}.
 *
 * @param bits number of counters
 * @param hashes number of distinct positions per key
 * @param keys number of distinct keys that the plan is for
 * @param theta a position hits when its counter exceeds this
 * @param decision a key is accepted when at least this many of its positions hit
 * @param rates the predicted rates; the TPR and FNR are NaN if there are no keys
 */
public record ThresholdPlan(
    long bits, int hashes, long keys, long theta, int decision, Rates rates) {
  /** The highest mean count that counters can hold. */
  private static final double MAX_MEAN = 1L << 32;

  /**
   * The maximum number of pairs of theta and decision that a search tries on either side of the
   * mean.
   */
  private static final double MOST_WORK = 1 << 21;

  /** The maximum number of thetas that a search tries on either side of the mean. */
  private static final double MOST_THETAS = 1 << 15;

  /**
   * The same limit for layout BLOCKED, where one theta takes as long as thousands in layout
   * CLASSIC.
   */
  private static final double MOST_BLOCKED_THETAS = 1 << 7;

  /** Losses that differ by less than this are considered equal. */
  static final double TIE = 1e-12;

  /** Returns the plan with the highest accuracy. */
  public static ThresholdPlan tune(long bits, int hashes, long keys) {
    return tune(bits, hashes, keys, Criterion.accuracy(), 0);
  }

  /** Returns the best plan by the criterion among those with a TPR of at least {@code minTpr}. */
  public static ThresholdPlan tune(
      long bits, int hashes, long keys, Criterion criterion, double minTpr) {
    return tune(bits, hashes, keys, criterion, minTpr, maxTheta(32));
  }

  /**
   * Returns the best plan whose theta does not exceed {@code maxTheta}, for counters of limited
   * width.
   */
  public static ThresholdPlan tune(
      long bits, int hashes, long keys, Criterion criterion, double minTpr, long maxTheta) {
    return tune(CounterLoad.distinct(bits, hashes, keys), criterion, minTpr, maxTheta);
  }

  /**
   * Returns the best plan for the counters of a counting filter, where positions of a key may
   * coincide and are then counted separately (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#F6">F6</a>). In layout CLASSIC a counter holds Bin(nk,
   * 1/m), and 1 + Bin(nk - 1, 1/m) at a position of a stored key; in layout BLOCKED the counters of
   * a key share the load of its block and of its words.
   */
  public static ThresholdPlan tuneCounting(
      Layout layout, long bits, long keys, Criterion criterion, double minTpr, long maxTheta) {
    if (!(layout instanceof Layout.Blocked blocked)) {
      return tune(CounterLoad.repeated(bits, layout.hashes(), keys), criterion, minTpr, maxTheta);
    }
    if (keys == 0) {
      return fixedCounting(layout, bits, keys, 0, layout.hashes());
    }
    BlockedEvidence evidence = new BlockedEvidence(blocked.pattern(), bits, keys);
    Search search = new Search(layout.hashes(), criterion, minTpr);
    double mean = checkMean(bits, layout.hashes(), keys);
    double reach = Math.min(reach(mean), MOST_BLOCKED_THETAS);
    long last = Math.min(Checks.notNegative(maxTheta, "maxTheta"), (long) (mean + reach));
    long first = Math.min(last, Math.max(0, (long) (mean - reach)));
    for (long theta = first > 0 ? -1 : 0; theta <= last; theta = Math.max(first, theta + 1)) {
      search.offer(Math.max(0, theta), evidence);
    }
    return search.plan(bits, keys);
  }

  /** Returns the best decision for a given theta, for the counters of a counting filter. */
  public static ThresholdPlan forThetaCounting(
      Layout layout, long bits, long keys, long theta, Criterion criterion, double minTpr) {
    if (!(layout instanceof Layout.Blocked blocked)) {
      return forTheta(CounterLoad.repeated(bits, layout.hashes(), keys), theta, criterion, minTpr);
    }
    checkMinTpr(minTpr);
    Checks.notNegative(theta, "theta");
    if (keys == 0) {
      return fixedCounting(layout, bits, keys, theta, layout.hashes());
    }
    Search search = new Search(layout.hashes(), criterion, minTpr);
    search.offer(theta, new BlockedEvidence(blocked.pattern(), bits, keys));
    return search.plan(bits, keys);
  }

  private static ThresholdPlan tune(
      CounterLoad load, Criterion criterion, double minTpr, long maxTheta) {
    checkMinTpr(minTpr);
    Checks.notNegative(maxTheta, "maxTheta");
    if (load.keys() == 0) {
      return fixed(load, 0, load.hashes());
    }
    double mean = checkMean(load.bits(), load.hashes(), load.keys());
    // limits the search for excessive means, which no useful filter has but a file may claim
    double reach = Math.min(reach(mean), Math.min(MOST_THETAS, MOST_WORK / load.hashes()));
    long last = Math.min(maxTheta, Math.min(load.trials(), (long) (mean + reach)));
    long first = Math.min(last, Math.max(0, (long) (mean - reach)));
    Search search = new Search(load.hashes(), criterion, minTpr);
    if (first > 0) {
      search.offer(0, load.hits(0));
    }
    Hits[] hits = load.hits(first, last);
    for (int i = 0; i < hits.length; i++) {
      search.offer(first + i, hits[i]);
    }
    return search.plan(load.bits(), load.keys());
  }

  /**
   * Returns the best plan for keys that were put once, among others that were put repeatedly, from
   * the distribution of the counters.
   *
   * @param histogram the numbers of counters that hold 0, 1, 2, ..., and the last or more
   */
  private static ThresholdPlan tuneObserved(
      long bits, int hashes, long keys, long[] histogram, Rule.Tuned rule, long maxTheta) {
    double[] stored = Repetition.hits(bits, hashes, histogram);
    Search search = new Search(hashes, rule.criterion(), rule.minTpr());
    int occupied = 0;
    for (long count : histogram) {
      occupied += count > 0 ? 1 : 0;
    }
    int step = 1 + (int) (occupied / Math.min(MOST_THETAS, MOST_WORK / hashes));
    long reached = bits;
    int seen = 0;
    for (int theta = 0; theta < histogram.length && theta <= maxTheta; theta++) {
      reached -= histogram[theta];
      seen += histogram[theta] > 0 ? 1 : 0;
      if (theta == 0 || (histogram[theta] > 0 && seen % step == 0)) {
        double absent = (double) reached / bits;
        search.offer(
            theta,
            new Hits(stored[theta], 1 - stored[theta], absent, 1 - absent, stored[theta] - absent));
      }
    }
    return search.plan(bits, keys);
  }

  /** Returns the best decision for a given theta (Autoscaling paper, Eq. 21). */
  public static ThresholdPlan forTheta(
      long bits, int hashes, long keys, long theta, Criterion criterion, double minTpr) {
    return forTheta(CounterLoad.distinct(bits, hashes, keys), theta, criterion, minTpr);
  }

  private static ThresholdPlan forTheta(
      CounterLoad load, long theta, Criterion criterion, double minTpr) {
    checkMinTpr(minTpr);
    Hits hits = load.hits(theta);
    if (load.keys() == 0) {
      return fixed(load, theta, load.hashes());
    }
    Search search = new Search(load.hashes(), criterion, minTpr);
    search.offer(theta, hits);
    return search.plan(load.bits(), load.keys());
  }

  /** Returns the plan with these two thresholds. */
  public static ThresholdPlan fixed(long bits, int hashes, long keys, long theta, int decision) {
    return fixed(CounterLoad.distinct(bits, hashes, keys), theta, decision);
  }

  /** Returns the plan with these two thresholds, for the counters of a counting filter. */
  public static ThresholdPlan fixedCounting(
      Layout layout, long bits, long keys, long theta, int decision) {
    int hashes = layout.hashes();
    if (!(layout instanceof Layout.Blocked blocked)) {
      return fixed(CounterLoad.repeated(bits, hashes, keys), theta, decision);
    }
    Checks.inRange(0, hashes, decision, "decision");
    Checks.notNegative(theta, "theta");
    BlockedEvidence evidence = new BlockedEvidence(blocked.pattern(), bits, keys);
    double fpr = BlockedEvidence.atLeast(evidence.absent(theta), decision);
    double tpr = keys == 0 ? Double.NaN : BlockedEvidence.atLeast(evidence.stored(theta), decision);
    return new ThresholdPlan(bits, hashes, keys, theta, decision, new Rates(tpr, 1 - tpr, fpr));
  }

  private static ThresholdPlan fixed(CounterLoad load, long theta, int decision) {
    return new ThresholdPlan(
        load.bits(), load.hashes(), load.keys(), theta, decision, rates(load, theta, decision));
  }

  /** Returns the fraction of stored keys that are accepted. */
  public double tpr() {
    return rates.tpr();
  }

  /** Returns the fraction of absent keys that are accepted. */
  public double fpr() {
    return rates.fpr();
  }

  /** Returns {@code (TPR + 1 - FPR) / 2}. */
  public double accuracy() {
    return rates.accuracy();
  }

  /**
   * Returns {@code 2^c - 2}: the largest theta that counters of this many bits support without
   * loss.
   */
  public static long maxTheta(int counterBits) {
    return (1L << Checks.inRange(1, 62, counterBits, "counterBits")) - 2;
  }

  /**
   * Returns the narrowest of 4, 8, 16 and 32 bits with which counters support this theta without
   * loss.
   */
  public static int counterBits(long theta) {
    Checks.inRange(0, maxTheta(32), theta, "theta");
    int width = 4;
    while (theta > maxTheta(width)) {
      width *= 2;
    }
    return width;
  }

  /**
   * Returns the narrowest width that supports, without loss, every theta of a rule while up to
   * {@code maxKeys} keys are added and none is removed. Theta does not rise monotonically with the
   * number of keys, so every step is checked. If that would take seconds, the result is the next
   * width that supports any theta that the rule may choose.
   */
  public static int counterBits(long bits, int hashes, long maxKeys, Rule rule) {
    return new CounterWidths(bits, hashes, rule).narrowest(maxKeys);
  }

  /**
   * Returns {@code Pr(I >= 2^c - 1)}: the fraction of saturated counters. Such a counter no longer
   * shows how many keys it holds, so after removals it would either exceed every theta forever or
   * be too low for the remaining keys.
   */
  public static double saturatedShare(long bits, int hashes, long keys, int counterBits) {
    return ThresholdRates.hits(bits, hashes, keys, maxTheta(counterBits)).absent();
  }

  /**
   * Returns the largest distance from the mean at which counts are considered (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#A5">A5</a>).
   */
  static double reach(double mean) {
    return 12 * Math.sqrt(mean + 1) + 12;
  }

  /** Returns the mean count, or throws if counters of 32 bits cannot hold it. */
  static double checkMean(long bits, int hashes, long keys) {
    double mean = (double) keys * hashes / bits;
    if (mean > MAX_MEAN) {
      throw new IllegalArgumentException(
          String.format(
              "%d keys with %d hashes in %d counters give an average count of %.3g, too high for 32"
                  + " bits: use more counters or fewer keys",
              keys, hashes, bits, mean));
    }
    return mean;
  }

  static void checkMinTpr(double minTpr) {
    if (!(minTpr >= 0 && minTpr <= 1)) {
      throw new IllegalArgumentException("minTpr must be in [0, 1]: " + minTpr);
    }
  }

  /** The best thresholds offered so far. */
  private static final class Search {
    private final int hashes;
    private final Criterion criterion;
    private final double minTpr;
    private double leastLoss = Double.POSITIVE_INFINITY;
    private long theta;
    private int decision;
    private Rates rates = new Rates(1, 0, 1);

    // reused for each of the thousands of thetas that a search tries
    private double[] stored;
    private double[] absent;
    private final double[] fnr;
    private final double[] tnr;

    Search(int hashes, Criterion criterion, double minTpr) {
      this.hashes = hashes;
      this.criterion = criterion;
      this.minTpr = minTpr;
      this.stored = new double[hashes + 1];
      this.absent = new double[hashes + 1];
      this.fnr = new double[hashes + 1];
      this.tnr = new double[hashes + 1];
    }

    ThresholdPlan plan(long bits, long keys) {
      return new ThresholdPlan(bits, hashes, keys, theta, decision, rates);
    }

    void offer(long candidate, Hits hits) {
      Binomial.of(hashes, hits.stored(), hits.storedMiss()).probabilities(0, stored);
      Binomial.of(hashes, hits.absent(), hits.absentMiss()).probabilities(0, absent);
      offerAllDecisions(candidate);
    }

    void offer(long candidate, BlockedEvidence evidence) {
      stored = evidence.stored(candidate);
      absent = evidence.absent(candidate);
      offerAllDecisions(candidate);
    }

    private void offerAllDecisions(long candidate) {
      for (int i = 1; i <= hashes; i++) {
        fnr[i] = fnr[i - 1] + stored[i - 1];
        tnr[i] = tnr[i - 1] + absent[i - 1];
      }
      double tpr = 0;
      double fpr = 0;
      for (int i = hashes; i >= 0; i--) {
        tpr += stored[i];
        fpr += absent[i];
        double accepted = fnr[i] < tpr ? 1 - fnr[i] : tpr;
        if (minTpr == 1 ? candidate > 0 && i > 0 : accepted < minTpr) {
          continue;
        }
        double missed = tpr < fnr[i] ? 1 - tpr : fnr[i];
        double wrong = tnr[i] < fpr ? 1 - tnr[i] : fpr;
        double loss = criterion.loss(missed, wrong);
        if (loss < leastLoss * (1 - TIE)) {
          leastLoss = loss;
          theta = candidate;
          decision = i;
          rates = new Rates(accepted, missed, wrong);
        }
      }
    }
  }

  /** Returns the TPR, FNR and FPR of two thresholds (Autoscaling paper, Eq. 19 and Eq. 20). */
  public static Rates rates(long bits, int hashes, long keys, long theta, int decision) {
    return rates(CounterLoad.distinct(bits, hashes, keys), theta, decision);
  }

  private static Rates rates(CounterLoad load, long theta, int decision) {
    int hashes = load.hashes();
    Hits hits = load.hits(theta);
    Checks.inRange(0, hashes, decision, "decision");
    double fpr = Binomial.of(hashes, hits.absent(), hits.absentMiss()).atLeast(decision);
    if (load.keys() == 0) {
      return new Rates(Double.NaN, Double.NaN, fpr);
    }
    Binomial stored = Binomial.of(hashes, hits.stored(), hits.storedMiss());
    return new Rates(stored.atLeast(decision), stored.atMost(decision - 1L), fpr);
  }

  /**
   * Returns a sentence that compares the thresholds with a plain filter in the same memory.
   *
   * @param counterBits bits per counter
   * @param rates the rates of the thresholds
   */
  public static String plainAlternative(
      long bits, int counterBits, long keys, Rates rates, Criterion criterion) {
    return PlainChoice.sentence(bits, counterBits, keys, rates, criterion);
  }

  /**
   * The fractions of right and wrong answers for stored and absent keys.
   *
   * <p>The false negative rate is stored in addition to the true positive rate because {@code 1 -
   * tpr} loses its precision if few stored keys are missed (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#A6">A6</a>). If there are no stored keys, both are NaN.
   *
   * @param tpr the fraction of stored keys that are accepted
   * @param fnr the fraction of stored keys that are rejected
   * @param fpr the fraction of absent keys that are accepted
   */
  public record Rates(double tpr, double fnr, double fpr) {
    /**
     * Returns {@code (TPR + 1 - FPR) / 2}, the average of the two fractions of correct answers
     * (Autoscaling paper, Section 4.1).
     */
    public double accuracy() {
      return (tpr + (1 - fpr)) / 2;
    }
  }

  /**
   * The rule for the thresholds of an autoscaling filter: tuned to its number of keys, or fixed by
   * the caller.
   */
  public sealed interface Rule {
    /**
     * Returns the thresholds for a number of keys, and the range of numbers of keys that they apply
     * to.
     *
     * @param maxTheta the largest theta that the counters support, see {@link #maxTheta}
     */
    Thresholds thresholds(long bits, int hashes, long keys, long maxTheta);

    /**
     * Thresholds that are tuned to the number of keys, in steps that lose at most 0.1 % of the
     * criterion's range compared with tuning at every key. The minimum TPR applies to the TPR that
     * the model predicts.
     *
     * <p>The steps are a function of the number of keys alone, so the thresholds of a filter do not
     * depend on whether it grew, shrank or was read from a file. Thresholds are tuned for the
     * lowest number of keys of their step. Adding keys only raises the TPR of given thresholds, so
     * a minimum TPR holds in the whole step.
     *
     * <p><strong>Length of a step.</strong> One more key raises the mean count by k/m, which shifts
     * the number of hits of an absent key by about {@code k/m * k / sqrt(2 pi nk/m)} with theta
     * near the mean. The number of hits has a standard deviation of at most sqrt(k)/2, so s more
     * keys shift it by {@code 0.8 s k / sqrt(n m)} standard deviations. The initial length of a
     * step makes that about 0.08, where a smooth optimum loses less than 0.001. Not every optimum
     * is smooth: where another pair of thresholds becomes the best, and where a minimum TPR is
     * reached, the loss is linear, and where a better pair becomes permitted, the loss jumps. The
     * loss at the end of the step is therefore computed, and the step is halved until the loss is
     * small enough. All lengths are powers of two, and all steps begin at multiples of their
     * length.
     *
     * @param criterion the criterion that the thresholds are tuned for
     * @param minTpr the minimum TPR of the thresholds
     */
    record Tuned(Criterion criterion, double minTpr) implements Rule {
      private static final double LONGEST = 0.1;

      private static final long REPEATED_STEP = 64;

      /** Less than the specified 0.001, because the loss is computed only at the ends of steps. */
      private static final double MAX_LOSS = 0.0008;

      /** Checks the minimum TPR. */
      public Tuned {
        Objects.requireNonNull(criterion, "criterion");
        checkMinTpr(minTpr);
      }

      @Override
      public Thresholds thresholds(long bits, int hashes, long keys, long maxTheta) {
        ThresholdRates.check(bits, hashes, keys);
        if (keys == 0) {
          return new Thresholds(0, 0, 0, hashes);
        }
        double maxLoss = MAX_LOSS * criterion.loss(1, 1);
        for (long step = longestStep(bits, hashes, keys); ; step /= 2) {
          long from = keys - keys % step;
          long to = from + step - 1;
          ThresholdPlan plan = tune(bits, hashes, from, criterion, minTpr, maxTheta);
          if (step == 1 || loss(plan, to, maxTheta) <= maxLoss) {
            return new Thresholds(from, to, plan.theta, plan.decision);
          }
        }
      }

      /**
       * Returns the thresholds for these counters, in which keys were put repeatedly. They are
       * tuned for the keys that were put once, which are the hardest to find, and serve until the
       * number of puts has changed by 1.5 %.
       */
      Thresholds thresholds(long bits, int hashes, long puts, long maxTheta, long[] histogram) {
        ThresholdPlan plan = tuneObserved(bits, hashes, puts, histogram, this, maxTheta);
        long around = puts / REPEATED_STEP;
        return new Thresholds(puts - around, puts + around, plan.theta, plan.decision);
      }

      private static long longestStep(long bits, int hashes, long keys) {
        long octave = Long.highestOneBit(keys);
        double step = LONGEST * Math.sqrt((double) octave * bits) / hashes;
        return Math.min(octave, Long.highestOneBit(Math.max(1, (long) step)));
      }

      /**
       * Returns the loss of a plan at another number of keys, compared with the best plan there.
       */
      private double loss(ThresholdPlan plan, long keys, long maxTheta) {
        Rates kept = ThresholdPlan.rates(plan.bits, plan.hashes, keys, plan.theta, plan.decision);
        Rates best = tune(plan.bits, plan.hashes, keys, criterion, minTpr, maxTheta).rates;
        return criterion.loss(kept.fnr, kept.fpr) - criterion.loss(best.fnr, best.fpr);
      }
    }

    /**
     * The same thresholds at every number of keys.
     *
     * @param theta a position hits when its counter exceeds this
     * @param decision a key is accepted when at least this many of its positions hit
     */
    record Fixed(long theta, int decision) implements Rule {
      /** Checks that neither is negative. */
      public Fixed {
        Checks.notNegative(theta, "theta");
        Checks.notNegative(decision, "decision");
      }

      @Override
      public Thresholds thresholds(long bits, int hashes, long keys, long maxTheta) {
        return new Thresholds(0, Long.MAX_VALUE, theta, decision);
      }
    }

    /**
     * Thresholds and the range of numbers of keys that they apply to.
     *
     * @param from the lowest number of keys, which tuned thresholds are tuned for
     * @param to the highest number of keys
     * @param theta a position hits when its counter exceeds this
     * @param decision a key is accepted when at least this many of its positions hit
     */
    public record Thresholds(long from, long to, long theta, int decision) {
      /** Returns whether these thresholds apply to this number of keys. */
      public boolean serve(long keys) {
        return from <= keys && keys <= to;
      }
    }
  }
}
