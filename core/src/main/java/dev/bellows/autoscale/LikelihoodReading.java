package dev.bellows.autoscale;

import dev.bellows.HashScheme;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.layout.DistinctPositions;

/**
 * The likelihood reading of an autoscaling filter: a view that any thread may query, also while
 * others change the filter.
 *
 * <p>The evidence for a key is the sum of {@code ln(count / mean)} over its positions, as a whole
 * number from a table; an empty counter proves absence and gives {@link #NEVER}. A query reads as
 * many counters as a query with thresholds. The view uses the present counters of the filter, but
 * its table and threshold were computed for the number of keys at its creation: create a new one
 * when that number has changed by a few per cent.
 */
public final class LikelihoodReading implements GradedMembership {
  /** The evidence for a key that is certainly absent. */
  public static final long NEVER = Long.MIN_VALUE;

  private static final int MAX_HISTOGRAM = 1 << 22;

  private final HashScheme scheme;
  private final DistinctPositions positions;
  private final CounterStore counters;
  private final LikelihoodPlan plan;

  LikelihoodReading(
      HashScheme scheme, DistinctPositions positions, CounterStore counters, LikelihoodPlan plan) {
    this.scheme = scheme;
    this.positions = positions;
    this.counters = counters;
    this.plan = plan;
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  /** The table, the threshold and what the model predicts for them. */
  public LikelihoodPlan plan() {
    return plan;
  }

  @Override
  public long decision() {
    return plan.threshold();
  }

  @Override
  public long evidenceHash(long hash) {
    DistinctPositions.Draw draw = positions.draw(hash);
    int early = Math.min(positions.hashes(), DistinctCounters.EARLY);
    long sum = 0;
    for (int i = 0; i < early; i++) {
      long count = counters.get(draw.next());
      if (count == 0) {
        return NEVER;
      }
      sum += plan.score(count);
    }
    int rest = positions.hashes() - early;
    long[] drawn = draw.take(rest);
    boolean proof = false;
    for (int i = 0; i < rest; i++) {
      long count = counters.get(drawn[i]);
      proof |= count == 0;
      sum += plan.score(count);
    }
    return proof ? NEVER : sum;
  }

  @Override
  public boolean acceptsHash(long hash) {
    long evidence = evidenceHash(hash);
    return evidence != NEVER && evidence >= plan.threshold();
  }

  /**
   * The natural logarithm of how much likelier the counts of a key with this evidence are if it is
   * stored than if it is not.
   */
  public double logLikelihoodRatio(long evidence) {
    return evidence == NEVER ? Double.NEGATIVE_INFINITY : plan.logarithm(evidence);
  }

  /**
   * The rates of this reading on the present counters (errata <a
   * href="{@docRoot}/doc-files/errata.html#A11">A11</a>).
   */
  public ThresholdPlan.Rates rates() {
    long top = plan.highestCount();
    if (top > MAX_HISTOGRAM) {
      return plan.rates();
    }
    CounterStore copy;
    synchronized (counters) { // as the filter's changes do
      copy = counters.copy();
    }
    return plan.observedRates(copy.histogram((int) top));
  }
}
