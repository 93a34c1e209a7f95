package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.Mergeable;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** The ways to combine several filters. */
@SuppressWarnings({"unchecked", "rawtypes"}) // the filters have one type
public enum MergeRule {
  /** The keys of all. */
  UNION(
      Ability.UNION,
      (one, other) -> (Filter) ((Mergeable) one).union((Mergeable) other, MergeRule.ANY),
      LongStream::sum),

  /** The keys that are in each. */
  INTERSECTION(
      Ability.INTERSECT,
      (one, other) ->
          (Filter)
              ((Mergeable.Intersectable) one)
                  .intersection((Mergeable.Intersectable) other, MergeRule.ANY),
      counts -> counts.min().orElse(0)),

  /** The keys of the first without those of the others. */
  DIFFERENCE(
      Ability.SUBTRACT,
      (one, other) ->
          (Filter) ((Mergeable.Subtractable) one).subtract((Mergeable.Subtractable) other),
      counts -> counts.findFirst().orElse(0));

  /** Any rate of the result is accepted here; the caller judges it. */
  private static final double ANY = 1;

  private final Ability ability;
  private final BinaryOperator<Filter> merge;
  private final ToLongFunction<LongStream> mostKeys;

  MergeRule(Ability ability, BinaryOperator<Filter> merge, ToLongFunction<LongStream> mostKeys) {
    this.ability = ability;
    this.merge = merge;
    this.mostKeys = mostKeys;
  }

  /** Returns what a kind must be able to do. */
  public Ability ability() {
    return ability;
  }

  /** Why two filters of one type cannot be merged; empty if they can. */
  public static Optional<String> incompatibility(Filter one, Filter other) {
    return ((Mergeable) one).incompatibility((Mergeable) other);
  }

  /** Merges two filters of one type, whatever the rate of the result. */
  public Filter merge(Filter one, Filter other) {
    return merge.apply(one, other);
  }

  /** The maximum number of keys the result can hold, from those of the inputs. */
  long mostKeys(LongStream counts) {
    return mostKeys.applyAsLong(counts);
  }
}
