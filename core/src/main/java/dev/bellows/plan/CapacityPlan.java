package dev.bellows.plan;

import dev.bellows.internal.Checks;
import dev.bellows.plan.SmoothNumbers.Candidate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of a filter that will be folded: the size whose ladder serves every number of keys
 * in a range with the least waste (000 section IV).
 *
 * <p>A number of keys needs the smallest size whose rate is at most {@code fpp + tolerance} (errata
 * F2), and gets the next size of the ladder (errata F10); {@link LadderFit} says how much larger
 * that is. Just below a capacity m the steps are m/2 and m/3 whatever m is, so the capacity is
 * several times the largest need: by default 8 to 10 times, where the steps are an eighth (decision
 * 5). A caller who allows less memory gets the best of what is left. Beside the choice stand two
 * that need no search, under the same lower limit: the next power of two and the next highly
 * composite number.
 *
 * @param hashes the number of hashes, from fpp and layout alone
 * @param smallestNeed bits that the fewest keys need
 * @param largestNeed bits that the most keys need
 * @param ladder every size the capacity folds to, ascending
 * @param fit the waste of the chosen capacity
 */
public record CapacityPlan(
    KeyRange keys,
    Layout layout,
    int hashes,
    long smallestNeed,
    long largestNeed,
    List<Long> ladder,
    LadderFit fit,
    LadderFit powersOfTwo,
    LadderFit highlyComposite) {

  /** Capacity over the largest need, at most, unless the caller says otherwise. */
  public static final double MEMORY = 10;

  /** With this much memory or more, less than a {@link #WINDOW}-th of it is not considered. */
  private static final double PLENTY = 8;

  private static final double WINDOW = 1.25;

  /** CLASSIC capacities from here on are whole words, so that most folds are whole-word ORs. */
  private static final double WORDS_MATTER = 1 << 20;

  public CapacityPlan {
    ladder = List.copyOf(ladder);
  }

  /** The smooth numbers of an interval and the one with the most divisors, then the smallest. */
  public record Smooth(List<Candidate> candidates, @Nullable Candidate best) {
    public Smooth {
      candidates = List.copyOf(candidates);
    }
  }

  /** The unfolded size in bits. */
  public long capacity() {
    return fit.capacity();
  }

  /** The sizes of the ladder that serve the range, ascending. */
  public List<Long> serving() {
    long last = ladder.stream().filter(size -> size >= largestNeed).findFirst().orElseThrow();
    return ladder.stream().filter(size -> size >= smallestNeed && size <= last).toList();
  }

  /** All capacities in {@code [from, from + within]} without a prime factor above smooth. */
  public static Smooth smooth(long from, long within, long smooth) {
    List<Candidate> candidates = SmoothNumbers.candidates(from, within, smooth);
    Candidate best =
        candidates.stream()
            .max(
                Comparator.comparingLong(Candidate::divisors)
                    .thenComparing(Candidate::number, Comparator.reverseOrder()))
            .orElse(null);
    return new Smooth(candidates, best);
  }

  /** The capacity of 8 to 10 times the largest need that serves the range with least waste. */
  public static CapacityPlan of(KeyRange keys, double fpp, double tolerance, Layout layout) {
    return of(keys, fpp, tolerance, MEMORY, layout);
  }

  /**
   * The capacity that serves the range with least waste.
   *
   * @param tolerance half the width of the band around fpp
   * @param memory how many times the largest need the capacity may take, at least 1
   */
  public static CapacityPlan of(
      KeyRange keys, double fpp, double tolerance, double memory, Layout layout) {
    int hashes = BloomPlan.hashesFor(fpp, layout);
    if (!(fpp + tolerance < 1)) {
      throw new IllegalArgumentException(
          "fpp + tolerance must stay below 1, or any size serves: " + fpp + " + " + tolerance);
    }
    if (!(memory >= 1)) {
      throw new IllegalArgumentException(
          "memory is a multiple of the largest need, at least 1: " + memory);
    }
    FoldPlan.Bounds fewest = FoldPlan.bounds(keys.fewest(), hashes, fpp, tolerance, layout);
    FoldPlan.Bounds most = FoldPlan.bounds(keys.most(), hashes, fpp, tolerance, layout);
    long smallestNeed = (long) Math.ceil(fewest.low());
    long largestNeed = (long) Math.ceil(most.low());
    double band = Math.max(1, most.high() / most.low());

    int cell = layout.cellBits();
    double lowest = largestNeed * (memory < PLENTY ? 1 : memory / WINDOW);
    int unit = layout == Layout.CLASSIC && lowest >= WORDS_MATTER ? Long.SIZE : cell;
    double highest = Math.max(lowest + unit, largestNeed * memory);
    if (!(highest < CompositeNumbers.LARGEST)) {
      throw new IllegalArgumentException(
          "%d keys at fpp %s with %s times the memory need %s bits: more than can be planned"
              .formatted(keys.most(), fpp, memory, highest));
    }
    CapacitySearch search = new CapacitySearch(smallestNeed, largestNeed, band, cell);
    LadderFit fit = search.best((long) Math.ceil(lowest / unit), (long) (highest / unit), unit);

    long cells = (long) Math.ceil(lowest / cell);
    return new CapacityPlan(
        keys,
        layout,
        hashes,
        smallestNeed,
        largestNeed,
        Arrays.stream(FoldPlan.ladder(fit.capacity(), cell)).boxed().toList(),
        fit,
        search.fit(nextPowerOfTwo(cells) * cell),
        search.fit(CompositeNumbers.nextHighly(cells) * cell));
  }

  private static long nextPowerOfTwo(long number) {
    long power = Long.highestOneBit(Checks.positive(number, "number"));
    return power == number ? power : 2 * power;
  }
}
