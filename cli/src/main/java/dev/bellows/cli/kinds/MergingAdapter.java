package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.Mergeable;
import dev.bellows.io.FilterKind;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A filter of a kind that merges. The rate of a result is the caller's to judge.
 *
 * @param <F> the type of the filters of the kind
 */
public abstract class MergingAdapter<F extends Filter & Mergeable<F>> extends KindAdapter<F> {
  /** Any rate. */
  static final double ANY = 1;

  MergingAdapter(F filter) {
    super(filter);
  }

  @Override
  public final MergingAdapter<F> merging() {
    return this;
  }

  /** The filter as one that merges with that kind, or itself if no other does. */
  public MergingAdapter<?> toMergeWith(FilterKind other) {
    return this;
  }

  /** Why a filter of the same kind cannot be merged with it; empty if it can. */
  public final Optional<String> incompatibility(MergingAdapter<?> other) {
    return filter.incompatibility(same(other));
  }

  /** How to build filters that can be merged where these cannot; begins with a space. */
  public String wayOut(MergingAdapter<?> other, String name, String otherName) {
    return "";
  }

  /** A filter of the keys of both. */
  final F union(MergingAdapter<?> other) {
    return filter.union(same(other), ANY);
  }

  /** A filter of the keys that are in both. */
  final F intersection(MergingAdapter<?> other) {
    return intersection(same(other));
  }

  /** A filter of the keys that are in both. */
  F intersection(F other) {
    throw new UnsupportedOperationException(kind().word());
  }

  /** A filter of its keys without those of the other, which must all be in it. */
  final F difference(MergingAdapter<?> other) {
    return difference(same(other));
  }

  /** A filter of its keys without those of the other, which must all be in it. */
  F difference(F other) {
    throw new UnsupportedOperationException(kind().word());
  }

  /** The filter of another adapter of the same kind. */
  @SuppressWarnings("unchecked") // filters of one kind have one type
  final F same(MergingAdapter<?> other) {
    if (other.kind() != kind()) {
      throw new IllegalArgumentException(kind().word() + " and " + other.kind().word());
    }
    return (F) other.filter;
  }

  /** What to say of this result of a merge; null for nothing. */
  public @Nullable String remark(
      List<MergingAdapter<?>> inputs, List<String> names, MergeRule rule) {
    return null;
  }

  /** By how much it was folded to become part of a result of so many bits. */
  public long foldedBy(long resultBits) {
    return 1;
  }

  /** At which size the inputs met, if they were folded; ends with "where". */
  public String meeting(List<MergingAdapter<?>> inputs, long resultBits) {
    return "";
  }

  /** The rate that a full filter of its shape has; 0 where that says nothing. */
  public double fullFpp() {
    return 0;
  }

  /**
   * What to do so that the result has a lower rate.
   *
   * @param fpp the rate to have, if the kind can say how
   */
  public String advice(
      List<MergingAdapter<?>> inputs, List<String> names, MergeRule rule, double fpp) {
    return "build the inputs with a lower --fpp";
  }
}
