package dev.bellows.papers;

import dev.bellows.internal.base.Prose;
import dev.bellows.papers.Result.Comparison;
import dev.bellows.papers.Result.Verdict;
import java.util.List;

/** How many numbers agree, by what they were compared with, and what the others are. */
final class Verdicts {
  /** The rule of agreement, as the index page states it. */
  static final String RULE =
      """
      A number **agrees** if it has at least two sources and every comparison between them holds. There are three
      kinds of comparison. *Printed and measured*: a document prints the number, and a simulation or a count with this
      library confirms it. *Printed and computed*: a document prints the number, and the formula gives it. *Own figure*:
      no document prints the number; a formula is compared with a measurement, or with what a formula or statement of the
      document gives for the same case.

      A computed value agrees with printed digits if it rounds or truncates to them (a count must be equal); where a
      document gives a bound, or a value that can only be read off a picture, the rule is next to the number. A computed
      value agrees with a measured one if it lies in the measured interval. A measurement whose interval spans more than a
      factor of 3, or also contains ten times the formula, is shown but not compared. A number that fails is
      **corrected** if an erratum explains why; otherwise it **disagrees**. A number with a single source is called
      **computed** or **measured** and does not count as agreeing.
      """;

  private Verdicts() {}

  /**
   * Returns the counts, e.g. {@code Of 4 numbers, 2 agree: 1 printed and measured, 1 own figure.}
   */
  static String sentence(List<Result> results) {
    StringBuilder text = new StringBuilder("Of " + Prose.plural(results.size(), "number") + ", ");
    long agree = count(results, Verdict.AGREES);
    text.append("%,d %s".formatted(agree, agree == 1 ? "agrees" : "agree"));
    String separator = ": ";
    for (Comparison comparison : Comparison.values()) {
      long count = agreeing(results, comparison);
      if (count > 0) {
        boolean many = comparison == Comparison.OWN_FIGURE && count > 1;
        text.append("%s%,d %s%s".formatted(separator, count, comparison.words(), many ? "s" : ""));
        separator = ", ";
      }
    }
    part(text, "; ", count(results, Verdict.CORRECTED), "corrected by an erratum");
    part(text, "; ", count(results, Verdict.COMPUTED), "only computed");
    part(text, "; ", count(results, Verdict.MEASURED), "only measured");
    long disagree = count(results, Verdict.DISAGREES);
    if (disagree > 0) {
      text.append("; %,d %s".formatted(disagree, disagree == 1 ? "disagrees" : "disagree"));
    }
    return text.append('.').toString();
  }

  private static long count(List<Result> results, Verdict verdict) {
    return results.stream().filter(result -> result.verdict() == verdict).count();
  }

  /** Returns how many numbers of a kind of comparison agree. */
  static long agreeing(List<Result> results, Comparison comparison) {
    return results.stream()
        .filter(result -> result.verdict() == Verdict.AGREES && result.comparison() == comparison)
        .count();
  }

  private static void part(StringBuilder text, String separator, long count, String words) {
    if (count > 0) {
      text.append("%s%,d %s %s".formatted(separator, count, count == 1 ? "is" : "are", words));
    }
  }
}
