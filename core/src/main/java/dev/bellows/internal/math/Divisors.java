package dev.bellows.internal.math;

import dev.bellows.internal.base.Checks;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The divisors of a size: the sizes a filter can fold to (Folding paper, Section III, erratum <a
 * href="{@docRoot}/doc-files/errata.html#F9">F9</a>).
 */
public final class Divisors {
  /** The primes that the number with the most divisors in a wide window can consist of. */
  private static final int[] SMALL_PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};

  /** The maximum length of a window that is searched number by number. */
  private static final long EXHAUSTIVE_WINDOW = 64;

  /** The maximum length of the part of a narrow window that is sieved. */
  private static final long SIEVED_WINDOW = 1 << 22;

  /** The maximum number of divisors in a message. */
  private static final int DESCRIBED = 8;

  private Divisors() {}

  /** Returns the canonical factorization: prime to exponent, ascending (Folding paper, Eq. 2). */
  public static Map<Long, Integer> factorize(long number) {
    Checks.positive(number, "number");
    Map<Long, Integer> factors = new TreeMap<>();
    long rest = number;
    for (long p = 2; p <= rest / p; p += p == 2 ? 1 : 2) {
      while (rest % p == 0) {
        factors.merge(p, 1, Integer::sum);
        rest /= p;
      }
    }
    if (rest > 1) {
      factors.merge(rest, 1, Integer::sum);
    }
    return factors;
  }

  /** Returns {@code d(m) = PROD (gamma_j + 1)}. */
  public static long count(long number) {
    long count = 1;
    for (int exponent : factorize(number).values()) {
      count *= exponent + 1;
    }
    return count;
  }

  /** Returns all divisors, ascending. */
  public static long[] of(long number) {
    long[] divisors = unsorted(number);
    Arrays.sort(divisors);
    return divisors;
  }

  /** Returns all divisors, in no particular order. */
  public static long[] unsorted(long number) {
    Map<Long, Integer> factors = factorize(number);
    long[] divisors = {1};
    for (Map.Entry<Long, Integer> factor : factors.entrySet()) {
      int known = divisors.length;
      divisors = Arrays.copyOf(divisors, known * (factor.getValue() + 1));
      for (int i = known; i < divisors.length; i++) {
        divisors[i] = divisors[i - known] * factor.getKey();
      }
    }
    return divisors;
  }

  /**
   * Returns the divisors above 1 as text for messages: the first few, and an ellipsis for the rest.
   */
  public static String describe(long number) {
    long[] all = of(number);
    String first =
        Arrays.stream(all)
            .skip(1)
            .limit(DESCRIBED)
            .mapToObj(Long::toString)
            .collect(Collectors.joining(", "));
    return all.length - 1 > DESCRIBED ? first + ", ..." : first.isEmpty() ? "none" : first;
  }

  /** Returns the greatest common divisor: the largest size two filters can both fold to. */
  public static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /**
   * Returns the number with the most divisors in {@code [low, high]}; the smallest of several. If
   * the window is at least a 64th of its lower end, the result is a 37-smooth number. Narrower
   * windows may contain none of these, so their first four million numbers are sieved.
   */
  public static long mostDivisible(long low, long high) {
    Checks.positive(low, "low");
    Checks.atLeast(low, high, "high");
    Best best = new Best(low, high);
    long length = high - low;
    boolean wide = length >= EXHAUSTIVE_WINDOW && length >= low / 64;
    if (!wide) {
      SmoothNumbers.Candidate richest = SmoothNumbers.richest(low, Math.min(length, SIEVED_WINDOW));
      best.offer(richest.number(), richest.divisors());
    }
    if (wide || length > SIEVED_WINDOW) {
      best.enumerate(1, 1, SMALL_PRIMES.length - 1);
    }
    return best.number;
  }

  private static final class Best {
    final long low;
    final long high;
    long number;
    long divisors;

    Best(long low, long high) {
      this.low = low;
      this.high = high;
    }

    void offer(long candidate, long count) {
      if (count > divisors || (count == divisors && candidate < number)) {
        number = candidate;
        divisors = count;
      }
    }

    /** Multiplies the product by powers of the primes up to {@code largest}, largest first. */
    void enumerate(long product, long count, int largest) {
      if (largest == 0) {
        int exponent = 0;
        long candidate = product;
        while (candidate < low && candidate <= high / 2) {
          candidate *= 2;
          exponent++;
        }
        for (; candidate >= low; candidate *= 2, exponent++) {
          offer(candidate, count * (exponent + 1));
          if (candidate > high / 2) {
            return;
          }
        }
        return;
      }
      int prime = SMALL_PRIMES[largest];
      long power = product;
      for (int exponent = 0; ; exponent++) {
        enumerate(power, count * (exponent + 1), largest - 1);
        if (power > high / prime) {
          return;
        }
        power *= prime;
      }
    }
  }
}
