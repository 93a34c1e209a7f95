package dev.bellows.cli.console;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds the words that a misspelled one was probably meant to be. */
final class Spelling {
  /** The maximum number of suggestions. */
  private static final int MOST = 3;

  /** A beginning of this length is enough to suggest a longer word. */
  private static final int BEGINNING = 3;

  private Spelling() {}

  /**
   * Returns the nearest of the known words, at most three: one typing error for every three letters
   * is plausible, and so is the beginning of a word or the end of one with a hyphen ({@code --fpp}
   * for {@code --to-fpp}); anything else is not suggested.
   */
  static List<String> near(String word, Collection<String> known) {
    Map<Integer, TreeSet<String>> byDistance = new TreeMap<>();
    String typed = bare(word);
    for (String candidate : known) {
      String name = bare(candidate);
      int distance = distance(typed, name);
      boolean isPart =
          typed.length() >= BEGINNING && (name.startsWith(typed) || name.endsWith("-" + typed));
      if (distance <= Math.max(1, Math.min(typed.length(), name.length()) / 3) || isPart) {
        byDistance
            .computeIfAbsent(isPart ? Math.min(distance, 1) : distance, d -> new TreeSet<>())
            .add(candidate);
      }
    }
    return byDistance.values().stream().limit(1).flatMap(Set::stream).limit(MOST).toList();
  }

  private static String bare(String option) {
    return option.startsWith("--") ? option.substring(2) : option;
  }

  /**
   * Returns the number of letters to insert, drop or replace, and of neighbors to swap, to turn one
   * word into the other (optimal string alignment).
   */
  static int distance(String one, String other) {
    int[][] steps = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          steps[i][j] = i + j;
          continue;
        }
        int change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        int best = Math.min(steps[i - 1][j] + 1, steps[i][j - 1] + 1);
        best = Math.min(best, steps[i - 1][j - 1] + change);
        boolean swaps =
            i > 1
                && j > 1
                && one.charAt(i - 1) == other.charAt(j - 2)
                && one.charAt(i - 2) == other.charAt(j - 1);
        steps[i][j] = swaps ? Math.min(best, steps[i - 2][j - 2] + 1) : best;
      }
    }
    return steps[one.length()][other.length()];
  }
}
