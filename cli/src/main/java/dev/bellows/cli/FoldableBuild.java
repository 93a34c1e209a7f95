package dev.bellows.cli;

import dev.bellows.FilterBuilder;
import dev.bellows.FoldableFilter;
import dev.bellows.Layout;
import dev.bellows.internal.rates.Cells;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a filter that folds, of bits or of counters. With a size or a number of keys it is filled
 * as the keys come; without, their hashes are kept aside until the number of distinct ones, and so
 * the size, is known.
 */
final class FoldableBuild<F extends FoldableFilter<F>> {
  /** A filter whose real fill misses its rate may grow to this multiple of the planned need. */
  private static final double MOST_GROWTH = 1.08;

  private final Supplier<? extends FilterBuilder<?, F>> builders;
  private final BuildRequest request;
  private final Size size;
  private final double fpp;
  private final Layout layout;

  private FoldableBuild(BuildRequest request, Supplier<? extends FilterBuilder<?, F>> builders) {
    this.builders = builders;
    this.request = request;
    this.size = request.size();
    this.fpp = size.fppOrDefault();
    this.layout = size.layout() == null ? fittingLayout() : size.layout();
  }

  static <F extends FoldableFilter<F>> Built build(
      BuildRequest request,
      Supplier<? extends FilterBuilder<?, F>> builders,
      Function<F, FoldableAdapter<F>> adapter)
      throws IOException {
    FoldableBuild<F> build = new FoldableBuild<>(request, builders);
    return request.size().isGiven() ? build.direct(adapter) : build.counted();
  }

  /** BLOCKED, unless the asked size or hashes exist only in CLASSIC. */
  private Layout fittingLayout() {
    String obstacle = obstacleToBlocked();
    if (obstacle == null) {
      return Layout.BLOCKED;
    }
    request.note().accept("taking --layout classic: " + obstacle);
    return Layout.CLASSIC;
  }

  private @Nullable String obstacleToBlocked() {
    Long bits = size.bits() == null ? size.capacity() : size.bits();
    int blockBits = Cells.forFpp(Layout.BLOCKED, Size.DEFAULT_FPP).cellBits();
    if (bits != null && bits % blockBits != 0) {
      return bits + " bits are no multiple of " + blockBits + ", as blocked needs";
    }
    try {
      if (size.hashes() != null) {
        Cells.of(Layout.BLOCKED, size.hashes());
      }
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  private Built direct(Function<F, FoldableAdapter<F>> adapter) throws IOException {
    // bits and hashes alone, or keys and bits, are a shape without any rate
    boolean shaped = size.bits() != null && (size.hashes() != null || size.keys() != null);
    boolean rated = size.fpp() != null || !shaped;
    FilterBuilder<?, F> builder = builder();
    if (size.keys() != null) {
      builder.keys(size.keys());
    }
    if (size.bits() != null) {
      builder.bits(size.bits());
    }
    if (size.capacity() != null) {
      builder.capacity(size.capacity());
    }
    if (size.hashes() != null) {
      builder.hashes(size.hashes());
    }
    if (rated) {
      builder.fpp(fpp);
    }
    F filter = builder.build();
    long lines = adapter.apply(filter).put(request.keys(), request.note()).lines();
    return new Built(filter, lines, filter.stats().approximateKeys(), false, rated ? fpp : null);
  }

  private Built counted() throws IOException {
    try (HashSpill spill = new HashSpill()) {
      long lines = request.keys().forEach(KeyCode.hashes(request.scheme()), spill::add);
      long distinct = spill.distinct();
      return new Built(fitted(spill, distinct), lines, (double) distinct, true, fpp);
    }
  }

  /**
   * The filter for the counted keys. A plan holds the rate in the mean over hash functions; if this
   * very fill lies above it, a slightly larger size is tried, as the hashes are still there.
   */
  private F fitted(HashSpill spill, long distinct) throws IOException {
    int hashes = size.hashes() == null ? BloomPlan.hashesFor(fpp, layout) : size.hashes();
    long need = BloomPlan.bitsFor(Math.max(1, distinct), hashes, fpp, layout);
    long bits = BloomPlan.foldable(distinct, fpp, hashes, layout).bits();
    F best = filled(spill, bits, hashes);
    double excess = best.expectedFpp() / fpp - 1;
    while (excess > 0) {
      // near the best number of hashes a rate falls about 4 times as fast as bits grow
      bits = BloomPlan.foldableBits(bits * (1 + excess / 4) + 1, layout);
      if (bits > need * MOST_GROWTH) {
        break;
      }
      F next = filled(spill, bits, hashes);
      excess = next.expectedFpp() / fpp - 1;
      best = next.expectedFpp() < best.expectedFpp() ? next : best;
    }
    return best;
  }

  private F filled(HashSpill spill, long bits, int hashes) throws IOException {
    F filter = builder().bits(bits).hashes(hashes).build();
    spill.forEach((group, count) -> filter.putHashes(group, 0, count));
    return filter;
  }

  private FilterBuilder<?, F> builder() {
    return builders.get().layout(layout).hashScheme(request.scheme());
  }
}
