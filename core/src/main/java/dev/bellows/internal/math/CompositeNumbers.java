package dev.bellows.internal.math;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Numbers with record numbers of divisors: highly composite (more than every smaller number;
 * Folding paper, Eq. 9), largely composite (at least as many; Eq. 10) and superior highly composite
 * (the highest {@code d(m) / m^e} for some e > 0). The lists are complete, unlike those of Table
 * III (erratum <a href="{@docRoot}/doc-files/errata.html#F13">F13</a>).
 *
 * <p>Largely composite numbers are built prime by prime. Write n = uv, u made of the primes up to p
 * and v of larger ones. If a smaller u' of the same primes had more divisors than u, then u'v would
 * be smaller than n with more divisors; so u is itself largely composite among the numbers made of
 * these primes. Hence the list for the primes up to p consists of numbers of the previous list
 * times powers of p, and stays short. If no multiple of p remains in the list, no multiple of a
 * larger prime does: replacing that prime by p would give a smaller number with as many divisors,
 * which would be in the list for p because it is compared with fewer numbers.
 */
public final class CompositeNumbers {
  /** The largest argument of {@link #nextHighly}: twice this number must fit into a long. */
  public static final long LARGEST = 1L << 61;

  private record Composite(long number, long divisors) {}

  private CompositeNumbers() {}

  /** Returns the highly composite numbers up to the limit, ascending, from 1. */
  public static long[] highly(long limit) {
    return leading(largelyComposite(limit), 1).stream().mapToLong(Composite::number).toArray();
  }

  /** Returns the largely composite numbers up to the limit, ascending, from 1. */
  public static long[] largely(long limit) {
    return largelyComposite(limit).stream().mapToLong(Composite::number).toArray();
  }

  /**
   * Returns the superior highly composite numbers up to the limit, ascending, from 2. Each is its
   * predecessor times the prime that raises {@code ln d(m)} most per {@code ln m}.
   */
  public static long[] superior(long limit) {
    Checks.positive(limit, "limit");
    int[] primes = Primes.upTo(64); // the product of these exceeds every long
    int[] exponents = new int[primes.length];
    List<Long> found = new ArrayList<>();
    long number = 1;
    while (true) {
      int best = 0;
      double bestGain = 0;
      for (int i = 0; i < primes.length; i++) {
        double gain = Precise.log1p(1.0 / (exponents[i] + 1)) / Math.log(primes[i]);
        if (gain > bestGain) {
          best = i;
          bestGain = gain;
        }
      }
      if (number > limit / primes[best]) {
        return found.stream().mapToLong(Long::longValue).toArray();
      }
      number *= primes[best];
      exponents[best]++;
      found.add(number);
    }
  }

  /** Returns the smallest highly composite number that is at least {@code number}. */
  public static long nextHighly(long number) {
    Checks.inRange(1, LARGEST, number, "number");
    // twice a number has more divisors than the number, so there is a record in [number, 2 number]
    List<Composite> products = new ArrayList<>();
    primorialProducts(products, 1, 1, Primes.upTo(64), 0, Long.SIZE, 2 * number);
    products.sort(Comparator.comparingLong(Composite::number));
    return leading(products, 1).stream()
        .mapToLong(Composite::number)
        .filter(record -> record >= number)
        .findFirst()
        .orElseThrow();
  }

  /**
   * Collects the products of primorials: the exponents of 2, 3, 5, ... never increase, which is
   * true of all records.
   */
  private static void primorialProducts(
      List<Composite> found,
      long number,
      long divisors,
      int[] primes,
      int index,
      int largestExponent,
      long limit) {
    found.add(new Composite(number, divisors));
    long product = number;
    for (int exponent = 1; exponent <= largestExponent; exponent++) {
      if (product > limit / primes[index]) {
        return;
      }
      product *= primes[index];
      primorialProducts(
          found, product, divisors * (exponent + 1), primes, index + 1, exponent, limit);
    }
  }

  private static List<Composite> largelyComposite(long limit) {
    Checks.positive(limit, "limit");
    List<Composite> survivors = List.of(new Composite(1, 1));
    for (int prime : Primes.upTo(1 << 12)) {
      List<Composite> multiplied = new ArrayList<>(survivors);
      for (Composite one : survivors) {
        long product = one.number;
        for (int exponent = 1; product <= limit / prime; exponent++) {
          product *= prime;
          multiplied.add(new Composite(product, one.divisors * (exponent + 1)));
        }
      }
      multiplied.sort(Comparator.comparingLong(Composite::number));
      List<Composite> kept = leading(multiplied, 0);
      if (kept.stream().noneMatch(one -> one.number % prime == 0)) {
        return kept;
      }
      survivors = kept;
    }
    throw new AssertionError("a largely composite long has no prime factor beyond 4096");
  }

  /** Returns the numbers that lead all smaller ones by at least this many divisors. */
  private static List<Composite> leading(List<Composite> ascending, int lead) {
    List<Composite> kept = new ArrayList<>();
    long most = 0;
    for (Composite one : ascending) {
      if (one.divisors >= most + lead) {
        most = one.divisors;
        kept.add(one);
      }
    }
    return kept;
  }
}
