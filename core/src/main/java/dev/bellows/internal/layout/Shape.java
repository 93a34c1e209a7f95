package dev.bellows.internal.layout;

import dev.bellows.Foldable.FoldSize;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.Ladder;
import java.util.List;
import java.util.Optional;
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
    Positions.requireSize(layout, bits);
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
    Optional<String> hashing = scheme.incompatibility(other.scheme);
    if (hashing.isPresent()) {
      return hashing;
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
