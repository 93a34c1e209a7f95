package dev.bellows.internal.math;

import dev.bellows.Pattern;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.Arrays;

/**
 * The false positive rate of several foldings of one BLOCKED filter queried together.
 *
 * <p>In each folding the absent key selects one block, and in all of them the same words and
 * positions inside it, since these do not depend on the size. A key of the filter shares the absent
 * key's block in some subset of the foldings, with the probabilities of {@link JointRates}; how
 * many keys fall on each subset is Poisson. Given these loads the groups of words are independent,
 * and the rate is the mean, over the loads, of a group's chance to the power of their number.
 *
 * <p>A group passes if each of its positions is set in the word of every folding. The keys of one
 * subset set a position in all foldings of the subset at once, so {@link CoverStates} follows, for
 * each position, the foldings in which it is set: first for the subsets of several foldings, one
 * after the other, then for the keys that share the block in a single folding, which must set the
 * remaining positions there.
 *
 * <p>The mean is taken by Gauss quadrature for the Poisson weight (the zeros of the Charlier
 * polynomials), one small rule per subset: the chance is so smooth in the loads that few nodes
 * suffice. At most four foldings are used, of which no size divides another; fewer where a pattern
 * has many bits. If there are more, the largest give an upper bound. The Poisson loads differ from
 * the true binomial ones by a share of 1/blocks.
 */
public final class BlockJointRates {
  /** Nodes for the load of a subset, by the number of foldings and the size of the subset. */
  private static final int[][] NODES = {{}, {}, {0, 12, 12}, {0, 8, 6, 10}, {0, 5, 3, 3, 10}};

  /**
   * The same for four foldings, where all fifteen subsets have keys: seconds instead of a quarter
   * of a minute, and the rate differs by less than 1e-5 of itself.
   */
  private static final int[] FEWER_NODES = {0, 3, 3, 3, 4};

  private static final double MANY_SUMMANDS = 1e7;

  private BlockJointRates() {}

  /** Returns the rate of foldings to these numbers of blocks, which divide one capacity. */
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

  /** Returns how many keys fall on each subset of the foldings, on average. */
  static double[] loads(long[] sizes, long keys) {
    return Arrays.stream(JointRates.hitChances(sizes)).map(chance -> keys * chance).toArray();
  }

  /** Returns the number of nodes for a subset with this load on average. */
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

    /** Chances that the keys of a subset hit certain positions, by subset, node and place. */
    private final double[][][] hits;

    /** The chances of all states after the first subsets. */
    private final double[][] shared;

    /** The probabilities of the remaining work, after the first single foldings. */
    private final double[][] left;

    /**
     * @param loads how many keys fall on each subset, on average
     * @param nodes how many nodes a subset has, by its size
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
     * For a load of the block: the chance that, of {@code pending} different positions of the
     * absent key's word, exactly a certain {@code hit} of them are hit, at {@code at(pending,
     * hit)}.
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
