package dev.bellows.internal.layout;

import dev.bellows.Foldable.FoldSize;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.Ladder;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The layout, size and hash scheme of a filter, which determine the bits of a key. Filters with
 * equal layouts and hash schemes can be merged, whatever their sizes.
 *
 * @param layout the mapping from hashes to bits
 * @param bits the size in bits
 * @param scheme the mapping from keys to hashes
 */
public record Shape(Layout layout, long bits, HashScheme scheme) {
  /** Throws if no filter can have this shape. */
  public Shape {
    Positions.of(layout, bits);
  }

  /** Returns the shape of a filter whose keys have distinct positions anywhere. */
  public static Shape distinct(long bits, int hashes, HashScheme scheme) {
    new DistinctPositions(bits, hashes);
    return new Shape(new Layout.Classic(hashes), bits, scheme);
  }

  /** Returns the number of bits per key. */
  public int hashes() {
    return layout.hashes();
  }

  /** Returns the mapping from keys to positions. */
  public Positions positions() {
    return Positions.of(layout, bits);
  }

  /** Returns the shape of the merge of two filters at a common size. */
  public Shape mergedWith(Shape other, long newBits) {
    return new Shape(layout, newBits, scheme.mergedWith(other.scheme));
  }

  /** Returns the same shape at another size. */
  public Shape withBits(long newBits) {
    return new Shape(layout, newBits, scheme);
  }

  /** Returns why filters of the two shapes cannot be merged; empty if they can, at any size. */
  public Optional<String> incompatibility(Shape other) {
    if (!scheme.equals(other.scheme)) {
      return differ(scheme, other.scheme);
    }
    if (layout.family() != other.layout.family()) {
      return differ("layout " + layout.family(), other.layout.family());
    }
    if (!layout.equals(other.layout)) {
      return layout.pattern() == null
          ? differ(hashes() + " hashes", other.hashes())
          : differ("pattern " + layout.pattern(), other.layout.pattern())
              .map(reason -> reason + "; build one like the other");
    }
    return Optional.empty();
  }

  private static Optional<String> differ(Object here, @Nullable Object there) {
    return Optional.of(here + " here and " + there + " there");
  }

  /** Returns the largest size that both fold to; throws if the shapes cannot be merged. */
  public long commonBits(Shape other) {
    Merging.requireCompatible(incompatibility(other));
    return Divisors.gcd(bits, other.bits);
  }

  /** Returns the shape after folding; throws if the factor does not leave whole cells. */
  public Shape foldedBy(long factor) {
    return withBits(bits / ladder().requireFactor(factor));
  }

  /** Returns the factor that folds to a size; throws if the size is not on the ladder. */
  public long factorTo(long wanted) {
    return ladder().factorTo(wanted);
  }

  /** Returns the sizes that a filter of this shape folds to. */
  public Ladder ladder() {
    return new Ladder(bits, layout.cellBits());
  }

  /** Returns every size on the ladder, ascending, including this one. */
  public List<FoldSize> ladder(LongToDoubleFunction fppAfterFoldingBy) {
    return ladder()
        .factors()
        .mapToObj(f -> new FoldSize(bits / f, f, fppAfterFoldingBy.applyAsDouble(f)))
        .toList();
  }

  /**
   * Throws if the rate of a merge at a common size exceeds the limit.
   *
   * @param inputFpp the higher rate of the two filters, for the advice
   * @param keys the approximate number of keys of the result, for the advice
   */
  public void requireUseful(
      Shape other,
      long common,
      double fpp,
      double maxFpp,
      DoubleSupplier inputFpp,
      DoubleSupplier keys) {
    if (Merging.isAbove(fpp, maxFpp)) {
      double wanted = Math.min(inputFpp.getAsDouble(), maxFpp);
      throw new IllegalArgumentException(
          ("%d and %d bits both fold to %d bits, where the result would have fpp "
                  + "%s, above %s: %s")
              .formatted(
                  bits, other.bits, common, fpp, maxFpp, wayOut(wanted, keys.getAsDouble())));
    }
  }

  /**
   * Returns the size at which both filters would have to be built so that the merge has the rate.
   */
  private String wayOut(double fpp, double keys) {
    return fpp > 0 && fpp < 1
        ? "two full filters cannot share one size and keep their rate; build both with %d bits for fpp %s with all keys"
            .formatted(sizeFor(keys, fpp), fpp)
        : "build both larger, or raise the limit";
  }

  /** Returns a size with many divisors at which this many keys have at most the rate. */
  private long sizeFor(double keys, double fpp) {
    return layout.foldableBits(layout.guaranteedBits(Math.max(1, Math.round(keys)), fpp));
  }

  @Override
  public String toString() {
    Pattern pattern = layout.pattern();
    return layout.family()
        + (pattern == null ? "" : " " + pattern)
        + ", "
        + bits
        + " bits, "
        + hashes()
        + " hashes, "
        + scheme;
  }
}
