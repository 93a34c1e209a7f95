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
 * How a key chooses its bits, and the mathematics of that choice: which sizes there are, which rate
 * a size has, which size a rate needs. A filter is an array of equal cells in which a key chooses
 * cells by {@code hash mod cells}, so every layout obeys the same fold law (Folding paper, Eq. 3).
 *
 * <p>A layout does not depend on the size of a filter: filters of equal layouts and hash schemes
 * merge at any sizes. Where only the {@link Family} is known, it chooses the layout for a rate.
 */
public sealed interface Layout {
  /** The two kinds of layouts, and their rules for choosing one. */
  enum Family {
    /** A cell is one bit, k cells per key: the fewest bits, k cache misses. */
    CLASSIC {
      @Override
      public Layout withHashes(int hashes) {
        return new Classic(hashes);
      }

      @Override
      public Layout forFpp(double fpp) {
        return new Classic(BloomRates.hashesFor(fpp));
      }

      @Override
      public Layout best(long bits, long keys) {
        return new Classic(keys == 0 ? 1 : BloomRates.bestHashes(bits, keys));
      }

      @Override
      public Layout smallest(long keys, double fpp) {
        return Classic.smallest(keys, fpp);
      }
    },

    /**
     * A cell is a block of 512 bits, one cell per key: one cache miss, a few percent more bits from
     * 1 % to 0.1 %, a third more at 1e-6 and twice as many at 1e-9.
     */
    BLOCKED {
      @Override
      public Layout withHashes(int hashes) {
        return Blocked.withHashes(hashes);
      }

      @Override
      public Layout forFpp(double fpp) {
        return Blocked.forFpp(Checks.probability(fpp, "fpp"));
      }

      @Override
      public Layout best(long bits, long keys) {
        return Blocked.best(bits, keys);
      }

      @Override
      public Layout smallest(long keys, double fpp) {
        return forFpp(fpp);
      }
    };

    /**
     * Returns the layout with this many bits per key; BLOCKED only has the patterns of its rule.
     */
    public abstract Layout withHashes(int hashes);

    /**
     * Returns the layout that needs the fewest bits per key for a rate; it depends on the rate
     * alone.
     */
    public abstract Layout forFpp(double fpp);

    /** Returns the layout with the lowest rate for this many keys in this many bits. */
    public abstract Layout best(long bits, long keys);

    /** Returns the layout that meets the rate with the smallest size. */
    public abstract Layout smallest(long keys, double fpp);
  }

  /** Returns the family of this layout. */
  Family family();

  /** Returns the number of bits per key, k. */
  int hashes();

  /** Returns the positions of a key inside its cell, or null if a cell is one bit. */
  @Nullable Pattern pattern();

  /** Returns a description of the layout, for {@code explain()}. */
  String describe();

  /** Returns the number of bits in a cell; every size is a multiple of it. */
  int cellBits();

  /** Returns a number of which all sizes chosen by this library are multiples. */
  int unitBits();

  /**
   * Returns the predicted rate of a size with this many keys, by the formula that every plan
   * states.
   */
  double fpp(long bits, long keys);

  /** Returns the predicted rate by the most precise formula that is fast to compute. */
  double fppSharp(long bits, long keys);

  /** Returns the rate after folding by a factor, if only the number of ones is known. */
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

  /** Returns the smallest number of bits at which even the exact rate is at most {@code fpp}. */
  long guaranteedBits(long keys, double fpp);

  /**
   * Returns the size that this library chooses if no exact size is given: the one with the most
   * divisors that is at most a few percent above the need (decision 5).
   */
  long foldableBits(double need);

  /** Returns the smallest size, as a real number, whose rate is at most {@code fpp}. */
  double smallestAt(long keys, double fpp);

  /** Returns the largest size, as a real number, whose rate is at least {@code fpp}. */
  double largestAt(long keys, double fpp);

  /** Returns the largest number of keys at which the predicted rate is at most {@code fpp}. */
  long keysFor(long bits, double fpp);

  /** Returns the largest number of keys at which even the exact rate is at most {@code fpp}. */
  long guaranteedKeys(long bits, double fpp);

  /**
   * Returns the number of keys whose expected number of ones is {@code ones}; infinite for a full
   * filter.
   */
  double keysFromOnes(long bits, long ones);

  /** Returns {@code bits}, or throws if it is not a whole number of cells. */
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
   * @param hashes bits per key
   */
  record Classic(int hashes) implements Layout {
    private static final double FOLDABLE_SLACK = 1.03;

    /** Checks the hashes. */
    public Classic {
      Checks.positive(hashes, "hashes");
    }

    /**
     * The number of bits needed is unimodal in k; for very small filters with ties the smallest k
     * is used (erratum N2).
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
    public @Nullable Pattern pattern() {
      return null;
    }

    @Override
    public String describe() {
      return family() + " layout";
    }

    @Override
    public int cellBits() {
      return 1;
    }

    @Override
    public int unitBits() {
      return Long.SIZE;
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

    /** The exponential formula is too low by up to a share of k(k+1)/4m (erratum C1). */
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
   * A cell is a block of 512 bits, and a key sets a {@link Pattern} in one of them; the rates
   * account exactly for the uneven loads of blocks and words.
   *
   * @param pattern the positions of a key inside its block
   */
  record Blocked(Pattern pattern) implements Layout {
    /** Bits in a block: one cache line. */
    public static final int BLOCK_BITS = BlockRates.BLOCK_BITS;

    /**
     * Less than for CLASSIC, because BLOCKED already needs a few percent more bits for uneven
     * blocks.
     */
    private static final double FOLDABLE_SLACK = 1.02;

    /** From this many blocks on a filter folds by 2 or by 3. */
    private static final int EVEN_FROM = 8;

    /** From this many blocks on it folds by both. */
    private static final int SIXFOLD_FROM = 170;

    /**
     * The pattern of a rate is that of the first band whose lower bound is below it. There are few
     * bands, because filters merge only if their patterns are equal. In each band it is the pattern
     * with the fewest words whose bits per key are within a few percent of the best pattern: 1.4 %
     * from 15 % to 2.5 %, 5.1 % to 0.5 %, 3.5 % to 2e-4 and to 1e-5, 1.2 % to 1e-8 (decision 12).
     */
    private static final List<Band> BANDS =
        List.of(
            new Band(0.025, new Pattern(2, 2)),
            new Band(0.005, new Pattern(2, 3)),
            new Band(2e-4, new Pattern(4, 2)),
            new Band(1e-5, new Pattern(4, 3)),
            new Band(0, new Pattern(8, 2)));

    /** Up to this rate the first pattern is within a few percent of the best. */
    private static final double HIGHEST_RULED = 0.15;

    /** Enough blocks for the rate of a load not to depend on their number. */
    private static final long DESIGN_BLOCKS = 1 << 16;

    private record Band(double border, Pattern pattern) {}

    /** Returns the layout of a pattern: words, and bits in each word. */
    public Blocked(int words, int bits) {
      this(new Pattern(words, bits));
    }

    /** Returns the pattern that the rule chooses for the rate. */
    private static Blocked forFpp(double fpp) {
      return new Blocked(
          BANDS.stream().filter(band -> fpp > band.border).findFirst().orElseThrow().pattern);
    }

    /** Returns the rule's pattern with this many bits per key. */
    private static Blocked withHashes(int hashes) {
      for (Band band : BANDS) {
        if (band.pattern.hashes() == hashes) {
          return new Blocked(band.pattern);
        }
      }
      throw new IllegalArgumentException(
          ("BLOCKED has no pattern with %d bits per key: use %s, or layout "
                  + "CLASSIC, which accepts any number")
              .formatted(
                  hashes,
                  BANDS.stream()
                      .map(band -> band.pattern.hashes() + " (" + band.pattern + ")")
                      .collect(Collectors.joining(", "))));
    }

    /** Returns the rule's pattern with the lowest rate. */
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

    /** Explains the pattern by the rates for which the rule chooses it. */
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

    @Override
    public int unitBits() {
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

    @Override
    public double fppSharp(long bits, long keys) {
      return fpp(bits, keys);
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

    /** For a pattern that the rule never chooses, the rate with half of the bits set. */
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

    /** The predicted rate is exact already. */
    @Override
    public long guaranteedBits(long keys, double fpp) {
      return bitsFor(keys, fpp);
    }

    /**
     * Returns the number of blocks with the most divisors at most 2 % above the need. Small numbers
     * have no such choice, so a block or a few more make every filter fold: if at least 8 blocks
     * are needed, their number is even or divisible by 3, which costs at most one block; if at
     * least 170 are needed, it is divisible by 6, which costs at most five, less than 3 %. Below 8
     * blocks, filters have exactly the blocks they need.
     */
    @Override
    public long foldableBits(double need) {
      long bits = mostDivisible(need, FOLDABLE_SLACK, unitBits());
      long low = Math.max(1, (long) Math.ceil(need / BLOCK_BITS));
      long blocks = bits / BLOCK_BITS;
      return BLOCK_BITS * (folds(blocks, low) ? blocks : leastThatFolds(low));
    }

    /** Returns whether a number of blocks folds as well as filters of this need have to. */
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
    public long keysFor(long bits, double fpp) {
      return rates().keysFor(blocks(bits), fpp);
    }

    /** The predicted rate is exact already. */
    @Override
    public long guaranteedKeys(long bits, double fpp) {
      return keysFor(bits, fpp);
    }

    /**
     * Returns {@code ln(1 - X/m) / ln(1 - u/blocks)}: a key leaves a given bit zero with
     * probability {@code 1 - u/blocks}, {@code u = words/8 (1 - (63/64)^bits)}, independently of
     * the other keys, so the expected share of zeros after n keys is exact. Estimating each block
     * from its load would bias the sum by a share of all keys.
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
