package dev.bellows.internal.autoscale;

import dev.bellows.Pattern;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Binomial;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * The distribution of the number of probes of a key that hit in layout BLOCKED, from the load or
 * from the counters.
 *
 * <p>A key probes one block of 512 counters. In each of {@code s} groups of words it chooses one of
 * the {@code 8/s} words, and {@code b} of its 64 counters, which may coincide. The counters of a
 * key thus share the load of its block and of its words, and the number of hits is a mixture:
 * {@code Bin(n, 1/blocks)} of the n keys are in the block, {@code Bin(j, s/8)} of these j keys are
 * in the word of a group, and w keys in a word contribute {@code Bin(bw, 1/64)} to a counter. A
 * counter of a stored key holds one more than the sum of the contributions of the other keys and of
 * the b - 1 other probes of the key. Given the number of keys of a word, its b probes are assumed
 * to be independent; given that of the block, its groups are.
 *
 * <p>The mixtures are sums over all loads within twelve standard deviations. If there are many,
 * every n-th load is used, three per standard deviation, which changes no digit of a smooth sum.
 *
 * @param pattern number of words and of bits per key
 * @param bits number of counters
 * @param keys number of stored keys
 */
public record BlockedEvidence(Pattern pattern, long bits, long keys) {
  private static final int BLOCK = 512;
  private static final int WORD = 64;
  private static final int REACH = 12;
  private static final int PER_DEVIATION = 3;

  /** Checks the load. */
  public BlockedEvidence {
    Checks.positive(bits, "bits");
    Checks.inRange(0, Long.MAX_VALUE / pattern.hashes(), keys, "keys");
  }

  /** Returns the number of probes of a key. */
  public int hashes() {
    return pattern.hashes();
  }

  /** Returns the probabilities of 0, 1, ... hits of an absent key. */
  public double[] absent(long theta) {
    return hits(keys, 0, theta + 1);
  }

  /** Returns the probabilities of 0, 1, ... hits of a stored key. There must be at least one. */
  public double[] stored(long theta) {
    return hits(keys - 1, pattern.bits() - 1, theta);
  }

  /**
   * Returns the probabilities of 0, 1, ... hits with this many other keys, where a counter hits if
   * it is at least {@code least}.
   *
   * @param own the number of other probes of the key itself that may coincide with a counter
   */
  private double[] hits(long others, int own, long least) {
    Map<Long, double[]> byWordLoad = new HashMap<>();
    double[] sum = new double[hashes() + 1];
    Loads blocks = Loads.of(others, BLOCK, bits);
    for (int i = 0; i < blocks.weights.length; i++) {
      Loads words = Loads.of(blocks.load(i), pattern.words(), Pattern.BLOCK_WORDS);
      double[] group = new double[pattern.bits() + 1];
      for (int j = 0; j < words.weights.length; j++) {
        double[] word =
            byWordLoad.computeIfAbsent(
                words.load(j),
                load -> {
                  Binomial count = Binomial.ofRatio(pattern.bits() * load + own, 1, WORD);
                  return binomial(pattern.bits(), count.atLeast(least));
                });
        add(group, word, words.weights[j]);
      }
      add(sum, power(group, pattern.words()), blocks.weights[i]);
    }
    return sum;
  }

  /** Loads and their probabilities, which add up to one. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Loads(long first, long step, double[] weights) {
    static Loads of(long trials, long part, long whole) {
      double share = (double) part / whole;
      if (part == whole || trials == 0) {
        return new Loads(trials, 1, new double[] {1});
      }
      double deviation = Math.sqrt(trials * share * (1 - share));
      double reach = REACH * (deviation + 1);
      long first = Math.max(0, (long) (trials * share - reach));
      long last = Math.min(trials, (long) (trials * share + reach));
      long step = Math.max(1, (long) (deviation / PER_DEVIATION));
      Binomial binomial = Binomial.ofRatio(trials, part, whole);
      double[] weights = new double[(int) ((last - first) / step) + 1];
      double total = 0;
      for (int i = 0; i < weights.length; i++) {
        weights[i] = binomial.probability(first + i * step);
        total += weights[i];
      }
      for (int i = 0; i < weights.length; i++) {
        weights[i] /= total;
      }
      return new Loads(first, step, weights);
    }

    long load(int index) {
      return first + index * step;
    }
  }

  /**
   * Returns the probabilities of 0, 1, ... hits in given counters, for a key that chooses its
   * block, words and counters with probabilities proportional to their weights. For absent keys all
   * weights are equal, and the result is exact; for stored keys the weight of a counter is its
   * count.
   *
   * @param weight the weight of a position
   * @param hits whether the counter at a position hits
   */
  public static double[] observed(
      Pattern pattern, long bits, LongUnaryOperator weight, LongPredicate hits) {
    double[] sum = new double[pattern.hashes() + 1];
    double total = 0;
    int wordsOfGroup = Pattern.BLOCK_WORDS / pattern.words();
    for (long block = 0; block < bits; block += BLOCK) {
      double[] whole = {1};
      double ofBlock = 0;
      for (int first = 0; first < Pattern.BLOCK_WORDS; first += wordsOfGroup) {
        double[] group = new double[pattern.bits() + 1];
        double ofGroup = 0;
        for (int word = first; word < first + wordsOfGroup; word++) {
          double all = 0;
          double hit = 0;
          for (long at = block + (long) WORD * word, end = at + WORD; at < end; at++) {
            double one = weight.applyAsLong(at);
            all += one;
            hit += hits.test(at) ? one : 0;
          }
          if (all > 0) {
            add(group, binomial(pattern.bits(), hit / all), all);
            ofGroup += all;
          }
        }
        if (ofGroup > 0) {
          scale(group, 1 / ofGroup);
        }
        whole = convolve(whole, group);
        ofBlock += ofGroup;
      }
      add(sum, whole, ofBlock);
      total += ofBlock;
    }
    scale(sum, total == 0 ? Double.NaN : 1 / total);
    return sum;
  }

  /** Returns the probability of at least this many hits. */
  public static double atLeast(double[] hits, int decision) {
    double sum = 0;
    for (int i = hits.length - 1; i >= decision; i--) {
      sum += hits[i];
    }
    return Math.min(1, sum);
  }

  private static double[] binomial(int trials, double success) {
    return Binomial.of(trials, success, 1 - success).probabilities(0, trials);
  }

  private static void add(double[] sum, double[] values, double weight) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += weight * values[i];
    }
  }

  private static void scale(double[] values, double factor) {
    for (int i = 0; i < values.length; i++) {
      values[i] *= factor;
    }
  }

  private static double[] power(double[] base, int exponent) {
    double[] power = base;
    for (int done = 1; done < exponent; done *= 2) {
      power = convolve(power, power);
    }
    return power;
  }

  private static double[] convolve(double[] a, double[] b) {
    double[] sums = new double[a.length + b.length - 1];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b.length; j++) {
        sums[i + j] += a[i] * b[j];
      }
    }
    return sums;
  }
}
