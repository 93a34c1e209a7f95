package dev.bellows.plan;

import dev.bellows.internal.math.Bisection;
import dev.bellows.internal.math.CompositeNumbers;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.Primes;
import dev.bellows.internal.math.SmoothNumbers.Candidate;
import dev.bellows.plan.CapacityPlan.LadderFit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search for the capacity with the lowest mean oversize between two needs.
 *
 * <p>A ladder with t sizes in the range cannot have a lower mean than t steps with equal ratios
 * ({@link LadderFit#lowestMean}), so only numbers with enough divisors can beat the best known one.
 * They are enumerated as products of prime powers, large primes first; a branch is pruned if even
 * the highest possible number of divisors of the remaining factor (that of a highly composite
 * number) would not be enough. Numbers with the most divisors are measured first. The required
 * number of divisors is then lowered until the bound shows that no other number can be better, or
 * until a further one could only improve the fourth digit.
 */
final class CapacitySearch {
  /** The maximum number of divisors computed in one search, which take a fraction of a second. */
  private static final long WORK = 1_000_000;

  private static final int[] PRIMES = Primes.upTo(1000);

  private final double smallest;
  private final double largest;
  private final double band;
  private final int cell;

  CapacitySearch(double smallest, double largest, double band, int cell) {
    this.smallest = smallest;
    this.largest = largest;
    this.band = band;
    this.cell = cell;
  }

  /** Measures the ladder of one capacity. */
  LadderFit fit(long capacity) {
    return LadderFit.of(capacity, FoldPlan.ladder(capacity, cell), smallest, largest, band);
  }

  /** Returns the best capacity among {@code unit} times the numbers in {@code [low, high]}. */
  LadderFit best(long low, long high, int unit) {
    Enumeration enumeration = new Enumeration(low, high, unit / cell);
    LadderFit best = null;
    long divisors = enumeration.most(1) + 1;
    long work = 0;
    while (work < WORK && divisors > stepsToBeat(best)) {
      long above = divisors;
      divisors = Math.max(stepsToBeat(best), divisors * 3 / 4);
      List<Candidate> candidates = enumeration.atLeast(divisors);
      candidates.removeIf(candidate -> candidate.divisors() >= above);
      candidates.sort(
          Comparator.comparingLong(Candidate::divisors)
              .reversed()
              .thenComparingLong(Candidate::number));
      for (Candidate candidate : candidates) {
        if (candidate.divisors() < stepsToBeat(best) || work > WORK) {
          break;
        }
        work += candidate.divisors();
        best = better(best, candidate.number() * unit);
      }
    }
    // there are no candidates if all numbers of a short window have a large prime factor
    return best == null ? fit(unit * Divisors.mostDivisible(low, high)) : best;
  }

  private LadderFit better(@Nullable LadderFit best, long capacity) {
    if (best == null) {
      return fit(capacity);
    }
    long inside = 0;
    for (long divisor : Divisors.unsorted(capacity / cell)) {
      inside += divisor * cell >= smallest && divisor * cell < largest ? 1 : 0;
    }
    if (LadderFit.lowestMean(smallest, largest, inside + 1) > best.meanOversize()) {
      return best;
    }
    LadderFit fit = fit(capacity);
    boolean wins =
        fit.meanOversize() < best.meanOversize()
            || (fit.meanOversize() == best.meanOversize() && capacity < best.capacity());
    return wins ? fit : best;
  }

  /**
   * Returns the smallest number of steps whose lowest possible mean is below that of the best fit.
   */
  private long stepsToBeat(@Nullable LadderFit best) {
    if (best == null) {
      return 1;
    }
    double mean = best.meanOversize();
    if (mean <= 1) {
      return Long.MAX_VALUE;
    }
    return Bisection.first(
        1, 1L << 30, size -> LadderFit.lowestMean(smallest, largest, size) < mean);
  }

  /**
   * The numbers n in a window for which {@code multiplier * n} has many divisors, where the
   * multiplier is a power of two.
   */
  private static final class Enumeration {
    private final long low;
    private final long high;
    private final long multiplier;
    private final int multiplierTwos;
    private final long[] records;
    private final long[] recordDivisors;
    private List<Candidate> found = new ArrayList<>();
    private long enough;

    Enumeration(long low, long high, long multiplier) {
      this.low = low;
      this.high = high;
      this.multiplier = multiplier;
      multiplierTwos = Long.numberOfTrailingZeros(multiplier);
      records = CompositeNumbers.highly(multiplier * high);
      recordDivisors = Arrays.stream(records).map(Divisors::count).toArray();
    }

    List<Candidate> atLeast(long divisors) {
      found = new ArrayList<>();
      enough = divisors;
      int largest = PRIMES.length - 1;
      while (largest > 0 && (PRIMES[largest] > high || 2 * most(PRIMES[largest]) < enough)) {
        largest--;
      }
      multiply(1, 1, largest);
      return found;
    }

    /** Returns the maximum number of divisors that the remaining factor of a product can have. */
    private long most(long product) {
      int at = Arrays.binarySearch(records, multiplier * (high / product));
      return recordDivisors[at >= 0 ? at : -at - 2];
    }

    private void multiply(long product, long divisors, int index) {
      if (divisors * most(product) < enough) {
        return;
      }
      if (index == 0) {
        multiplyByTwos(product, divisors);
        return;
      }
      long power = product;
      for (int exponent = 0; ; exponent++) {
        multiply(power, divisors * (exponent + 1), index - 1);
        if (power > high / PRIMES[index]) {
          return;
        }
        power *= PRIMES[index];
      }
    }

    private void multiplyByTwos(long odd, long divisors) {
      int exponent = multiplierTwos + 1;
      for (long number = odd; ; number *= 2) {
        if (number >= low && divisors * exponent >= enough) {
          found.add(new Candidate(number, divisors * exponent));
        }
        exponent++;
        if (number > high / 2) {
          return;
        }
      }
    }
  }
}
