package dev.bellows.internal.math;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The states of a group of words for {@link BlockJointRates}: for each position that the absent key
 * tests, the foldings in which it is already set. Positions are interchangeable, so a state is a
 * sorted list. A position that is set in all foldings is done; positions that coincide with another
 * one count as done from the start.
 */
final class CoverStates {
  private final int foldings;
  private final int positions;
  private final int all;
  private final int[] sharedSets;
  private final List<int[]> states = new ArrayList<>();
  private final Map<List<Integer>, Integer> numbers = new HashMap<>();

  /** The state in which nothing is set, by the number of different positions. */
  private final int[] starts;

  /** Triples of a state, the index of a probability and the state after it, by shared subset. */
  private final int[][] steps;

  /** The index at which {@link #collect} adds a state, by state. */
  private final int[] leftAt;

  CoverStates(int foldings, int positions) {
    this.foldings = foldings;
    this.positions = positions;
    all = (1 << foldings) - 1;
    // large subsets first, because they leave the fewest states for the inner sums
    sharedSets =
        IntStream.rangeClosed(1, all)
            .filter(set -> Integer.bitCount(set) > 1)
            .boxed()
            .sorted((a, b) -> Integer.bitCount(b) - Integer.bitCount(a))
            .mapToInt(set -> set)
            .toArray();
    starts = new int[positions + 1];
    for (int different = 0; different <= positions; different++) {
      int[] state = new int[positions];
      Arrays.fill(state, different, positions, all);
      starts[different] = number(state);
    }
    steps = new int[sharedSets.length][];
    for (int i = 0; i < sharedSets.length; i++) {
      steps[i] = stepsOf(sharedSets[i]);
    }
    leftAt = states.stream().mapToInt(this::leftAt).toArray();
  }

  private int number(int[] state) {
    int[] sorted = state.clone();
    Arrays.sort(sorted);
    return numbers.computeIfAbsent(
        Arrays.stream(sorted).boxed().toList(),
        unseen -> {
          states.add(sorted);
          return states.size() - 1;
        });
  }

  private int[] stepsOf(int set) {
    List<Integer> triples = new ArrayList<>();
    int known = states.size();
    for (int number = 0; number < known; number++) {
      int[] state = states.get(number);
      int pending = (int) Arrays.stream(state).filter(cover -> cover != all).count();
      // sorted, so the pending positions come first
      for (int hit = 0; hit < 1 << pending; hit++) {
        int[] next = state.clone();
        for (int i = 0; i < pending; i++) {
          next[i] |= (hit >> i & 1) * set;
        }
        triples.add(number);
        triples.add(at(pending, Integer.bitCount(hit)));
        triples.add(number(next));
      }
    }
    return triples.stream().mapToInt(i -> i).toArray();
  }

  private int leftAt(int[] state) {
    int place = 0;
    for (int folding = foldings - 1; folding >= 0; folding--) {
      int bit = 1 << folding;
      int missing = (int) Arrays.stream(state).filter(cover -> (cover & bit) == 0).count();
      place = place * (positions + 1) + missing;
    }
    return place;
  }

  /** Returns the subsets of more than one folding, in the order of {@link #advance}. */
  int[] sharedSets() {
    return sharedSets;
  }

  int count() {
    return states.size();
  }

  /**
   * Returns the index of the probability that exactly a given {@code hit} of {@code pending}
   * positions are hit.
   */
  int at(int pending, int hit) {
    return pending * (pending + 1) / 2 + hit;
  }

  /**
   * Returns the number of combinations of missing positions in this many foldings, each from 0 to
   * all.
   */
  int leftCount(int someFoldings) {
    int count = 1;
    for (int i = 0; i < someFoldings; i++) {
      count *= positions + 1;
    }
    return count;
  }

  /** Sets the probabilities of the states before any key. */
  void begin(double[] chances, double[] different) {
    Arrays.fill(chances, 0);
    for (int d = 0; d <= positions; d++) {
      chances[starts[d]] += different[d];
    }
  }

  /** Computes the probabilities of the states after the keys of one shared subset. */
  void advance(int sharedSet, double[] hits, double[] before, double[] after) {
    Arrays.fill(after, 0);
    int[] step = steps[sharedSet];
    for (int i = 0; i < step.length; i += 3) {
      after[step[i + 2]] += before[step[i]] * hits[step[i + 1]];
    }
  }

  /**
   * Adds up the probabilities of states with the same number of missing positions in each folding;
   * the index of the first folding varies fastest.
   */
  void collect(double[] chances, double[] left) {
    Arrays.fill(left, 0);
    for (int state = 0; state < leftAt.length; state++) {
      left[leftAt[state]] += chances[state];
    }
  }
}
