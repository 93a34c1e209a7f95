package dev.bellows;

import dev.bellows.internal.base.Checks;

/**
 * The positions of a key inside its block of a BLOCKED filter. The eight words of a block form
 * {@code words} equal groups of adjacent words; the key uses one word of each group and sets {@code
 * bits} positions in it, which may coincide. Patterns with fewer words are faster; which pattern
 * needs the smallest filter depends on the rate. Filters merge only if their patterns are equal.
 *
 * @param words the number of words that a key uses: 1, 2, 4 or 8
 * @param bits the number of positions in each of these words, 1 to {@link #MAX_BITS}
 */
public record Pattern(int words, int bits) {
  /** The number of words in a block. */
  public static final int BLOCK_WORDS = 8;

  /** The maximum number of positions in a word, more than any rate needs. */
  public static final int MAX_BITS = 6;

  /** Validates both numbers. */
  public Pattern {
    if (words < 1 || words > BLOCK_WORDS || Integer.bitCount(words) != 1) {
      throw new IllegalArgumentException("a pattern has 1, 2, 4 or 8 words, not " + words);
    }
    Checks.inRange(1, MAX_BITS, bits, "bits of a pattern");
  }

  /** Parses a pattern such as {@code 2x3}. */
  public static Pattern of(String text) {
    String[] parts = text.split("x", -1);
    try {
      if (parts.length == 2) {
        return new Pattern(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(notOne(text), e);
    }
    throw new IllegalArgumentException(notOne(text));
  }

  private static String notOne(String text) {
    return "'" + text + "' is not a valid pattern: write words x bits, e.g. 2x3";
  }

  /** Returns the number of positions per key: {@code words * bits}. */
  public int hashes() {
    return words * bits;
  }

  /** Returns the text form: {@code 2x3}. */
  @Override
  public String toString() {
    return words + "x" + bits;
  }
}
