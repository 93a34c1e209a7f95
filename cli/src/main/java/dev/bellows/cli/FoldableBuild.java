package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.FoldableFilter;
import dev.bellows.ShapeBuilder;
import dev.bellows.plan.BlockedRates;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.Layout;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Builds a filter that folds, of bits or of counters. With a size or a number of keys it is filled
 * as the keys come; without, their hashes are kept aside until the number of distinct ones, and so
 * the size, is known.
 */
final class FoldableBuild<F extends FoldableFilter<F>> {
  private static final double DEFAULT_FPP = 0.01;

  /** A filter whose real fill misses its rate may grow to this multiple of the planned need. */
  private static final double MOST_GROWTH = 1.08;

  private final Supplier<? extends ShapeBuilder<?, F>> builders;
  private final BuildRequest request;
  private final double fpp;
  private final Layout layout;

  private FoldableBuild(BuildRequest request, Supplier<? extends ShapeBuilder<?, F>> builders) {
    this.builders = builders;
    this.request = request;
    this.fpp = request.fpp() == null ? DEFAULT_FPP : request.fpp();
    this.layout = request.layout() == null ? fittingLayout(request) : request.layout();
  }

  static Kind.Built bloom(BuildRequest request, Kind.KeyInput keys) throws IOException {
    return build(request, keys, BloomFilter::builder);
  }

  static Kind.Built counting(BuildRequest request, Kind.KeyInput keys) throws IOException {
    int counterBits = request.counterBits() == null ? 4 : request.counterBits();
    return build(request, keys, () -> CountingBloomFilter.builder().counterBits(counterBits));
  }

  private static <F extends FoldableFilter<F>> Kind.Built build(
      BuildRequest request, Kind.KeyInput keys, Supplier<? extends ShapeBuilder<?, F>> builders)
      throws IOException {
    FoldableBuild<F> build = new FoldableBuild<>(request, builders);
    boolean sized = request.keys() != null || request.bits() != null || request.capacity() != null;
    return sized ? build.direct(keys) : build.counted(keys);
  }

  /** BLOCKED, unless the asked size or hashes exist only in CLASSIC. */
  private static Layout fittingLayout(BuildRequest request) {
    Long bits = request.bits() == null ? request.capacity() : request.bits();
    Integer hashes = request.hashes();
    boolean bitsFit = bits == null || bits % BlockedRates.BLOCK_BITS == 0;
    boolean hashesFit = hashes == null || hashes == 8 || hashes == 16;
    if (bitsFit && hashesFit) {
      return Layout.BLOCKED;
    }
    request
        .note()
        .accept(
            "taking --layout classic: "
                + (bitsFit
                    ? hashes + " hashes do not exist in blocked (8 or 16 do)"
                    : bits + " bits are no multiple of 512, as blocked needs"));
    return Layout.CLASSIC;
  }

  private Kind.Built direct(Kind.KeyInput keys) throws IOException {
    // bits and hashes alone, or keys and bits, are a shape without any rate
    boolean shaped = request.bits() != null && (request.hashes() != null || request.keys() != null);
    boolean rated = request.fpp() != null || !shaped;
    ShapeBuilder<?, F> builder = builder();
    if (request.keys() != null) {
      builder.keys(request.keys());
    }
    if (request.bits() != null) {
      builder.bits(request.bits());
    }
    if (request.capacity() != null) {
      builder.capacity(request.capacity());
    }
    if (request.hashes() != null) {
      builder.hashes(request.hashes());
    }
    if (rated) {
      builder.fpp(fpp);
    }
    F filter = builder.build();
    long lines = keys.forEach(filter::putHash);
    return new Kind.Built(
        filter, lines, filter.stats().approximateKeys(), false, rated ? fpp : null);
  }

  private Kind.Built counted(Kind.KeyInput keys) throws IOException {
    try (HashSpill spill = new HashSpill()) {
      long lines = keys.forEach(spill::add);
      long distinct = spill.distinct();
      return new Kind.Built(fitted(spill, distinct), lines, distinct, true, fpp);
    }
  }

  /**
   * The filter for the counted keys. A plan holds the rate in the mean over hash functions; if this
   * very fill lies above it, a slightly larger size is tried, as the hashes are still there.
   */
  private F fitted(HashSpill spill, long distinct) throws IOException {
    int hashes = request.hashes() == null ? BloomPlan.hashesFor(fpp, layout) : request.hashes();
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

  private ShapeBuilder<?, F> builder() {
    return builders.get().layout(layout).hashScheme(request.scheme());
  }
}
