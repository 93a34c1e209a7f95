package dev.bellows.internal.math;

import java.util.Arrays;

/** The primes up to a limit, by the sieve of Eratosthenes over odd numbers. */
public final class Primes {
  private Primes() {}

  /** Returns all primes up to {@code limit}, ascending; none below 2. */
  public static int[] upTo(int limit) {
    if (limit < 2) {
      return new int[0];
    }
    int odds = (limit - 1) / 2; // slot i stands for 2i + 3
    boolean[] composite = new boolean[odds];
    for (int i = 0; ; i++) {
      long prime = 2L * i + 3;
      if (prime * prime > limit) {
        break;
      }
      if (!composite[i]) {
        for (long j = (prime * prime - 3) / 2; j < odds; j += prime) {
          composite[(int) j] = true;
        }
      }
    }
    int[] primes = new int[odds + 1];
    int count = 0;
    primes[count++] = 2;
    for (int i = 0; i < odds; i++) {
      if (!composite[i]) {
        primes[count++] = 2 * i + 3;
      }
    }
    return Arrays.copyOf(primes, count);
  }
}
