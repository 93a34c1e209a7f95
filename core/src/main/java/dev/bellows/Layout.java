package dev.bellows;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.math.BlockJointRates;
import dev.bellows.internal.math.BlockRates;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.JointRates;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A mapping from keys to bits, and its mathematics: the possible sizes, the rate of a size and the
 * size for a rate. A filter is an array of equal cells, and a key selects cells by {@code hash mod
 * cells}, so all layouts obey the same fold law (Folding paper, Eq. 3).
 *
 * <p>A layout does not depend on the size of a filter: filters with equal layouts and hash schemes
 * can be merged at any sizes. A {@link Family} chooses a layout for a given rate.
 */
public sealed interface Layout {
  /** The two families of layouts, each with rules for choosing a layout. */
  enum Family {
    /** A cell is one bit, and a key has k cells: the fewest bits, k cache misses. */
    CLASSIC,

    /**
     * A cell is a block of 512 bits, and a key has one cell: one cache miss. Compared with CLASSIC,
     * a filter needs a few percent more bits at rates from 1 % to 0.1 %, a third more at 1e-6 and
     * twice as many at 1e-9.
     */
    BLOCKED;

    /**
     * Returns the layout in which a key sets this many bits. BLOCKED only has the patterns of its
     * rule and throws for other numbers.
     */
    public Layout withHashes(int hashes) {
      return this == CLASSIC ? new Classic(hashes) : Blocked.withHashes(hashes);
    }

    /**
     * Returns the layout for a rate, which depends on the rate only. Its filters have the fewest
     * bits per key or, for BLOCKED, nearly the fewest.
     */
    public Layout forFpp(double fpp) {
      return this == CLASSIC
          ? new Classic(BloomRates.hashesFor(fpp))
          : Blocked.forFpp(Checks.probability(fpp, "fpp"));
    }

    /** Returns the layout with the lowest rate for this many keys in this many bits. */
    public Layout best(long bits, long keys) {
      return this == CLASSIC ? Classic.best(bits, keys) : Blocked.best(bits, keys);
    }

    /** Returns the layout whose filter for this many keys and this rate is the smallest. */
    public Layout smallest(long keys, double fpp) {
      return this == CLASSIC ? Classic.smallest(keys, fpp) : forFpp(fpp);
    }
  }

  /** Returns the family of this layout. */
  Family family();

  /** Returns the number of bits that a key sets, k. */
  int hashes();

  /** Returns the positions of a key inside its cell, or null if a cell is one bit. */
  default @Nullable Pattern pattern() {
    return null;
  }

  /** Returns a description of the layout, for {@code explain()}. */
  default String describe() {
    return family() + " layout";
  }

  /** Returns the number of bits in a cell; every size is a multiple of it. */
  int cellBits();

  /** Returns the unit in bits of which all sizes chosen by this library are multiples. */
  default int unitBits() {
    return Math.max(cellBits(), Long.SIZE);
  }

  /**
   * Returns the predicted rate of a filter of this size with this many keys, by the formula that
   * all plans use.
   */
  double fpp(long bits, long keys);

  /** Returns the predicted rate by the most precise formula that is fast to compute. */
  default double fppSharp(long bits, long keys) {
    return fpp(bits, keys);
  }

  /**
   * Returns the rate after folding by a factor, for a filter of which only the number of ones is
   * known.
   */
  double fppFromOnes(long bits, long ones, long factor);

  /**
   * Returns the joint false positive rate of foldings to these sizes, all of which divide one
   * capacity.
   */
  double jointFpp(long[] sizes, long keys);

  /**
   * Returns the rate at the design load of this layout, which stands in for the target of a filter
   * that does not store one. For CLASSIC it is the rate with half of the bits set, {@code
   * 2^-hashes}; for BLOCKED, the highest rate for which the rule chooses the pattern.
   */
  double designFpp();

  /** Returns the smallest number of bits whose predicted rate is at most {@code fpp}. */
  long bitsFor(long keys, double fpp);

  /** Returns a number of bits that guarantees that the exact rate, too, is at most {@code fpp}. */
  default long guaranteedBits(long keys, double fpp) {
    return bitsFor(keys, fpp);
  }

  /**
   * Returns the size that this library chooses if no exact size is given: the one with the most
   * divisors that is at most a few percent above the need (docs/decisions/0002).
   */
  long foldableBits(double need);

  /** Returns the smallest size, as a real number, whose rate is at most {@code fpp}. */
  default double smallestAt(long keys, double fpp) {
    return bitsFor(keys, fpp);
  }

  /** Returns the largest size, as a real number, whose rate is at least {@code fpp}. */
  double largestAt(long keys, double fpp);

  /** Returns the largest number of keys for which the predicted rate is at most {@code fpp}. */
  long keysFor(long bits, double fpp);

  /** Returns a number of keys that guarantees that the exact rate, too, is at most {@code fpp}. */
  default long guaranteedKeys(long bits, double fpp) {
    return keysFor(bits, fpp);
  }

  /**
   * Returns the number of keys whose expected number of ones is {@code ones}; infinite for a full
   * filter.
   */
  double keysFromOnes(long bits, long ones);

  /** Returns {@code bits}, or throws if it is not a multiple of the cell size. */
  default long checkedBits(long bits) {
    Checks.positive(bits, "bits");
    if (bits % cellBits() != 0) {
      long below = bits / cellBits() * cellBits();
      throw new IllegalArgumentException(
          "%s sizes are multiples of %d bits and %d is not: use %s%d, or layout CLASSIC"
              .formatted(
                  family(),
                  cellBits(),
                  bits,
                  below == 0 ? "" : below + " or ",
                  below + cellBits()));
    }
    return bits;
  }

  /**
   * Returns the multiple of the unit with the most divisors between the need and {@code slack}
   * times the need.
   */
  private static long mostDivisible(double need, double slack, int unit) {
    if (!(need * slack < Long.MAX_VALUE)) {
      throw new IllegalArgumentException(need + " bits exceed the largest filter");
    }
    long low = Math.max(1, (long) Math.ceil(need / unit));
    long high = (long) (need * slack / unit);
    return unit * Divisors.mostDivisible(low, Math.max(low, high));
  }

  /**
   * A cell is one bit, and a key sets k of them: the standard Bloom filter.
   *
   * @param hashes the number of bits that a key sets
   */
  record Classic(int hashes) implements Layout {
    private static final double FOLDABLE_SLACK = 1.03;

    /** Validates the number of hashes. */
    public Classic {
      Checks.positive(hashes, "hashes");
    }

    /** Returns the layout with the lowest rate. */
    private static Classic best(long bits, long keys) {
      return new Classic(keys == 0 ? 1 : BloomRates.bestHashes(bits, keys));
    }

    /**
     * Returns the layout with the smallest filter. The size is unimodal in k; for very small
     * filters, several k may lead to the same size, and the smallest one is used (see erratum <a
     * href="{@docRoot}/doc-files/errata.html#N2">N2</a>).
     */
    private static Classic smallest(long keys, double fpp) {
      int likely = BloomRates.hashesFor(fpp);
      int best = likely;
      long fewest = Long.MAX_VALUE;
      for (int k = Math.max(1, likely / 2); k <= likely + 1; k++) {
        long bits = BloomRates.bitsFor(keys, k, fpp);
        if (bits < fewest) {
          fewest = bits;
          best = k;
        }
      }
      return new Classic(best);
    }

    @Override
    public Family family() {
      return Family.CLASSIC;
    }

    @Override
    public int cellBits() {
      return 1;
    }

    @Override
    public double fpp(long bits, long keys) {
      return BloomRates.fpp(bits, keys, hashes);
    }

    @Override
    public double fppSharp(long bits, long keys) {
      return BloomRates.fppClassic(bits, keys, hashes);
    }

    /** Returns the rate of exactly these bits. */
    @Override
    public double fppFromOnes(long bits, long ones, long factor) {
      return factor == 1
          ? BloomRates.fppFromOnes(bits, ones, hashes)
          : BloomRates.fppFolded(bits, ones, hashes, factor);
    }

    @Override
    public double jointFpp(long[] sizes, long keys) {
      return JointRates.fpp(sizes, keys, hashes);
    }

    @Override
    public double designFpp() {
      return Math.scalb(1.0, -hashes);
    }

    @Override
    public long bitsFor(long keys, double fpp) {
      return BloomRates.bitsFor(keys, hashes, fpp);
    }

    @Override
    public long guaranteedBits(long keys, double fpp) {
      return bitsFor(keys, guaranteed(fpp, bitsFor(keys, fpp)));
    }

    @Override
    public long foldableBits(double need) {
      return mostDivisible(need, FOLDABLE_SLACK, unitBits());
    }

    @Override
    public double smallestAt(long keys, double fpp) {
      return BloomRates.bitsAt(keys, hashes, fpp);
    }

    @Override
    public double largestAt(long keys, double fpp) {
      return BloomRates.bitsAt(keys, hashes, fpp);
    }

    @Override
    public long keysFor(long bits, double fpp) {
      return BloomRates.keysFor(bits, hashes, fpp);
    }

    @Override
    public long guaranteedKeys(long bits, double fpp) {
      return keysFor(bits, guaranteed(fpp, bits));
    }

    /**
     * Returns the rate for the exponential formula at which the exact rate is at most {@code fpp}:
     * the formula is too low by up to a fraction of k(k+1)/4m (see erratum <a
     * href="{@docRoot}/doc-files/errata.html#C1">C1</a>).
     */
    private double guaranteed(double fpp, long bits) {
      return fpp / (1 + hashes * (hashes + 1.0) / (4.0 * bits));
    }

    @Override
    public double keysFromOnes(long bits, long ones) {
      return BloomRates.keysFromOnes(bits, ones, hashes);
    }

    /** Returns the text form: {@code CLASSIC, 7 hashes}. */
    @Override
    public String toString() {
      return family() + ", " + hashes + " hashes";
    }
  }

  /**
   * A cell is a block of 512 bits, and a key sets a {@link Pattern} of bits in one block. The rates
   * account exactly for the uneven loads of blocks and words.
   *
   * @param pattern the positions of a key inside its block
   */
  record Blocked(Pattern pattern) implements Layout {
    /** The number of bits in a block: one cache line. */
    public static final int BLOCK_BITS = BlockRates.BLOCK_BITS;

    /**
     * The largest ratio of a chosen size to the need. It is lower than for CLASSIC, because BLOCKED
     * already needs a few percent more bits for its uneven loads.
     */
    private static final double FOLDABLE_SLACK = 1.02;

    /** The number of blocks from which on a filter folds by 2 or by 3. */
    private static final int EVEN_FROM = 8;

    /** The number of blocks from which on a filter folds by 2 and by 3. */
    private static final int SIXFOLD_FROM = 170;

    /**
     * The rule that chooses a pattern: the pattern of the first band whose lower bound is below the
     * rate. There are few bands, because filters can only be merged if their patterns are equal.
     * Each band has the pattern with the fewest words that needs at most a few percent more bits
     * per key than the best pattern: 1.4 % more at rates from 15 % to 2.5 %, 5.1 % down to 0.5 %,
     * 3.5 % down to 2e-4 and to 1e-5, 1.2 % down to 1e-8 (docs/decisions/0012).
     */
    private static final List<Band> BANDS =
        List.of(
            new Band(0.025, new Pattern(2, 2)),
            new Band(0.005, new Pattern(2, 3)),
            new Band(2e-4, new Pattern(4, 2)),
            new Band(1e-5, new Pattern(4, 3)),
            new Band(0, new Pattern(8, 2)));

    /** The highest rate at which the first pattern is within a few percent of the best. */
    private static final double HIGHEST_RULED = 0.15;

    /** A number of blocks so large that the rate depends on their load only. */
    private static final long DESIGN_BLOCKS = 1 << 16;

    private record Band(double border, Pattern pattern) {}

    /** Creates the layout with a pattern of this many words and this many bits in each word. */
    public Blocked(int words, int bits) {
      this(new Pattern(words, bits));
    }

    /** Returns the layout with the pattern that the rule chooses for the rate. */
    private static Blocked forFpp(double fpp) {
      return new Blocked(
          BANDS.stream().filter(band -> fpp > band.border).findFirst().orElseThrow().pattern);
    }

    /** Returns the layout with the rule's pattern of this many bits. */
    private static Blocked withHashes(int hashes) {
      for (Band band : BANDS) {
        if (band.pattern.hashes() == hashes) {
          return new Blocked(band.pattern);
        }
      }
      throw new IllegalArgumentException(
          ("layout BLOCKED has no pattern with %d hashes: use %s, or layout "
                  + "CLASSIC, which accepts any number")
              .formatted(
                  hashes,
                  BANDS.stream()
                      .map(band -> band.pattern.hashes() + " (" + band.pattern + ")")
                      .collect(Collectors.joining(", "))));
    }

    /** Returns the layout with the lowest rate among the rule's patterns. */
    private static Blocked best(long bits, long keys) {
      Blocked best = new Blocked(BANDS.get(0).pattern);
      for (Band band : BANDS) {
        Blocked next = new Blocked(band.pattern);
        best = next.fpp(bits, keys) < best.fpp(bits, keys) ? next : best;
      }
      return best;
    }

    @Override
    public Family family() {
      return Family.BLOCKED;
    }

    @Override
    public int hashes() {
      return pattern.hashes();
    }

    @Override
    public String describe() {
      return "%s layout, pattern %s (%d bits in each of %d words of a block, %s)"
          .formatted(family(), pattern, pattern.bits(), pattern.words(), reason());
    }

    /** Returns the range of rates for which the rule chooses the pattern. */
    private String reason() {
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

    @Override
    public int cellBits() {
      return BLOCK_BITS;
    }

    private BlockRates rates() {
      return BlockRates.of(pattern);
    }

    private long blocks(long bits) {
      return checkedBits(bits) / BLOCK_BITS;
    }

    @Override
    public double fpp(long bits, long keys) {
      return rates().fpp(blocks(bits), keys);
    }

    /**
     * Returns the average rate of filters with this many ones, because the loads of the blocks are
     * unknown.
     */
    @Override
    public double fppFromOnes(long bits, long ones, long factor) {
      return fpp(bits / factor, Math.round(keysFromOnes(bits, Math.min(ones, bits - 1))));
    }

    @Override
    public double jointFpp(long[] sizes, long keys) {
      return BlockJointRates.fpp(pattern, Arrays.stream(sizes).map(this::blocks).toArray(), keys);
    }

    /**
     * {@inheritDoc} For a pattern that the rule never chooses, it is the rate with half of the bits
     * set.
     */
    @Override
    public double designFpp() {
      double highest = HIGHEST_RULED;
      for (Band band : BANDS) {
        if (band.pattern.equals(pattern)) {
          return highest;
        }
        highest = band.border;
      }
      long bits = BLOCK_BITS * DESIGN_BLOCKS;
      return fpp(bits, Math.round(keysFromOnes(bits, bits / 2)));
    }

    @Override
    public long bitsFor(long keys, double fpp) {
      return BLOCK_BITS * rates().blocksFor(keys, fpp);
    }

    /**
     * Returns the number of blocks with the most divisors at most 2 % above the need. Small numbers
     * leave no such choice, so a few more blocks are added to make every filter foldable: if at
     * least 8 blocks are needed, their number is divisible by 2 or 3, which costs at most one
     * block; if at least 170 are needed, it is divisible by 6, which costs at most five blocks,
     * less than 3 %. Filters that need fewer than 8 blocks have exactly that number.
     */
    @Override
    public long foldableBits(double need) {
      long bits = mostDivisible(need, FOLDABLE_SLACK, unitBits());
      long low = Math.max(1, (long) Math.ceil(need / BLOCK_BITS));
      long blocks = bits / BLOCK_BITS;
      return BLOCK_BITS * (folds(blocks, low) ? blocks : leastThatFolds(low));
    }

    /**
     * Returns whether a number of blocks has the divisors that are required if {@code low} are
     * needed.
     */
    private static boolean folds(long blocks, long low) {
      if (low < EVEN_FROM) {
        return true;
      }
      return low < SIXFOLD_FROM ? blocks % 2 == 0 || blocks % 3 == 0 : blocks % 6 == 0;
    }

    private static long leastThatFolds(long low) {
      long blocks = low;
      while (!folds(blocks, low)) {
        blocks++;
      }
      return blocks;
    }

    @Override
    public double largestAt(long keys, double fpp) {
      long enough = rates().blocksFor(keys, fpp);
      boolean exactly = rates().fpp(enough, keys) >= fpp;
      return (double) BLOCK_BITS * (exactly ? enough : enough - 1);
    }

    @Override
    public long keysFor(long bits, double fpp) {
      return rates().keysFor(blocks(bits), fpp);
    }

    /**
     * Returns {@code ln(1 - X/m) / ln(1 - u/blocks)}: a key leaves a given bit zero with
     * probability {@code 1 - u/blocks}, where {@code u = words/8 (1 - (63/64)^bits)}, independently
     * of the other keys, so the expected fraction of zeros after n keys is exact. Estimating each
     * block from its own load would introduce a bias proportional to the number of keys.
     */
    @Override
    public double keysFromOnes(long bits, long ones) {
      double hit =
          pattern.words() / 8.0 * -Precise.expm1(pattern.bits() * Precise.log1p(-1 / 64.0));
      double blocks = (double) blocks(bits);
      return ones == 0 ? 0 : Precise.log1p(-(double) ones / bits) / Precise.log1p(-hit / blocks);
    }

    /** Returns the text form: {@code BLOCKED 2x3}. */
    @Override
    public String toString() {
      return family() + " " + pattern;
    }
  }
}
