package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.Mergeable;
import java.util.Optional;
import java.util.stream.LongStream;

/** The ways to combine several filters. */
@SuppressWarnings({"unchecked", "rawtypes"}) // the filters have one type
public enum MergeRule {
  /** The keys of all. */
  UNION(Ability.UNION) {
    @Override
    public Filter merge(Filter one, Filter other) {
      return (Filter) ((Mergeable) one).union((Mergeable) other, ANY);
    }

    @Override
    long mostKeys(LongStream counts) {
      return counts.sum();
    }
  },

  /** The keys that are in each. */
  INTERSECTION(Ability.INTERSECT) {
    @Override
    public Filter merge(Filter one, Filter other) {
      return (Filter)
          ((Mergeable.Intersectable) one).intersection((Mergeable.Intersectable) other, ANY);
    }

    @Override
    long mostKeys(LongStream counts) {
      return counts.min().orElse(0);
    }
  },

  /** The keys of the first without those of the others. */
  DIFFERENCE(Ability.SUBTRACT) {
    @Override
    public Filter merge(Filter one, Filter other) {
      return (Filter) ((Mergeable.Subtractable) one).subtract((Mergeable.Subtractable) other);
    }

    @Override
    long mostKeys(LongStream counts) {
      return counts.findFirst().orElse(0);
    }
  };

  /** Any rate of the result is accepted here; the caller judges it. */
  private static final double ANY = 1;

  private final Ability ability;

  MergeRule(Ability ability) {
    this.ability = ability;
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
  public abstract Filter merge(Filter one, Filter other);

  /** The maximum number of keys the result can hold, from those of the inputs. */
  abstract long mostKeys(LongStream counts);
}
