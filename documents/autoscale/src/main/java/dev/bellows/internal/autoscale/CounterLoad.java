package dev.bellows.internal.autoscale;

import dev.bellows.internal.autoscale.ThresholdRates.Hits;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Binomial;

/**
 * The distribution of counts in a filter, by one of two counting conventions.
 *
 * <p><strong>Distinct</strong> (erratum <a href="{@docRoot}/doc-files/errata.html#A1">A1</a>): a
 * key increments each of {@code hashes} different counters once, so a counter holds Bin(n, k/m).
 *
 * <p><strong>Repeated</strong> (erratum <a href="{@docRoot}/doc-files/errata.html#F6">F6</a>): a
 * key makes {@code hashes} independent probes, each of which increments a counter, so a counter
 * holds Bin(nk, 1/m) and is empty with the probability of Autoscaling paper, Eq. 10. One of the nk
 * probes is the stored key's own, so a position of a stored key holds 1 + Bin(nk - 1, 1/m), which
 * includes the other probes of the same key. These are the formulas of nk keys with one position
 * each. The hits of a key are counted over its probes, with multiplicity, so theta 0 with decision
 * = hashes misses no key. Two probes of one stored key that coincide hit together. The mean number
 * of hits is therefore exact, but its variance is slightly larger than that of independent probes;
 * a fraction of about {@code k/2m} of them coincide.
 *
 * @param bits number of counters
 * @param hashes number of positions per key
 * @param keys number of stored keys
 * @param trials number of independent increments that a counter may receive
 * @param part the probability of each of them, times bits
 */
public record CounterLoad(long bits, int hashes, long keys, long trials, int part) {
  /** Returns the load of keys with distinct positions. */
  public static CounterLoad distinct(long bits, int hashes, long keys) {
    ThresholdRates.check(bits, hashes, keys);
    return new CounterLoad(bits, hashes, keys, keys, hashes);
  }

  /** Returns the load of keys whose positions may coincide and are then counted separately. */
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
   * Returns the hit and miss probabilities of stored and absent keys (Autoscaling paper, Eq. 17 and
   * Eq. 18).
   */
  public Hits hits(long theta) {
    return ThresholdRates.hits(bits, part, trials, theta);
  }

  /**
   * Returns the same probabilities for each theta from first to last. There must be at least one
   * theta and one key.
   */
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
