package dev.bellows.papers;

import dev.bellows.internal.math.BinomialInterval;

/**
 * Hits among queries that come in clusters, such as the queries to one filter. Queries of one
 * cluster are not independent, so they count as fewer: as their number divided by the design
 * effect, the ratio of the variance between clusters to the binomial variance. The interval is the
 * binomial interval of these effective counts (Korn and Graubard 1998).
 */
public final class ClusterCount {
  private long hits;
  private long queries;
  private double hitSquares;
  private double querySquares;
  private double products;

  /** Counts one cluster. */
  public void add(long hitsOfCluster, long queriesOfCluster) {
    hits += hitsOfCluster;
    queries += queriesOfCluster;
    hitSquares += (double) hitsOfCluster * hitsOfCluster;
    querySquares += (double) queriesOfCluster * queriesOfCluster;
    products += (double) hitsOfCluster * queriesOfCluster;
  }

  /**
   * Returns the rate and its interval.
   *
   * @param leastEffect a design effect that is known beforehand, because few hits do not reveal
   *     theirs
   * @param alpha the probability that the interval misses the true value
   */
  public Measured result(double leastEffect, double alpha) {
    double rate = (double) hits / queries;
    double squares = hitSquares - 2 * rate * products + rate * rate * querySquares;
    double binomial = queries * rate * (1 - rate);
    double effect = Math.max(leastEffect, binomial > 0 ? squares / binomial : 1);
    long trials = (long) (queries / effect);
    return new Measured(
        rate,
        BinomialInterval.of((long) (hits / effect), trials, alpha).low(),
        BinomialInterval.of(Math.min(trials, (long) Math.ceil(hits / effect)), trials, alpha)
            .high(),
        alpha);
  }
}
