package dev.bellows.autoscale;

import dev.bellows.internal.math.Binomial;
import java.util.SplittableRandom;

/** A filter of plain ints with distinct random positions, to measure what the plans predict. */
public final class ToyCounters {
  public final int[] counts;
  public final int[][] stored;
  private final SplittableRandom random;
  private final int hashes;

  public ToyCounters(int bits, int hashes, int keys, long seed) {
    this.random = new SplittableRandom(seed);
    this.hashes = hashes;
    counts = new int[bits];
    stored = new int[keys][];
    for (int i = 0; i < keys; i++) {
      stored[i] = draw();
      for (int position : stored[i]) {
        counts[position]++;
      }
    }
  }

  /** The positions of a new key: a uniform draw without repetition (Floyd). */
  public int[] draw() {
    int bits = counts.length;
    int[] drawn = new int[hashes];
    java.util.BitSet seen = new java.util.BitSet(bits);
    for (int i = 0; i < hashes; i++) {
      int top = bits - hashes + i;
      int candidate = random.nextInt(top + 1);
      drawn[i] = seen.get(candidate) ? top : candidate;
      seen.set(drawn[i]);
    }
    return drawn;
  }

  public int hits(int[] positions, long theta) {
    int hits = 0;
    for (int position : positions) {
      hits += counts[position] > theta ? 1 : 0;
    }
    return hits;
  }

  public double measuredTpr(long theta, int decision) {
    int accepted = 0;
    for (int[] key : stored) {
      accepted += hits(key, theta) >= decision ? 1 : 0;
    }
    return (double) accepted / stored.length;
  }

  public int falsePositives(int queries, long theta, int decision) {
    int accepted = 0;
    for (int i = 0; i < queries; i++) {
      accepted += hits(draw(), theta) >= decision ? 1 : 0;
    }
    return accepted;
  }

  public long ones(long theta) {
    long ones = 0;
    for (int count : counts) {
      ones += count > theta ? 1 : 0;
    }
    return ones;
  }

  public long[] histogram() {
    int top = 0;
    for (int count : counts) {
      top = Math.max(top, count);
    }
    long[] histogram = new long[top + 1];
    for (int count : counts) {
      histogram[count]++;
    }
    return histogram;
  }

  /** Whether a count of successes is likelier than one in a billion, in its own tail. */
  public static boolean plausible(long successes, long trials, double probability) {
    Binomial model = Binomial.of(trials, probability, 1 - probability);
    return Math.min(model.atLeast(successes), model.atMost(successes)) > 0.5e-9;
  }
}
