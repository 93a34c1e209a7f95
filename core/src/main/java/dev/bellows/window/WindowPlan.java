package dev.bellows.window;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.math.HashFloor;
import java.util.Arrays;
import java.util.List;

/**
 * The size of a window that is stored as a ring of generations.
 *
 * <p>The G generations of a window and the one that is being filled are queried together, and each
 * is a separate BLOCKED filter. If one full generation has the rate q, all of them together have
 * the rate 1 - (1 - q)^(G + 1). The plan chooses q so that this is at most the target just before a
 * rotation, when the generations are fullest.
 *
 * @param generations number of generations per window, G
 * @param keys number of distinct keys of one window
 * @param keysPerGeneration number of distinct keys of one generation
 * @param targetFpp the rate that all generations together do not exceed
 * @param layout the layout of every generation
 * @param generationBits number of bits of one generation
 */
public record WindowPlan(
    int generations,
    long keys,
    long keysPerGeneration,
    double targetFpp,
    Layout.Blocked layout,
    long generationBits) {
  /**
   * The room of a generation relative to an even share of the keys of a window. It is above 1
   * because a key that recurs is put into another generation too, and because traffic is uneven.
   */
  public static final double SHARE = 1.1;

  /**
   * The patterns by the rate of one generation: the first band whose border is below the rate
   * applies. Two words per key are used as long as they need at most 15 % more bits than four
   * words, because each word is in another cache line (decision 29).
   */
  private static final List<Band> BANDS =
      List.of(
          new Band(0.03, new Pattern(2, 2)),
          new Band(0.004, new Pattern(2, 3)),
          new Band(6e-4, new Pattern(2, 4)),
          new Band(5e-5, new Pattern(2, 5)),
          new Band(5e-6, new Pattern(4, 3)),
          new Band(5e-8, new Pattern(4, 4)),
          new Band(0, new Pattern(8, 3)));

  private record Band(double border, Pattern pattern) {}

  /** Checks the arguments. */
  public WindowPlan {
    checkedGenerations(generations);
    Checks.positive(keys, "keys");
    Checks.positive(keysPerGeneration, "keysPerGeneration");
    HashFloor.require(targetFpp, (double) keysPerGeneration * (generations + 1));
    layout.checkedBits(generationBits);
  }

  /**
   * Returns the plan for this many keys in a window, with {@link #SHARE} times an even share per
   * generation.
   */
  public static WindowPlan of(long keys, double fpp, int generations) {
    return of(keys, evenShare(keys, checkedGenerations(generations)), fpp, generations);
  }

  /** Returns the plan for this many keys in a window and in one generation. */
  public static WindowPlan of(long keys, long keysPerGeneration, double fpp, int generations) {
    Checks.positive(keysPerGeneration, "keysPerGeneration");
    HashFloor.require(fpp, (double) keysPerGeneration * (checkedGenerations(generations) + 1));
    double one = fppOfOne(fpp, generations, keysPerGeneration);
    Layout.Blocked layout = layout(one);
    long bits = layout.foldableBits(layout.guaranteedBits(keysPerGeneration, one));
    return new WindowPlan(generations, keys, keysPerGeneration, fpp, layout, bits);
  }

  /** Returns the number of generations of a ring; throws unless it is 3, 7, 15 or 31. */
  static int checkedGenerations(int generations) {
    if (TimeGrid.checkedGenerations(generations) == TimeGrid.MOST_GENERATIONS) {
      throw new IllegalArgumentException(
          "a ring has 3, 7, 15 or 31 generations, not %d: omit keys, and the window stores prefixes"
              .formatted(generations));
    }
    return generations;
  }

  /**
   * Returns the number of keys of one generation if only that of a window is known: {@link #SHARE}
   * times K/G.
   */
  static long evenShare(long keys, int generations) {
    return (long) Math.ceil(Checks.positive(keys, "keys") * (SHARE / generations));
  }

  /** Returns the layout for a rate of one generation. */
  static Layout.Blocked layout(double fpp) {
    return new Layout.Blocked(
        BANDS.stream().filter(band -> fpp > band.border).findFirst().orElseThrow().pattern);
  }

  /**
   * Returns the rate of one generation at which all generations together have the rate fpp, not
   * counting equal hashes.
   */
  static double fppOfOne(double fpp, int generations, double keysPerGeneration) {
    double positions = HashFloor.without(fpp, keysPerGeneration * (generations + 1));
    return -Precise.expm1(Precise.log1p(-positions) / (generations + 1));
  }

  /** Returns the number of blocks of each generation, for a ring in which all are equal. */
  long[] filledCells() {
    long[] filled = new long[generations + 1];
    Arrays.fill(filled, generationBits / Layout.Blocked.BLOCK_BITS);
    return filled;
  }

  /** Returns the same plan with generations of this size. */
  WindowPlan withGenerationBits(long bits) {
    return new WindowPlan(generations, keys, keysPerGeneration, targetFpp, layout, bits);
  }

  /** Returns the same plan with a size that can be halved often and is at most 3 % larger. */
  WindowPlan halvable() {
    long cells = generationBits / Layout.Blocked.BLOCK_BITS;
    long unit = Long.highestOneBit(cells);
    while ((cells + unit - 1) / unit * unit > cells * 1.03) {
      unit /= 2;
    }
    return withGenerationBits((cells + unit - 1) / unit * unit * Layout.Blocked.BLOCK_BITS);
  }

  /** Returns the number of bits of all generations, including the one that is being filled. */
  public long bits() {
    return Math.multiplyExact(generationBits, generations + 1L);
  }

  /** Returns the number of bits per distinct key of a window. */
  public double bitsPerLiveKey() {
    return (double) bits() / keys;
  }

  /**
   * Returns the predicted rate just before a rotation, with the planned number of keys in every
   * generation.
   */
  public double fpp() {
    return fpp(keysPerGeneration);
  }

  /** Returns the predicted rate just before a rotation, with this many keys in every generation. */
  public double fpp(long keysInEachGeneration) {
    double one = Math.min(layout.fpp(generationBits, keysInEachGeneration), 1 - 1e-16);
    return HashFloor.with(
        -Precise.expm1(Precise.log1p(-one) * (generations + 1)),
        (double) keysInEachGeneration * (generations + 1));
  }

  /**
   * Returns the expected heap memory, in bits per distinct key of a window, of a filter that is
   * built without {@code keys} and stores prefixes of hashes. At a steady load it does not depend
   * on the number of keys.
   */
  public static double prefixBitsPerLiveKey(double fpp, int generations) {
    return PrefixSizes.of(fpp).bitsPerLiveKey(TimeGrid.checkedGenerations(generations));
  }
}
