package dev.bellows.internal.rates;

import dev.bellows.internal.base.Checks;
import java.util.Arrays;

/**
 * The rate of several foldings of one BLOCKED filter asked together.
 *
 * <p>In each folding an absent key meets one block, and in all of them the same positions inside
 * it, since these do not depend on the size. A key of the filter shares the absent key's block in
 * some subset of the foldings, with the chances of {@link JointRates}; how many keys fall on each
 * subset is Poisson. Given these loads the eight lanes are independent, and a lane passes if its
 * positions are set in the block of every folding: an inclusion and exclusion over the foldings
 * missed, as in errata F15. The rate is the mean of its eighth power over the loads.
 *
 * <p>The mean is taken by Gauss quadrature for the Poisson weight (the zeros of the Charlier
 * polynomials), one small rule per subset: the lane's chance is so smooth in the loads that few
 * nodes suffice. Up to four foldings of which none is inside another are counted; the largest four
 * of more give an upper bound. The Poisson loads differ from the true binomial ones by a share of
 * 1/blocks.
 */
public final class BlockedJointRates {
  private static final int LANES = 8;
  private static final double LANE_BITS = 64;

  /** Nodes for the loads of one folding and of several, by the number of foldings. */
  private static final int[][] NODES = {{}, {}, {10, 10}, {6, 5}, {4, 2}};

  private static final int MOST_SIZES = 4;

  private BlockedJointRates() {}

  /** The rate of foldings to these numbers of blocks, which divide one capacity. */
  public static double fpp(long[] blocks, long keys, int hashes) {
    long[] telling = JointRates.telling(blocks);
    Checks.notNegative(keys, "keys");
    BlockedRates.checkHashes(hashes);
    if (keys == 0) {
      return 0;
    }
    if (telling.length == 1) {
      return BlockedRates.fpp(telling[0], keys, hashes);
    }
    long[] sizes =
        Arrays.copyOfRange(telling, Math.max(0, telling.length - MOST_SIZES), telling.length);
    return new Mean(JointRates.hitChances(sizes), sizes.length, keys, hashes / LANES).fpp();
  }

  /** The mean over the loads of all subsets, one nested sum per subset. */
  private static final class Mean {
    private final int perLane;
    private final int subsets;
    private final CharlierRule[] rules;

    /**
     * After the loads of the first subsets are fixed: the chance that they leave the first position
     * untouched in some foldings and the second in others, indexed by both subsets of foldings.
     */
    private final double[][] untouched;

    Mean(double[] chances, int foldings, long keys, int perLane) {
      this.perLane = perLane;
      subsets = chances.length;
      untouched = new double[subsets + 1][perLane == 1 ? subsets : subsets * subsets];
      rules = new CharlierRule[subsets];
      for (int set = 1; set < subsets; set++) {
        int nodes = NODES[foldings][Integer.bitCount(set) == 1 ? 0 : 1];
        rules[set] = new CharlierRule(keys * chances[set], nodes);
      }
    }

    double fpp() {
      Arrays.fill(untouched[1], 1);
      return sum(1);
    }

    private double sum(int set) {
      double[] before = untouched[set];
      if (set == subsets) {
        double lane = perLane == 1 ? onePosition(before, 0) : twoPositions(before);
        return Math.pow(Math.max(0, lane), LANES);
      }
      double[] after = untouched[set + 1];
      double sum = 0;
      CharlierRule rule = rules[set];
      for (int node = 0; node < rule.nodes.length; node++) {
        double throwCount = perLane * rule.nodes[node];
        double one = Math.exp(throwCount * Math.log1p(-1 / LANE_BITS));
        double two = Math.exp(throwCount * Math.log1p(-2 / LANE_BITS));
        for (int i = 0; i < after.length; i++) {
          boolean first = (i % subsets & set) != 0;
          boolean second = (i / subsets & set) != 0;
          after[i] = before[i] * (first && second ? two : first || second ? one : 1);
        }
        sum += rule.weights[node] * sum(set + 1);
      }
      return sum;
    }

    /** The chance that the first position is set in every folding, the second in none missed. */
    private double onePosition(double[] chances, int offset) {
      double chance = 0;
      for (int missed = 0; missed < subsets; missed++) {
        chance += sign(missed) * chances[offset + missed];
      }
      return chance;
    }

    private double twoPositions(double[] chances) {
      double both = 0;
      for (int missed = 0; missed < subsets; missed++) {
        both += sign(missed) * onePosition(chances, missed * subsets);
      }
      return onePosition(chances, 0) / LANE_BITS + (1 - 1 / LANE_BITS) * both;
    }

    private static int sign(int missed) {
      return Integer.bitCount(missed) % 2 == 0 ? 1 : -1;
    }
  }
}
