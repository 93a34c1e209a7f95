package dev.bellows.papers;

import dev.bellows.papers.Result.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How many numbers agree, and what the others are. */
final class Verdicts {
  /** The rule of agreement, as the index page states it. */
  static final String RULE =
      """
      A number **agrees** if two sources of it exist at least and every comparison between them holds. Printed and
      recomputed: the recomputed value rounds or cuts to the printed digits (a count is equal); where the document
      gives a bound, or a value that can only be read off a picture, the rule stands beside the number. Recomputed and
      measured: the recomputed value lies in the measured interval, or is the counted one. Printed and measured,
      where nothing can be recomputed: the interval holds a value that agrees with the printed one. A number that
      fails is **corrected** if an erratum says why, else it **disagrees**. A number without a second source is
      called **computed** or **measured**; it is not counted among those that agree.
      """;

  private Verdicts() {}

  private static Map<Verdict, Long> counts(List<Result> results) {
    Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
    results.forEach(result -> counts.merge(result.verdict(), 1L, Long::sum));
    return counts;
  }

  /** Returns {@code Of 4 numbers, 2 agree, 1 is corrected by an erratum, 1 is computed only.} */
  static String sentence(List<Result> results) {
    Map<Verdict, Long> counts = counts(results);
    StringBuilder text = new StringBuilder("Of %,d numbers, ".formatted(results.size()));
    text.append("%,d agree".formatted(counts.getOrDefault(Verdict.AGREES, 0L)));
    part(text, counts.get(Verdict.CORRECTED), "corrected by an erratum");
    part(text, counts.get(Verdict.COMPUTED), "computed, with nothing to compare");
    part(text, counts.get(Verdict.MEASURED), "measured, with nothing to compare");
    Long disagree = counts.get(Verdict.DISAGREES);
    if (disagree != null) {
      text.append("; %,d disagree".formatted(disagree));
    }
    return text.append('.').toString();
  }

  private static void part(
      StringBuilder text, @org.jspecify.annotations.Nullable Long count, String words) {
    if (count != null) {
      text.append(", %,d %s %s".formatted(count, count == 1 ? "is" : "are", words));
    }
  }
}
