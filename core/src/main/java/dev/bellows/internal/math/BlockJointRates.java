package dev.bellows.internal.math;

import dev.bellows.Pattern;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.Arrays;

/**
 * The false positive rate of several foldings of one BLOCKED filter queried together.
 *
 * <p>In each folding an absent key selects one block, but the words and positions inside it are the
 * same in all foldings, because they do not depend on the size. A stored key shares the absent
 * key's block in a certain subset of the foldings, with the probabilities of {@link JointRates};
 * the number of keys (the load) of each subset is Poisson. Given these loads, the groups of words
 * are independent, and the rate is the mean over the loads of the probability that one group
 * passes, raised to the number of groups.
 *
 * <p>A group passes if each of its positions is set in the word of every folding. A key of a subset
 * sets a position in all foldings of the subset at once, so {@link CoverStates} tracks, for each
 * position, the foldings in which it is set: first for the subsets of several foldings, one after
 * the other, then for the keys that share the block in a single folding, which must set the
 * remaining positions there.
 *
 * <p>The mean is computed by Gauss quadrature for the Poisson weight (the zeros of the Charlier
 * polynomials), with one small rule per subset. The probability is so smooth in the loads that few
 * nodes suffice. At most four foldings are used, none of whose sizes divides another; fewer if a
 * pattern has many bits. If there are more, the largest ones give an upper bound. The Poisson loads
 * differ from the true binomial ones by a relative error of 1/blocks.
 */
public final class BlockJointRates {
  /**
   * The number of nodes for the load of a subset, by the number of foldings and the size of the
   * subset.
   */
  private static final int[][] NODES = {{}, {}, {0, 12, 12}, {0, 8, 6, 10}, {0, 5, 3, 3, 10}};

  /**
   * The same for four foldings if all fifteen subsets have keys. This takes seconds instead of a
   * quarter of a minute and changes the rate by a factor of less than 1 + 1e-5.
   */
  private static final int[] FEWER_NODES = {0, 3, 3, 3, 4};

  private static final double MANY_SUMMANDS = 1e7;

  private BlockJointRates() {}

  /**
   * Returns the rate of foldings to these numbers of blocks, which all divide the same capacity.
   */
  public static double fpp(Pattern pattern, long[] blocks, long keys) {
    long[] informative = JointRates.informative(blocks);
    Checks.notNegative(keys, "keys");
    if (keys == 0) {
      return 0;
    }
    if (informative.length == 1) {
      return BlockRates.of(pattern).fpp(informative[0], keys);
    }
    int counted =
        Math.min(informative.length, pattern.bits() <= 3 ? 4 : pattern.bits() <= 6 ? 3 : 2);
    long[] sizes =
        Arrays.copyOfRange(informative, informative.length - counted, informative.length);
    double[] loads = loads(sizes, keys);
    boolean isLong = counted == 4 && summands(loads, NODES[counted]) > MANY_SUMMANDS;
    return new Mean(pattern, loads, isLong ? FEWER_NODES : NODES[counted]).fpp();
  }

  /** Returns the average load of each subset of the foldings. */
  static double[] loads(long[] sizes, long keys) {
    return Arrays.stream(JointRates.hitChances(sizes)).map(chance -> keys * chance).toArray();
  }

  /** Returns the number of nodes for a subset with this average load. */
  private static int nodes(double load, int set, int[] nodes) {
    int most = load < 1e-9 ? 1 : load < 0.05 ? 2 : Integer.MAX_VALUE;
    return Math.min(most, nodes[Integer.bitCount(set)]);
  }

  private static double summands(double[] loads, int[] nodes) {
    double product = 1;
    for (int set = 1; set < loads.length; set++) {
      product *= nodes(loads[set], set, nodes);
    }
    return product;
  }

  /** The mean over the loads of all subsets, one nested sum per subset. */
  static final class Mean {
    private final Pattern pattern;
    private final CoverStates states;

    /** The weights of the nodes, by subset. */
    private final double[][] weights;

    /**
     * The probabilities that the keys of a subset hit certain positions, by subset, node and place.
     */
    private final double[][][] hits;

    /** The probabilities of all states after the first subsets. */
    private final double[][] shared;

    /** The probabilities of the numbers of missing positions, after the first single foldings. */
    private final double[][] left;

    /**
     * @param loads the average load of each subset
     * @param nodes the number of nodes of a subset, by its size
     */
    Mean(Pattern pattern, double[] loads, int[] nodes) {
      this.pattern = pattern;
      int foldings = Integer.numberOfTrailingZeros(loads.length);
      states = new CoverStates(foldings, pattern.bits());
      weights = new double[loads.length][];
      hits = new double[loads.length][][];
      for (int set = 1; set < loads.length; set++) {
        CharlierRule rule = new CharlierRule(loads[set], nodes(loads[set], set, nodes));
        weights[set] = rule.weights;
        hits[set] = Arrays.stream(rule.nodes).mapToObj(this::hits).toArray(double[][]::new);
      }
      shared = new double[states.sharedSets().length + 1][states.count()];
      left = new double[foldings + 1][];
      for (int done = 0; done <= foldings; done++) {
        left[done] = new double[states.leftCount(foldings - done)];
      }
    }

    /**
     * Returns, for a load of the block, the probability that of {@code pending} different positions
     * of the absent key's word exactly a given {@code hit} are hit, at {@code at(pending, hit)}.
     */
    private double[] hits(double load) {
      int bits = pattern.bits();
      double[] missed = new double[bits + 1];
      for (int v = 0; v <= bits; v++) {
        double thrownElsewhere = Precise.expm1(bits * Precise.log1p(-v / 64.0));
        missed[v] = Math.exp(load * Precise.log1p(pattern.words() / 8.0 * thrownElsewhere));
      }
      double[] chances = new double[states.at(bits, bits) + 1];
      for (int pending = 0; pending <= bits; pending++) {
        for (int hit = 0; hit <= pending; hit++) {
          double sum = 0;
          double ways = 1;
          for (int i = 0; i <= hit; i++) {
            sum += ways * missed[pending - hit + i];
            ways *= -(double) (hit - i) / (i + 1);
          }
          chances[states.at(pending, hit)] = sum;
        }
      }
      return chances;
    }

    public double fpp() {
      states.begin(shared[0], BlockRates.differentOf(pattern.bits()));
      return overShared(0);
    }

    private double overShared(int done) {
      if (done == states.sharedSets().length) {
        states.collect(shared[done], left[0]);
        return overSingle(0);
      }
      int set = states.sharedSets()[done];
      double sum = 0;
      for (int node = 0; node < weights[set].length; node++) {
        states.advance(done, hits[set][node], shared[done], shared[done + 1]);
        sum += weights[set][node] * overShared(done + 1);
      }
      return sum;
    }

    private double overSingle(int done) {
      double[] before = left[done];
      if (before.length == 1) {
        return BlockRates.power(Math.min(1, Math.max(0, before[0])), pattern.words());
      }
      int bits = pattern.bits();
      double[] after = left[done + 1];
      double sum = 0;
      for (int node = 0; node < weights[1 << done].length; node++) {
        double[] hit = hits[1 << done][node];
        for (int rest = 0; rest < after.length; rest++) {
          double chance = 0;
          for (int missing = 0; missing <= bits; missing++) {
            chance += before[rest * (bits + 1) + missing] * hit[states.at(missing, missing)];
          }
          after[rest] = chance;
        }
        sum += weights[1 << done][node] * overSingle(done + 1);
      }
      return sum;
    }
  }
}
