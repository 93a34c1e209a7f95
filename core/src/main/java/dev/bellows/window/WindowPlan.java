package dev.bellows.window;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.math.HashFloor;
import java.util.List;

/**
 * The size of a window that is a ring of generations.
 *
 * <p>G generations of a window and the one that is being filled are queried together, and each is a
 * BLOCKED filter of its own. With the rate q of one full generation, all of them together have 1 -
 * (1 - q)^(G + 1); the plan chooses q so that this is at most the target at the moment before a
 * rotation, when they are fullest.
 *
 * @param generations the parts of a window, G
 * @param keys distinct keys of one window
 * @param keysPerGeneration distinct keys of one generation
 * @param targetFpp the rate that all generations together do not exceed
 * @param layout how keys choose bits, in every generation
 * @param generationBits the bits of one generation
 */
public record WindowPlan(
    int generations,
    long keys,
    long keysPerGeneration,
    double targetFpp,
    Layout.Blocked layout,
    long generationBits) {
  /**
   * How many more keys a generation takes than an even share of the keys of a window: a key that
   * comes again is put into a further generation, and traffic is not even.
   */
  public static final double SHARE = 1.1;

  /**
   * The pattern of a rate of one generation: that of the first band whose border is below it. Two
   * words per key as long as they need at most 15 % more bits than four do, because each word is
   * another cache line (decision 29).
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

  /** Checks the numbers against each other. */
  public WindowPlan {
    checkedGenerations(generations);
    Checks.positive(keys, "keys");
    Checks.positive(keysPerGeneration, "keysPerGeneration");
    HashFloor.require(targetFpp, (double) keysPerGeneration * (generations + 1));
    layout.checkedBits(generationBits);
  }

  /** The plan for this many keys in a window, a little more than an even share per generation. */
  public static WindowPlan of(long keys, double fpp, int generations) {
    return of(keys, evenShare(keys, checkedGenerations(generations)), fpp, generations);
  }

  /** The plan for this many keys in a window and in one generation. */
  public static WindowPlan of(long keys, long keysPerGeneration, double fpp, int generations) {
    Checks.positive(keysPerGeneration, "keysPerGeneration");
    HashFloor.require(fpp, (double) keysPerGeneration * (checkedGenerations(generations) + 1));
    double one = fppOfOne(fpp, generations, keysPerGeneration);
    Layout.Blocked layout = layout(one);
    long bits = layout.foldableBits(layout.guaranteedBits(keysPerGeneration, one));
    return new WindowPlan(generations, keys, keysPerGeneration, fpp, layout, bits);
  }

  /** The number, if a window can have that many generations. */
  static int checkedGenerations(int generations) {
    if (generations != 3 && generations != 7 && generations != 15) {
      throw new IllegalArgumentException("a window has 3, 7 or 15 generations, not " + generations);
    }
    return generations;
  }

  /** Keys of one generation where only those of a window are known: {@link #SHARE} times K/G. */
  static long evenShare(long keys, int generations) {
    return (long) Math.ceil(Checks.positive(keys, "keys") * (SHARE / generations));
  }

  /** The layout for a rate of one generation. */
  static Layout.Blocked layout(double fpp) {
    return new Layout.Blocked(
        BANDS.stream().filter(band -> fpp > band.border).findFirst().orElseThrow().pattern);
  }

  /** The rate of one generation with which all together have the rate, equal hashes left out. */
  static double fppOfOne(double fpp, int generations, double keysPerGeneration) {
    double positions = HashFloor.without(fpp, keysPerGeneration * (generations + 1));
    return -Precise.expm1(Precise.log1p(-positions) / (generations + 1));
  }

  /** The rate of several generations together. */
  static double fppOfAll(double fppOfOne, int generations) {
    return -Precise.expm1(Precise.log1p(-Math.min(fppOfOne, 1 - 1e-16)) * (generations + 1));
  }

  /** The same plan with generations of another size. */
  WindowPlan withGenerationBits(long bits) {
    return new WindowPlan(generations, keys, keysPerGeneration, targetFpp, layout, bits);
  }

  /** The same plan with a size that can be halved often, at most 3 % larger. */
  WindowPlan halvable() {
    long cells = generationBits / Layout.Blocked.BLOCK_BITS;
    long unit = Long.highestOneBit(cells);
    while ((cells + unit - 1) / unit * unit > cells * 1.03) {
      unit /= 2;
    }
    return withGenerationBits((cells + unit - 1) / unit * unit * Layout.Blocked.BLOCK_BITS);
  }

  /** The bits of all generations, the one that is being filled included. */
  public long bits() {
    return Math.multiplyExact(generationBits, generations + 1L);
  }

  /** Bits per distinct key of a window. */
  public double bitsPerLiveKey() {
    return (double) bits() / keys;
  }

  /** The predicted rate just before a rotation, with the planned keys in every generation. */
  public double fpp() {
    return fpp(keysPerGeneration);
  }

  /** The predicted rate just before a rotation, with this many keys in every generation. */
  public double fpp(long keysInEachGeneration) {
    return HashFloor.with(
        fppOfAll(layout.fpp(generationBits, keysInEachGeneration), generations),
        (double) keysInEachGeneration * (generations + 1));
  }

  /**
   * The bits of heap per distinct key of a window that a filter without {@code keys} takes, which
   * keeps prefixes of hashes: to expect in a steady state, whatever the number of keys.
   */
  public static double prefixBitsPerLiveKey(double fpp, int generations) {
    return PrefixSizes.of(fpp).bitsPerLiveKey(checkedGenerations(generations));
  }

  /** The most keys of a generation, in all of them, at which the rate is at most the target. */
  public long mostKeysPerGeneration() {
    return layout.keysFor(
        generationBits, fppOfOne(targetFpp, generations, (double) keysPerGeneration));
  }
}
