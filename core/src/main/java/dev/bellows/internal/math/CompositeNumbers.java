package dev.bellows.internal.math;

import dev.bellows.internal.base.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Highly composite numbers, which have more divisors than every smaller number (Folding paper, Eq.
 * 9). The lists are complete, unlike those of Table III (erratum <a
 * href="{@docRoot}/doc-files/errata.html#F13">F13</a>).
 *
 * <p>In the factorization of a highly composite number, the exponents of 2, 3, 5, ... never
 * increase: otherwise, exchanging two exponents would give a smaller number with as many divisors.
 * There are few such numbers, so they are listed and compared.
 */
public final class CompositeNumbers {
  /** The largest argument of {@link #nextHighly}: twice this number must fit into a long. */
  public static final long LARGEST = 1L << 61;

  private record Composite(long number, long divisors) {}

  private CompositeNumbers() {}

  /** Returns the highly composite numbers up to the limit, ascending, from 1. */
  public static long[] highly(long limit) {
    Checks.positive(limit, "limit");
    List<Composite> products = new ArrayList<>();
    primorialProducts(products, 1, 1, Primes.upTo(64), 0, Long.SIZE, limit);
    products.sort(Comparator.comparingLong(Composite::number));
    List<Composite> records = new ArrayList<>();
    long most = 0;
    for (Composite one : products) {
      if (one.divisors > most) {
        most = one.divisors;
        records.add(one);
      }
    }
    return records.stream().mapToLong(Composite::number).toArray();
  }

  /** Returns the smallest highly composite number that is at least {@code number}. */
  public static long nextHighly(long number) {
    Checks.inRange(1, LARGEST, number, "number");
    // twice a number has more divisors than the number, so there is a record in [number, 2 number]
    return Arrays.stream(highly(2 * number))
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
}
