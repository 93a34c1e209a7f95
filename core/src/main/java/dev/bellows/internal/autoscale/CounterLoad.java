package dev.bellows.internal.autoscale;

import dev.bellows.internal.autoscale.ThresholdRates.Hits;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Binomial;

/**
 * How the keys of a filter fill its counters, by one of the two counting conventions.
 *
 * <p><strong>Distinct</strong> (erratum A1): a key increments {@code hashes} different counters
 * once each, so that a counter holds Bin(n, k/m).
 *
 * <p><strong>Repeated</strong> (erratum F6): a key makes {@code hashes} independent probes, each of
 * which increments the counter it meets, so that a counter holds Bin(nk, 1/m), and is empty with
 * the probability of the Autoscaling paper, Eq. 10. Of the nk probes one is that of a stored key's
 * own position, hence a position of a stored key holds 1 + Bin(nk - 1, 1/m): the other probes of
 * the same key count too. These are the formulas of nk keys with one position each. The number of
 * hits of a key is counted over its probes, with multiplicity, so that theta 0 with decision =
 * hashes misses no key. Two probes of one stored key that meet hit together; the mean number of
 * hits is exact, its spread is a little larger than that of independent probes, of which a share of
 * about {@code k/2m} coincide.
 *
 * @param bits the number of counters
 * @param hashes positions of a key
 * @param keys stored keys
 * @param trials independent increments that a counter may get
 * @param part the chance of each of them, times bits
 */
public record CounterLoad(long bits, int hashes, long keys, long trials, int part) {
  /** Keys with distinct positions. */
  public static CounterLoad distinct(long bits, int hashes, long keys) {
    ThresholdRates.check(bits, hashes, keys);
    return new CounterLoad(bits, hashes, keys, keys, hashes);
  }

  /** Keys whose positions may coincide and then count more than once. */
  public static CounterLoad repeated(long bits, int hashes, long keys) {
    Checks.positive(bits, "bits");
    Checks.positive(hashes, "hashes");
    Checks.inRange(0, Long.MAX_VALUE / hashes, keys, "keys");
    return new CounterLoad(bits, hashes, keys, keys * hashes, 1);
  }

  /** Returns the mean count. */
  public double mean() {
    return (double) keys * hashes / bits;
  }

  /**
   * Hit and miss probabilities of a stored and of an absent key (Autoscaling paper, Eq. 17, Eq 18).
   */
  public Hits hits(long theta) {
    return ThresholdRates.hits(bits, part, trials, theta);
  }

  /** The same for all thetas from first to last, of which there is at least one; needs a key. */
  public Hits[] hits(long first, long last) {
    Binomial others = Binomial.ofRatio(trials - 1, part, bits);
    double[] at = others.probabilities(first, last);
    double[] above = new double[at.length];
    above[at.length - 1] = others.atLeast(last + 1);
    for (int i = at.length - 1; i > 0; i--) {
      above[i - 1] = above[i] + at[i];
    }
    double share = (double) part / bits;
    double rest = (double) (bits - part) / bits;
    double below = others.atMost(first - 1);
    Hits[] hits = new Hits[at.length];
    for (int i = 0; i < at.length; i++) {
      hits[i] = Hits.of(below, at[i], above[i], share, rest);
      below += at[i];
    }
    return hits;
  }
}
