package dev.bellows.bench.operations;

import dev.bellows.bench.peers.BenchKeys;
import java.util.SplittableRandom;

/** Which keys are queried. */
public enum Mix {
  MISS(0, "miss", "all misses"),
  FEW(0.05, "5", "5 % hits"),
  HALF(0.5, "half", "half hits"),
  MOST(0.95, "95", "95 % hits"),
  HIT(1, "hit", "all hits");

  private final double present;
  private final String word;
  private final String phrase;

  Mix(double present, String word, String phrase) {
    this.present = present;
    this.word = word;
    this.phrase = phrase;
  }

  /** Returns the suffix of the name of an operation with this mix. */
  public String word() {
    return word;
  }

  /** Returns what it is, for a reader. */
  public String phrase() {
    return phrase;
  }

  /**
   * Numbers of keys to query: those below {@code keys} are in the filter, those from {@code unused}
   * on are not.
   */
  long[] numbers(int count, long keys, long unused, long seed) {
    long[] numbers = new long[count];
    drawNumbers(numbers, keys, unused, seed);
    return numbers;
  }

  /** Draws the longs of such numbers. */
  void draw(long[] asked, long keys, long unused, long seed) {
    drawNumbers(asked, keys, unused, seed);
    for (int i = 0; i < asked.length; i++) {
      asked[i] = BenchKeys.mix(asked[i]);
    }
  }

  private void drawNumbers(long[] numbers, long keys, long unused, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < numbers.length; i++) {
      boolean hit = random.nextDouble() < present;
      numbers[i] = hit ? random.nextLong(keys) : unused + i;
    }
  }
}
