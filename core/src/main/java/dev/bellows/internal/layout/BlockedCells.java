package dev.bellows.internal.layout;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.math.BlockJointRates;
import dev.bellows.internal.math.BlockRates;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A cell is a block of 512 bits and a key marks a {@link Pattern} in one of them; the rates are
 * exact over the uneven loads of blocks and words ({@link BlockRates}).
 *
 * @param pattern the positions of a key inside its block
 */
public record BlockedCells(Pattern pattern) implements Cells {
  /** The number of the layout in files. */
  public static final int FILE_NUMBER = 1;

  /** Bits in a block: one cache line. */
  public static final int BLOCK_BITS = BlockRates.BLOCK_BITS;

  /**
   * Less than for CLASSIC, because BLOCKED already needs a few per cent more bits for uneven
   * blocks.
   */
  private static final double FOLDABLE_SLACK = 1.02;

  /**
   * The pattern of a rate: that of the first band whose lower border is below it. There are few
   * bands, because filters merge only if their patterns are equal; in each the fewest words whose
   * bits per key are within a few per cent of the least that any pattern needs: 1.4 % from 15 % to
   * 2.5 %, 5.1 % to 0.5 %, 3.5 % to 2e-4 and to 1e-5, 1.2 % to 1e-8 (decision 12).
   */
  private static final List<Band> BANDS =
      List.of(
          new Band(0.025, new Pattern(2, 2)),
          new Band(0.005, new Pattern(2, 3)),
          new Band(2e-4, new Pattern(4, 2)),
          new Band(1e-5, new Pattern(4, 3)),
          new Band(0, new Pattern(8, 2)));

  private record Band(double border, Pattern pattern) {}

  /** The cells of the pattern that the rule chooses for the rate. */
  public static BlockedCells forFpp(double fpp) {
    return new BlockedCells(
        BANDS.stream().filter(band -> fpp > band.border).findFirst().orElseThrow().pattern);
  }

  /** The cells of the rule's pattern with this many bits per key. */
  static BlockedCells ofHashes(int hashes) {
    for (Pattern pattern : known()) {
      if (pattern.hashes() == hashes) {
        return new BlockedCells(pattern);
      }
    }
    throw new IllegalArgumentException(
        "BLOCKED has no pattern of %d bits per key: take %s, or layout CLASSIC, which takes any number"
            .formatted(
                hashes,
                known().stream()
                    .map(pattern -> pattern.hashes() + " (" + pattern + ")")
                    .collect(Collectors.joining(", "))));
  }

  /** The patterns that the rule chooses. */
  private static List<Pattern> known() {
    return BANDS.stream().map(Band::pattern).toList();
  }

  @Override
  public String describe() {
    return "%s layout, pattern %s (%d bits in each of %d words of a block, %s)"
        .formatted(layout(), pattern, pattern.bits(), pattern.words(), why());
  }

  /** Why a filter has this pattern: the rates for which the rule takes it. */
  public String why() {
    String upper = "";
    for (Band band : BANDS) {
      String lower = band.border == 0 ? "" : " above " + percent(band.border);
      if (band.pattern.equals(pattern)) {
        return "the rule's choice for rates" + lower + upper;
      }
      upper = " up to " + percent(band.border);
    }
    return "chosen by the caller, not by the rule";
  }

  private static String percent(double rate) {
    return BigDecimal.valueOf(100 * rate).stripTrailingZeros().toPlainString() + " %";
  }

  /** The rule's pattern with the lowest rate. */
  static BlockedCells best(long bits, long keys) {
    BlockedCells best = new BlockedCells(known().get(0));
    for (Pattern pattern : known()) {
      BlockedCells next = new BlockedCells(pattern);
      best = next.fpp(bits, keys) < best.fpp(bits, keys) ? next : best;
    }
    return best;
  }

  private BlockRates rates() {
    return BlockRates.of(pattern);
  }

  static BlockedCells ofFile(int hashes, int words) {
    if (words < 1 || words > Pattern.BLOCK_WORDS) {
      throw new IllegalArgumentException(
          "words of the pattern %d do not lie in [1, %d]".formatted(words, Pattern.BLOCK_WORDS));
    }
    if (hashes % words != 0) {
      throw new IllegalArgumentException(hashes + " hashes in " + words + " words of a block");
    }
    return new BlockedCells(new Pattern(words, hashes / words));
  }

  @Override
  public Layout layout() {
    return Layout.BLOCKED;
  }

  @Override
  public int fileNumber() {
    return FILE_NUMBER;
  }

  @Override
  public int hashes() {
    return pattern.hashes();
  }

  @Override
  public int cellBits() {
    return BLOCK_BITS;
  }

  @Override
  public int unitBits() {
    return BLOCK_BITS;
  }

  @Override
  public double foldableSlack() {
    return FOLDABLE_SLACK;
  }

  private long blocks(long bits) {
    return checkedBits(bits) / BLOCK_BITS;
  }

  @Override
  public double fpp(long bits, long keys) {
    return rates().fpp(blocks(bits), keys);
  }

  @Override
  public double fppSharp(long bits, long keys) {
    return fpp(bits, keys);
  }

  @Override
  public double fppExact(long bits, long keys) {
    return Double.NaN;
  }

  /** The rate that so many keys have in the mean: the loads of the blocks are not known. */
  @Override
  public double fppFromOnes(long bits, long ones, long factor) {
    return fpp(bits / factor, Math.round(keysFromOnes(bits, Math.min(ones, bits - 1))));
  }

  /** Bits per key that keep the rate in a filter of very many blocks. */
  public double bitsPerKey(double fpp) {
    return rates().bitsPerKey(fpp);
  }

  @Override
  public long bitsFor(long keys, double fpp) {
    return BLOCK_BITS * rates().blocksFor(keys, fpp);
  }

  @Override
  public long keysFor(long bits, double fpp) {
    return rates().keysFor(blocks(bits), fpp);
  }

  /** The rate is exact already. */
  @Override
  public double guaranteed(double fpp, long bits) {
    return fpp;
  }

  @Override
  public double smallestAt(long keys, double fpp) {
    return bitsFor(keys, fpp);
  }

  @Override
  public double largestAt(long keys, double fpp) {
    long enough = rates().blocksFor(keys, fpp);
    boolean exactly = rates().fpp(enough, keys) >= fpp;
    return (double) BLOCK_BITS * (exactly ? enough : enough - 1);
  }

  @Override
  public double jointFpp(long[] sizes, long keys) {
    return BlockJointRates.fpp(pattern, Arrays.stream(sizes).map(this::blocks).toArray(), keys);
  }

  @Override
  public int quickFoldings() {
    return 3;
  }

  @Override
  public String sizeFormula() {
    return "mean over the loads of blocks";
  }

  /**
   * {@code ln(1 - X/m) / ln(1 - u/blocks)}: a key leaves a given bit zero with chance {@code 1 -
   * u/blocks}, {@code u = words/8 (1 - (63/64)^bits)}, independently of the other keys, so that the
   * share of zeros has exactly that mean after n keys. Estimates for single blocks would use the
   * loads, but their sum is biased by a share of all keys.
   */
  @Override
  public double keysFromOnes(long bits, long ones) {
    double hit = pattern.words() / 8.0 * -Precise.expm1(pattern.bits() * Precise.log1p(-1 / 64.0));
    double blocks = (double) blocks(bits);
    return ones == 0 ? 0 : Precise.log1p(-(double) ones / bits) / Precise.log1p(-hit / blocks);
  }
}
