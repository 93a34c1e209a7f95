package dev.bellows.papers.folding;

import dev.bellows.internal.math.Divisors;
import java.util.Arrays;

/** The formulas of the Folding paper that the errata correct, exactly as printed. */
final class PrintedFormulas {
  private PrintedFormulas() {}

  /** Eq. 1 and 4: 1 - e^(-kn/m), without its power (F1). */
  static double rate(long bits, long keys, int hashes) {
    return -Math.expm1(-(double) hashes * keys / bits);
  }

  /** One end of Eq. 14: 1 / (1 - (1 - eps/rate)^(1/(kn))) (F2). */
  static double sizeAt(long keys, int hashes, double rate, double tolerance) {
    double radicand = Math.max(0, 1 - tolerance / rate);
    return 1 / (1 - Math.pow(radicand, 1.0 / (hashes * keys)));
  }

  /** Eq. 6: the hash modulo the product of the factors (F3). */
  static long foldedIndex(long hash, long... factors) {
    long product = 1;
    for (long factor : factors) {
      product *= factor;
    }
    return hash % product;
  }

  /**
   * Returns how many numbers the sieve of section IV-B finds, line by line, with its last test put
   * inside the loop where it must be meant; it assigns where it should add (F12).
   */
  static long sieve(int from, int within, int smooth) {
    double[] weights = new double[within + 1];
    for (int prime = 2; prime <= smooth; prime++) {
      if (Divisors.count(prime) > 2) {
        continue;
      }
      for (int i = 0; i <= within; i++) {
        for (long power = prime; power <= from + within; power *= prime) {
          if ((from + i) % power == 0) {
            for (long at = i; at <= within; at += power) {
              weights[(int) at] = Math.log(prime);
            }
          }
        }
      }
    }
    return Arrays.stream(weights).filter(weight -> weight >= Math.log(from)).count();
  }
}
