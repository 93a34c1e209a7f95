package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import java.util.stream.LongStream;

/** The ways to make one filter of several. */
public enum MergeRule {
  /** The keys of all. */
  UNION(Ability.UNION) {
    @Override
    public Filter merge(MergingAdapter<?> one, MergingAdapter<?> other) {
      return one.union(other);
    }

    @Override
    long mostKeys(LongStream counts) {
      return counts.sum();
    }
  },

  /** The keys that are in each. */
  INTERSECTION(Ability.INTERSECT) {
    @Override
    public Filter merge(MergingAdapter<?> one, MergingAdapter<?> other) {
      return one.intersection(other);
    }

    @Override
    long mostKeys(LongStream counts) {
      return counts.min().orElse(0);
    }
  },

  /** The keys of the first without those of the others. */
  DIFFERENCE(Ability.SUBTRACT) {
    @Override
    public Filter merge(MergingAdapter<?> one, MergingAdapter<?> other) {
      return one.difference(other);
    }

    @Override
    long mostKeys(LongStream counts) {
      return counts.findFirst().orElse(0);
    }
  };

  private final Ability ability;

  MergeRule(Ability ability) {
    this.ability = ability;
  }

  /** What a kind must be able to do. */
  public Ability ability() {
    return ability;
  }

  /** Merges two filters of one kind, whatever the rate of the result. */
  public abstract Filter merge(MergingAdapter<?> one, MergingAdapter<?> other);

  /** The most keys the result can hold, from those of the inputs. */
  abstract long mostKeys(LongStream counts);
}
