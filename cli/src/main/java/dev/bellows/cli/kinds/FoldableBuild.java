package dev.bellows.cli.kinds;

import dev.bellows.BloomFilter;
import dev.bellows.FilterBuilder.Sized;
import dev.bellows.FoldableFilter;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Progress;
import dev.bellows.cli.keys.HashSpill;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a filter that folds, of bits or of counters. With a size or a number of keys it is filled
 * as the keys come; without, their hashes are kept aside until the number of distinct ones, and so
 * the size, is known.
 */
public final class FoldableBuild {
  /** A filter whose actual fill misses its rate may grow to this multiple of the planned need. */
  private static final double MOST_GROWTH = 1.08;

  private final Sized<?, ? extends FoldableFilter<?>> builder;
  private final BuildRequest request;
  private final Size size;
  private final double fpp;
  private final Layout.Family family;

  /**
   * A filter while it is filled.
   *
   * @param puts takes hashes
   * @param filter returns the filter, once
   * @param fpp the rate of what was put so far
   * @param abandon ends what was not finished
   * @param isInFile whether it is filled in its file
   */
  private record Loading(
      KeyCode.Group puts,
      Supplier<FoldableFilter<?>> filter,
      DoubleSupplier fpp,
      Runnable abandon,
      boolean isInFile)
      implements AutoCloseable {
    @Override
    public void close() {
      abandon.run();
    }
  }

  private FoldableBuild(BuildRequest request, Sized<?, ? extends FoldableFilter<?>> builder) {
    this.request = request;
    this.size = request.size();
    this.fpp = size.fppOrDefault();
    this.family = family(request);
    this.builder = builder.layout(family).hashScheme(request.scheme());
    HashFloor.require(fpp, 1); // before the input is read in vain
  }

  /** Begins to fill a filter; a plain one that needs much of the heap is filled in its file. */
  private Loading begin() throws IOException {
    if (!(builder instanceof BloomFilter.Builder plain)) {
      FoldableFilter<?> filter = builder.build();
      return new Loading(
          (hashes, count) -> filter.putHashes(hashes, 0, count),
          () -> filter,
          filter::expectedFpp,
          () -> {},
          false);
    }
    long bytes = plain.plan().bits() / Byte.SIZE;
    boolean isInFile = request.isFilledInFile(bytes);
    BloomFilter.Loader loader = isInFile ? plain.loader(request.path()) : plain.loader();
    if (isInFile) {
      request.note(
          "%s are more than half of the heap: the filter is filled in its file",
          Prose.bytes(bytes));
    }
    return new Loading(
        (hashes, count) -> loader.putHashes(hashes, 0, count),
        loader::build,
        loader::expectedFpp,
        loader::close,
        isInFile);
  }

  /** Returns the requested layout, or the one that fits the size. */
  static Layout.Family family(BuildRequest request) {
    checkPattern(request.size());
    Layout.Family asked = request.size().layout();
    return asked == null ? fittingLayout(request) : asked;
  }

  private static void checkPattern(Size size) {
    Pattern pattern = size.pattern();
    if (pattern == null) {
      return;
    }
    if (size.layout() == Layout.Family.CLASSIC) {
      throw new CommandFailure(
          "--pattern %s is not valid with --layout %s: only blocks have patterns",
          pattern, Numbers.LayoutWord.of(size.layout()));
    }
    if (size.hashes() != null && size.hashes() != pattern.hashes()) {
      throw new CommandFailure(
          "--pattern %s has %d bits per key, not --hashes %d: use only one of the two",
          pattern, pattern.hashes(), size.hashes());
    }
  }

  /**
   * Builds the filter of a request.
   *
   * @param builder makes filters of its kind, which have no settings of size, layout or hashing
   */
  public static Built build(BuildRequest request, Sized<?, ? extends FoldableFilter<?>> builder)
      throws IOException {
    FoldableBuild build = new FoldableBuild(request, builder);
    return request.size().isGiven() ? build.direct() : build.counted();
  }

  /**
   * BLOCKED, unless the requested size or hashes exist only in CLASSIC and no pattern is requested.
   */
  private static Layout.Family fittingLayout(BuildRequest request) {
    Size size = request.size();
    String obstacle = size.pattern() == null ? obstacleToBlocked(size) : null;
    if (obstacle == null) {
      return Layout.Family.BLOCKED;
    }
    request.note("using --layout classic: " + obstacle);
    return Layout.Family.CLASSIC;
  }

  private static @Nullable String obstacleToBlocked(Size size) {
    Long bits = size.bits() == null ? size.capacity() : size.bits();
    int blockBits = Layout.Blocked.BLOCK_BITS;
    if (bits != null && bits % blockBits != 0) {
      return bits + " bits are not a multiple of " + blockBits + ", as blocked needs";
    }
    try {
      if (size.hashes() != null) {
        Layout.Family.BLOCKED.withHashes(size.hashes());
      }
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  private Built direct() throws IOException {
    // bits and hashes alone, or keys and bits, are a shape without any rate
    boolean settled = size.hashes() != null || size.pattern() != null || size.keys() != null;
    boolean shaped = size.bits() != null && settled;
    boolean rated = size.fpp() != null || !shaped;
    size.applyTo(builder);
    if (rated) {
      builder.fpp(fpp);
    }
    try (Loading loading = begin()) {
      long lines = request.keys().forEach(KeyCode.hashes(request.scheme()), loading.puts());
      if (loading.isInFile()) {
        request.usefulness().accept(loading.fpp().getAsDouble());
      }
      FoldableFilter<?> filter = loading.filter().get();
      Double keys = filter.stats().approximateKeys();
      if (rated && keys != null && !loading.isInFile()) {
        HashFloor.require(fpp, keys);
      }
      return new Built(
          filter, lines, keys, Built.Known.FROM_FILL, rated ? fpp : null, loading.isInFile());
    }
  }

  private Built counted() throws IOException {
    try (HashSpill spill = new HashSpill()) {
      long lines = request.keys().forEach(KeyCode.hashes(request.scheme()), spill::add);
      long distinct = request.count(spill);
      HashFloor.require(fpp, distinct);
      return fitted(spill, lines, distinct);
    }
  }

  /**
   * Returns the filter for the counted keys. A plan meets the rate on average over hash functions;
   * if the actual fill is above it, a slightly larger size is tried, since the hashes are still
   * available.
   */
  private Built fitted(HashSpill spill, long lines, long distinct) throws IOException {
    Layout layout = layout();
    double rate = HashFloor.without(fpp, distinct);
    long need = layout.bitsFor(Math.max(1, distinct), rate);
    long bits = layout.foldableBits(layout.guaranteedBits(Math.max(1, distinct), rate));
    Built best = filled(spill, lines, distinct, bits, layout);
    double excess = best.filter().expectedFpp() / fpp - 1;
    // one in its file is so large that chance plays no part
    while (excess > 0 && !best.isWritten()) {
      // near the best number of hashes a rate falls about 4 times as fast as bits grow
      bits = layout.foldableBits(bits * (1 + excess / 4) + 1);
      if (bits > need * MOST_GROWTH) {
        break;
      }
      Built next = filled(spill, lines, distinct, bits, layout);
      excess = next.filter().expectedFpp() / fpp - 1;
      best = next.filter().expectedFpp() < best.filter().expectedFpp() ? next : best;
    }
    return best;
  }

  private Layout layout() {
    if (size.pattern() != null) {
      return new Layout.Blocked(size.pattern());
    }
    return size.hashes() == null ? family.forFpp(fpp) : family.withHashes(size.hashes());
  }

  /** Returns a filter of the counted keys. */
  private Built filled(HashSpill spill, long lines, long distinct, long bits, Layout layout)
      throws IOException {
    builder.shape(new BloomPlan(layout, bits, 0));
    try (Loading loading = begin()) {
      try (Progress progress = request.progress("filling", spill.size())) {
        spill.forEach(
            (hashes, count) -> {
              loading.puts().accept(hashes, count);
              progress.step(count);
            });
      }
      return new Built(
          loading.filter().get(),
          lines,
          (double) distinct,
          Built.Known.COUNTED,
          fpp,
          loading.isInFile());
    }
  }
}
