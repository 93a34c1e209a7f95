package dev.bellows.plan;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.math.CompositeNumbers;
import dev.bellows.internal.math.SmoothNumbers;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of a filter that will be folded: the size whose ladder wastes the least memory over
 * all numbers of keys in a range (Folding paper, Section IV).
 *
 * <p>A number of keys needs the smallest size whose rate is at most {@code fpp + tolerance} (see
 * erratum <a href="{@docRoot}/doc-files/errata.html#F2">F2</a>), and gets the next larger size of
 * the ladder (see erratum <a href="{@docRoot}/doc-files/errata.html#F10">F10</a>); {@link
 * LadderFit} measures how much larger that is. The sizes just below a capacity m are at most m/2
 * and m/3, so the capacity should be several times the largest need: by default 8 to 10 times,
 * where adjacent sizes differ by about an eighth. If the caller allows less memory, the best
 * capacity within that limit is chosen. For comparison, the plan includes two capacities that need
 * no search, with the same lower limit: the next power of two and the next highly composite number.
 *
 * @param keys the range of the number of keys
 * @param layout the layout, which depends only on fpp and family
 * @param smallestNeed the number of bits that the minimum number of keys needs
 * @param largestNeed the number of bits that the maximum number of keys needs
 * @param ladder every size to which the capacity folds, in ascending order
 * @param fit the chosen capacity and its waste
 * @param powersOfTwo the next power of two and its waste
 * @param highlyComposite the next highly composite number and its waste
 */
public record CapacityPlan(
    KeyRange keys,
    Layout layout,
    long smallestNeed,
    long largestNeed,
    List<Long> ladder,
    LadderFit fit,
    LadderFit powersOfTwo,
    LadderFit highlyComposite) {

  /** The default maximum capacity, as a multiple of the largest need. */
  public static final double MEMORY = 10;

  /**
   * The multiple of the largest need from which on only capacities of at least {@code 1 / WINDOW}
   * of the allowed memory are considered.
   */
  private static final double PLENTY = 8;

  private static final double WINDOW = 1.25;

  /**
   * The minimum ratio of the ends of a window, which must contain numbers with many divisors even
   * if the allowed memory is only the need itself.
   */
  private static final double FREEDOM = 1.1;

  /**
   * The size from which on CLASSIC capacities are multiples of a word, so that most folds are ORs
   * of whole words.
   */
  private static final double WORDS_MATTER = 1 << 20;

  public CapacityPlan {
    ladder = List.copyOf(ladder);
  }

  /**
   * A possible capacity.
   *
   * @param number the size, in the unit of the search
   * @param divisors the number of sizes to which it folds, including its own
   */
  public record Candidate(long number, long divisors) {}

  /**
   * The smooth numbers in an interval.
   *
   * @param candidates the numbers, in ascending order
   * @param best the number with the most divisors, the smallest one if there are several; null if
   *     there are no candidates
   */
  public record Smooth(List<Candidate> candidates, @Nullable Candidate best) {
    public Smooth {
      candidates = List.copyOf(candidates);
    }
  }

  /** Returns the number of bits that a key sets, k. */
  public int hashes() {
    return layout.hashes();
  }

  /** Returns the unfolded size in bits. */
  public long capacity() {
    return fit.capacity();
  }

  /** Returns the sizes of the ladder that are used in the range, in ascending order. */
  public List<Long> serving() {
    long last = ladder.stream().filter(size -> size >= largestNeed).findFirst().orElseThrow();
    return ladder.stream().filter(size -> size >= smallestNeed && size <= last).toList();
  }

  /**
   * Returns all numbers in {@code [from, from + within]} without a prime factor above {@code
   * smooth}.
   */
  public static Smooth smooth(long from, long within, long smooth) {
    List<Candidate> candidates =
        SmoothNumbers.candidates(from, within, smooth).stream()
            .map(number -> new Candidate(number.number(), number.divisors()))
            .toList();
    Candidate best =
        candidates.stream()
            .max(
                Comparator.comparingLong(Candidate::divisors)
                    .thenComparing(Candidate::number, Comparator.reverseOrder()))
            .orElse(null);
    return new Smooth(candidates, best);
  }

  /**
   * Returns the plan with the least waste among all capacities of 8 to 10 times the largest need.
   */
  public static CapacityPlan of(KeyRange keys, double fpp, double tolerance, Layout.Family family) {
    return of(keys, fpp, tolerance, MEMORY, family);
  }

  /**
   * Returns the plan with the least waste among all capacities that the memory allows.
   *
   * @param tolerance half the width of the band around fpp
   * @param memory the maximum capacity as a multiple of the largest need, at least 1; a capacity of
   *     up to 1.1 times the need is always allowed, because a narrower window may contain no number
   *     with many divisors
   */
  public static CapacityPlan of(
      KeyRange keys, double fpp, double tolerance, double memory, Layout.Family family) {
    Layout layout = family.forFpp(fpp);
    if (!(fpp + tolerance < 1)) {
      throw new IllegalArgumentException(
          "fpp + tolerance must be below 1, otherwise any size is enough: "
              + fpp
              + " + "
              + tolerance);
    }
    if (!(memory >= 1)) {
      throw new IllegalArgumentException(
          "memory is a multiple of the largest need, at least 1: " + memory);
    }
    FoldPlan.Bounds fewest = FoldPlan.bounds(layout, keys.fewest(), fpp, tolerance);
    FoldPlan.Bounds most = FoldPlan.bounds(layout, keys.most(), fpp, tolerance);
    long smallestNeed = (long) Math.ceil(fewest.low());
    long largestNeed = (long) Math.ceil(most.low());
    double band = Math.max(1, most.high() / most.low());

    int cell = layout.cellBits();
    double lowest = largestNeed * (memory < PLENTY ? 1 : memory / WINDOW);
    int unit = lowest >= WORDS_MATTER ? layout.unitBits() : cell;
    double highest = Math.max(lowest * FREEDOM + unit, largestNeed * memory);
    if (!(highest < CompositeNumbers.LARGEST)) {
      throw new IllegalArgumentException(
          "%d keys at fpp %s with %s times the memory need %s bits, which is more than a plan supports"
              .formatted(keys.most(), fpp, memory, highest));
    }
    CapacitySearch search = new CapacitySearch(smallestNeed, largestNeed, band, cell);
    LadderFit fit = search.best((long) Math.ceil(lowest / unit), (long) (highest / unit), unit);

    long fewestCells = (long) Math.ceil(lowest / cell);
    return new CapacityPlan(
        keys,
        layout,
        smallestNeed,
        largestNeed,
        Arrays.stream(FoldPlan.ladder(fit.capacity(), cell)).boxed().toList(),
        fit,
        search.fit(nextPowerOfTwo(fewestCells) * cell),
        search.fit(CompositeNumbers.nextHighly(fewestCells) * cell));
  }

  /**
   * Returns the capacity, of at most {@code times} times the largest folding, whose ladder is
   * densest between a sixteenth of that folding and the folding itself.
   *
   * @param times the maximum capacity as a multiple of the largest folding, at least 1
   */
  public static long densest(BloomPlan largestFolding, double times) {
    Layout layout = largestFolding.layout();
    if (!(times >= 1)) {
      throw new IllegalArgumentException("times must be at least 1: " + times);
    }
    double most = times * largestFolding.bits();
    int unit = most >= WORDS_MATTER ? layout.unitBits() : layout.cellBits();
    long least = (long) Math.ceil((double) largestFolding.bits() / unit);
    long high = Math.max(least, (long) (most / unit));
    double smallest = Math.max(layout.cellBits(), largestFolding.bits() / 16.0);
    return new CapacitySearch(smallest, largestFolding.bits(), 1, layout.cellBits())
        .best(Math.max(least, (long) Math.ceil(high / WINDOW)), high, unit)
        .capacity();
  }

  private static long nextPowerOfTwo(long number) {
    long power = Long.highestOneBit(Checks.positive(number, "number"));
    return power == number ? power : 2 * power;
  }

  /**
   * The fit of a capacity's ladder to the sizes that are needed.
   *
   * <p>A set that needs s bits gets the smallest size of the ladder that is at least s; the ratio
   * of that size to s is the oversize. The mean is taken over all needs between the smallest and
   * the largest, <i>distributed uniformly on a logarithmic scale</i>: a set is as likely to have
   * between 1,000 and 2,000 keys as between 1 and 2 million. It is integrated exactly, step by
   * step: for needs in (a, b], which get the size b, the mean is {@code b (1/a - 1/b) / ln(b/a)},
   * which is 1/ln 2 = 1.44 for powers of two.
   *
   * @param capacity the unfolded size in bits
   * @param worstOversize the supremum over the needs, which is approached just above a step
   * @param meanOversize the mean over the needs
   * @param bandShare the fraction of the needs that get a size whose rate is in the band
   */
  public record LadderFit(
      long capacity, double worstOversize, double meanOversize, double bandShare) {

    /**
     * Measures the fit of a ladder.
     *
     * @param sizes the ladder, in ascending order
     * @param smallest the smallest need, in bits
     * @param largest the largest need, which the ladder must reach
     * @param band the largest oversize at which the rate is still inside the band
     */
    static LadderFit of(long capacity, long[] sizes, double smallest, double largest, double band) {
      int step = firstAtLeast(sizes, smallest);
      if (sizes[sizes.length - 1] < largest) {
        throw new IllegalArgumentException(
            "a ladder up to %d bits is too small for a need of %s bits: use a larger capacity"
                .formatted(sizes[sizes.length - 1], largest));
      }
      if (smallest == largest) {
        double oversize = sizes[step] / smallest;
        return new LadderFit(capacity, oversize, oversize, oversize <= band ? 1 : 0);
      }
      double worst = 1;
      double sum = 0;
      double inBand = 0;
      double from = smallest;
      while (from < largest) {
        double size = sizes[step++];
        double to = Math.min(size, largest);
        worst = Math.max(worst, size / from);
        sum += size * (1 / from - 1 / to);
        inBand += Math.max(0, Math.log(to / Math.max(from, size / band)));
        from = to;
      }
      double width = Math.log(largest / smallest);
      return new LadderFit(capacity, worst, sum / width, Math.min(1, inBand / width));
    }

    /**
     * Returns the lowest possible mean oversize of this many steps between the needs, which is that
     * of steps with equal ratios.
     */
    static double lowestMean(double smallest, double largest, long steps) {
      double log = Math.log(largest / smallest) / steps;
      return log == 0 ? 1 : Precise.expm1(log) / log;
    }

    private static int firstAtLeast(long[] sizes, double need) {
      int found = Arrays.binarySearch(sizes, (long) Math.ceil(need));
      return found >= 0 ? found : -found - 1;
    }
  }

  /** A range of numbers of keys for which a filter is planned, both ends inclusive. */
  public record KeyRange(long fewest, long most) {
    /** The number of standard deviations of a Poisson count that a forecast allows for. */
    private static final double DEVIATIONS = 6;

    public KeyRange {
      Checks.positive(fewest, "fewest keys");
      Checks.atLeast(fewest, most, "most keys");
    }

    /**
     * Returns the range of a set that has {@code present} keys now and gains {@code arrivals} per
     * unit of time until the horizon (Folding paper, Section IV). The number of arrivals is random,
     * so the upper end is six standard deviations of a Poisson count above the mean.
     */
    public static KeyRange forecast(long present, double arrivals, double horizon) {
      Checks.notNegative(present, "present keys");
      double mean = arrivals * horizon;
      double most = present + Math.ceil(mean + DEVIATIONS * Math.sqrt(mean));
      if (!(arrivals >= 0 && horizon >= 0 && most < Long.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "arrivals and horizon must be at least 0 and lead to fewer than 2^63 keys: %s and %s"
                .formatted(arrivals, horizon));
      }
      return new KeyRange(Math.max(1, present), Math.max(1, (long) most));
    }
  }
}
