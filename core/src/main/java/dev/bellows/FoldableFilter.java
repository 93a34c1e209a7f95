package dev.bellows;

import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.plan.BloomPlan;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;

/**
 * A filter of bits or counters that folds to any divisor of its size and merges with filters of
 * other sizes.
 *
 * @param <F> the filter itself
 */
public abstract sealed class FoldableFilter<F extends FoldableFilter<F>> extends StoredFilter
    implements KeyFilter, Membership, Foldable<F>, Mergeable<F>, Filter.Identified
    permits BloomFilter, CountingBloomFilter {
  private static final long serialVersionUID = 1L;

  final Shape shape;
  final HashScheme scheme;
  final Positions positions;
  volatile Origin origin;

  FoldableFilter(Shape shape, Origin origin) {
    this.shape = shape;
    this.scheme = shape.scheme();
    this.positions = shape.positions();
    this.origin = origin;
  }

  /** Returns the layout, which maps keys to cells. */
  public final Layout layout() {
    return shape.layout();
  }

  @Override
  public final long bits() {
    return shape.bits();
  }

  @Override
  public final int hashes() {
    return shape.hashes();
  }

  @Override
  public final HashScheme hashScheme() {
    return scheme;
  }

  /**
   * Returns the layout and the size, without keys and rate. A filter that is built from this plan,
   * with the same hash scheme, can be merged with this one.
   */
  public final BloomPlan plan() {
    return new BloomPlan(layout(), bits(), 0);
  }

  @Override
  public final long filterId() {
    return origin.filterId();
  }

  /**
   * Returns a 64-bit hash of the content: for a folding, the content of the filter from which it
   * was folded; for any other filter with an id, the current content. Returns 0 if the filter has
   * no id.
   */
  @Override
  public abstract long state();

  /** Removes the id of a folding, whose content changes. */
  final void changed() {
    if (origin.isFolding()) {
      origin = Origin.NONE;
    }
  }

  @Override
  public final Optional<String> incompatibility(F other) {
    return shape.incompatibility(other.shape);
  }

  @Override
  public final F foldTo(long bits) {
    return foldBy(shape.factorTo(bits));
  }

  @Override
  public final List<FoldSize> ladder() {
    return shape.ladder(positions.fppAfterFolding(occupied()));
  }

  @Override
  public final double expectedFpp() {
    return positions.fpp(occupied());
  }

  /** Returns the rate of the layout at its design load, because this kind stores no target. */
  @Override
  public final double targetFpp() {
    return layout().designFpp();
  }

  /** Returns one bit for each cell, which is set if the cell is not 0. */
  abstract BitStore occupied();

  /**
   * Returns the merge of this filter and another one; throws if its rate exceeds the limit.
   *
   * @param keys computes the number of keys of the merge from those of the filters, for the advice
   */
  final F requireUseful(F merged, F other, double maxFpp, DoubleBinaryOperator keys) {
    double fpp = merged.expectedFpp();
    if (Merging.isAbove(fpp, maxFpp)) {
      double wanted = Math.min(maxFpp, Math.max(expectedFpp(), other.expectedFpp()));
      double all = keys.applyAsDouble(approximateElementCount(), other.approximateElementCount());
      throw new IllegalArgumentException(
          "%d and %d bits both fold to %d bits, where the result would have fpp %s, above %s: %s"
              .formatted(
                  bits(),
                  other.bits(),
                  merged.bits(),
                  Prose.fpp(fpp),
                  Prose.limit(maxFpp),
                  wayOut(wanted, all)));
    }
    return merged;
  }

  /**
   * Returns the size at which both filters would have to be built so that the merge has the rate.
   */
  private String wayOut(double fpp, double keys) {
    return fpp > 0 && fpp < 1
        ? "two full filters cannot share one size and keep their rate; build both with %d bits for fpp %s with all keys"
            .formatted(BloomPlan.foldable(Math.round(keys), fpp, layout()).bits(), Prose.fpp(fpp))
        : "build both larger, or raise the limit";
  }

  @Override
  public final FilterStats stats() {
    BitStore occupied = occupied();
    return new FilterStats(
        kind(),
        layout(),
        bits(),
        hashes(),
        scheme,
        occupied.ones(),
        positions.keys(occupied),
        positions.fpp(occupied));
  }

  @Override
  public final long sizeInBytes() {
    return header(origin).fileBytes();
  }

  abstract FilterHeader header(Origin state);

  /** Returns a plain filter with the same keys and the same state, as an independent copy. */
  public abstract BloomFilter toBloomFilter();

  /** Removes every key. */
  public abstract void clear();

  /** Returns a view of this filter for keys of one type. */
  public final <T> TypedFilter<T> typed(KeyHasher<? super T> hasher) {
    return TypedFilter.of(this, hasher);
  }
}
