package dev.bellows.cli;

import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterKind.Ability;
import java.util.Arrays;
import java.util.List;

/**
 * Refusals of what a kind cannot do; the kinds that can are those whose {@link FilterKind} says so.
 */
final class Abilities {
  private Abilities() {}

  /** Refuses the filter of a file if its kind cannot do it, and names the kinds that can. */
  static void require(Ability ability, FilterKind kind, String file) {
    if (!kind.can(ability)) {
      throw new CommandFailure(
          "%s is of kind %s, which %s: %s can"
              .formatted(FilterFiles.name(file), kind.word(), words(ability), kinds(ability)));
    }
  }

  /** The same for what only some filters of the kind can do. */
  static void require(Ability ability, KindAdapter<?> adapter, String file) {
    require(ability, adapter.kind(), file);
    String refusal = adapter.refusal(ability);
    if (refusal != null) {
      throw new CommandFailure(FilterFiles.name(file) + " " + refusal);
    }
  }

  private static String words(Ability ability) {
    return switch (ability) {
      case PUT -> "does not take keys";
      case REMOVE -> "cannot remove keys";
      case FOLD -> "does not fold";
      case CUT -> "has no prefixes to cut";
      case UNION -> "cannot be merged";
      case INTERSECT -> "cannot be intersected";
      case SUBTRACT -> "cannot subtract";
      case IDENTIFY -> "carries no id";
      case MISS -> "misses no key";
    };
  }

  private static String kinds(Ability ability) {
    List<String> able =
        Arrays.stream(FilterKind.values())
            .filter(kind -> kind.can(ability))
            .map(FilterKind::word)
            .toList();
    return (able.size() == 1 ? "kind " : "kinds ") + Words.list(able, "and");
  }
}
