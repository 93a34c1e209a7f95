package dev.bellows.internal.math;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers without a large prime factor, from which foldable capacities are chosen (Folding paper,
 * Section IV-B).
 *
 * <p>A number is y-smooth if none of its prime factors exceeds y; 1 is y-smooth for every y. The
 * sieve of Algorithm IV-B is used in the exact form of erratum <a
 * href="{@docRoot}/doc-files/errata.html#F12">F12</a>: every number of the interval is divided by
 * each prime up to y as often as possible, and is smooth if and only if the remaining quotient is
 * 1. The interval is processed in segments that fit into the cache.
 *
 * <p><b>Early abort.</b> A quotient without prime factors below p is settled if it is at most y
 * (then the number is smooth) or less than p squared (then it is prime). A segment is finished as
 * soon as all of its quotients are settled, so a large y costs no more than the square root of the
 * interval's end. This abort misses no number, unlike the early abort of Pomerance that the paper
 * uses.
 */
public final class SmoothNumbers {
  private static final int SEGMENT = 1 << 16;

  /** The largest y: for larger values the table of primes would be too large. */
  private static final long LARGEST_PRIME = 100_000_000;

  /** Primes up to this one suffice for every number up to 10^15. */
  private static final long RICH_PRIME = 32_000_000;

  /** The longest interval that is searched, which takes some seconds. */
  private static final long LONGEST = 1_000_000_000;

  /** The most numbers that a search returns, which take about 100 megabytes. */
  private static final int MOST_FOUND = 2_000_000;

  /** A smooth number and the number of its divisors. */
  public record Candidate(long number, long divisors) {}

  private SmoothNumbers() {}

  /**
   * Returns all smooth numbers in {@code [from, from + within]}, ascending, with their numbers of
   * divisors.
   *
   * @throws IllegalArgumentException if the interval is longer than 1,000,000,000, or has more than
   *     2,000,000 smooth numbers
   */
  public static List<Candidate> candidates(long from, long within, long smooth) {
    Checks.positive(from, "from");
    Checks.inRange(0, Long.MAX_VALUE - from, within, "within");
    Checks.positive(smooth, "smooth");
    if (within > LONGEST) {
      throw new IllegalArgumentException(
          "an interval of %s numbers is too long to search: use at most %s"
              .formatted(Prose.count(within), Prose.count(LONGEST)));
    }
    long end = from + within;
    int[] primes = primes(smooth, end);
    List<Candidate> found = new ArrayList<>();
    for (long start = from; start <= end && start > 0; start += SEGMENT) {
      int length = (int) Math.min(SEGMENT - 1L, end - start) + 1;
      new Segment(start, length, smooth).collect(primes, found);
      if (found.size() > MOST_FOUND) {
        throw new IllegalArgumentException(
            "more than %s numbers are %d-smooth: use a shorter interval, or smaller primes"
                .formatted(Prose.count(MOST_FOUND), smooth));
      }
    }
    return found;
  }

  /**
   * Returns the number with the most divisors in {@code [from, from + within]}, or the smallest of
   * several. Far beyond 10^15, two large prime factors may be counted as one.
   */
  static Candidate richest(long from, long within) {
    long end = from + within;
    int[] primes = primes(RICH_PRIME, end);
    Candidate best = new Candidate(from, 0);
    for (long start = from; start <= end && start > 0; start += SEGMENT) {
      Segment segment = new Segment(start, (int) Math.min(SEGMENT - 1L, end - start) + 1, 1);
      segment.divideOut(primes);
      for (int i = 0; i < segment.rests.length; i++) {
        long divisors = segment.divisors[i] * (segment.rests[i] == 1 ? 1 : 2);
        if (divisors > best.divisors) {
          best = new Candidate(start + i, divisors);
        }
      }
    }
    return best;
  }

  /** Returns the primes up to y that may divide a number up to the end, and its square root. */
  private static int[] primes(long smooth, long end) {
    long limit = Math.min(smooth, (long) Math.sqrt((double) end) + 1);
    if (limit > LARGEST_PRIME) {
      throw new IllegalArgumentException(
          ("smooth numbers with primes up to %d need too large a table: use a smoothness of at most"
                  + " %d")
              .formatted(limit, LARGEST_PRIME));
    }
    return Primes.upTo((int) limit);
  }

  /**
   * One segment of the interval: the remaining quotient of each number, and its number of divisors
   * so far.
   */
  private static final class Segment {
    private final long start;
    private final long smooth;
    private final long[] rests;
    private final long[] divisors;

    Segment(long start, int length, long smooth) {
      this.start = start;
      this.smooth = smooth;
      rests = new long[length];
      divisors = new long[length];
      for (int i = 0; i < length; i++) {
        rests[i] = start + i;
        divisors[i] = 1;
      }
    }

    /** Adds the smooth numbers of the segment. */
    void collect(int[] primes, List<Candidate> found) {
      divideOut(primes);
      for (int i = 0; i < rests.length; i++) {
        long rest = rests[i];
        if (rest <= smooth) {
          long count = divisors[i] * (rest == 1 ? 1 : Divisors.count(rest));
          found.add(new Candidate(start + i, count));
        }
      }
    }

    /** Divides by the primes until every quotient is settled. */
    void divideOut(int[] primes) {
      int lookAt = 16; // checks for settled quotients after 16, 32, 64, ... primes
      for (int i = 0; i < primes.length; i++) {
        long prime = primes[i];
        if (i == lookAt) {
          lookAt *= 2;
          if (settled(prime)) {
            break;
          }
        }
        divideOut(prime);
      }
    }

    private void divideOut(long prime) {
      long first = start % prime == 0 ? 0 : prime - start % prime;
      for (long i = first; i < rests.length; i += prime) {
        int slot = (int) i;
        long rest = rests[slot];
        int power = 1;
        while (rest % prime == 0) {
          rest /= prime;
          power++;
        }
        rests[slot] = rest;
        divisors[slot] *= power;
      }
    }

    private boolean settled(long prime) {
      for (long rest : rests) {
        if (rest > smooth && rest >= prime * prime) {
          return false;
        }
      }
      return true;
    }
  }
}
