package dev.bellows.papers.folding;

import dev.bellows.internal.math.SmoothNumbers;
import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;

/**
 * How many smooth numbers there are, and the sieve that finds them (Folding paper, Eq. 11 to 13).
 */
final class SmoothCounts extends Item {
  SmoothCounts() {
    super(
        "000/smooth",
        "Equations 11 to 13 and the sieve: smooth numbers",
        """
        The share of numbers up to x without a prime factor above x^(1/u) tends to rho(u),
        Dickman's function (Eq. 12, with its missing condition, F14): almost a third for square
        roots, 4.9 % for cube roots. The points count all numbers up to ten thousand and up to a
        million. The sieve of the Folding paper, taken literally, finds none of the six 7-smooth
        numbers between 1000 and 1100, or considers every number smooth (F12); the exact test finds
        all of them.\
        """);
  }

  @Override
  protected void fill() {
    columns("u, rho, share up to 1e4, share up to 1e6");
    Chart chart =
        chart(
            "The share of smooth numbers, Dickman's function and counted",
            "Numbers up to x without a prime factor above x^(1/u)",
            Axis.linear("u"),
            Axis.log("share of all numbers"));
    Points rho = chart.curve("Dickman rho(u)", 0);
    Points large = chart.points("counted up to 10⁶", 2);
    Points small = chart.points("counted up to 10⁴", 1);
    for (double u = 1; u <= 4.001; u += 0.25) {
      double upTo4 = share(10_000, u);
      double upTo6 = share(1_000_000, u);
      rho.add(u, DickmanRho.rho(u));
      small.add(u, upTo4);
      large.add(u, upTo6);
      row(u, DickmanRho.rho(u), upTo4, upTo6);
    }
    dickman();
    counts();
    sieve(1000, 100, 7);
    sieve(1000, 999, 5);
    sieve(1, 20, 2);
    sieve(1, 100, 5);
    sieve(2, 10, 2);
  }

  /** Psi(x, y): the number of smooth numbers in [1, limit]. */
  private static int psi(long limit, long smooth) {
    return SmoothNumbers.candidates(1, limit - 1, smooth).size();
  }

  private static double share(long limit, double u) {
    long smooth = Math.round(Math.floor(Math.pow(limit, 1 / u) + 1e-9));
    return (double) psi(limit, smooth) / limit;
  }

  private void dickman() {
    for (double u : new double[] {1, 1.5, 2, 2.5, 3, 3.5, 5}) {
      Result.Builder result =
          number("rho/u=%s".formatted(plain(u)), "Dickman rho by Eq. 12")
              .formula(DickmanRho.rho(u))
              .erratum(u == 1 ? "F14" : null);
      if (u >= 1 && u <= 2) {
        result.stated(1 - Math.log(u), 1e-12);
      }
    }
  }

  private void counts() {
    long[][] cases = {{10, 2}, {100, 2}, {100, 5}, {1000, 5}, {1000, 31}, {10_000, 100}};
    for (long[] each : cases) {
      number(
              "psi/x=%d/y=%d".formatted(each[0], each[1]),
              "%d-smooth numbers up to %d; x rho(u) is %.0f"
                  .formatted(each[1], each[0], DickmanRho.smoothCount(each[0], each[1])))
          .formula(psi(each[0], each[1]))
          .counted(counted(1, each[0], each[1]));
    }
  }

  private void sieve(int from, int within, int smooth) {
    number(
            "sieve/x=%d/z=%d/y=%d".formatted(from, within, smooth),
            "%d-smooth numbers from %d to %d; printed: found by the sieve as it stands"
                .formatted(smooth, from, from + within))
        .stated(PrintedFormulas.sieve(from, within, smooth), 0)
        .formula(SmoothNumbers.candidates(from, within, smooth).size())
        .counted(counted(from, from + within, smooth))
        .erratum("F12");
  }

  /** By dividing every number by everything up to the bound. */
  static long counted(long from, long to, long smooth) {
    long count = 0;
    for (long number = from; number <= to; number++) {
      long rest = number;
      for (long divisor = 2; divisor <= smooth; divisor++) {
        while (rest % divisor == 0) {
          rest /= divisor;
        }
      }
      count += rest == 1 ? 1 : 0;
    }
    return count;
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
