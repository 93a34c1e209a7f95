package dev.bellows;

import dev.bellows.internal.BitLayout;
import dev.bellows.internal.DistinctPositions;
import dev.bellows.internal.Ladder;
import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.plan.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What two filters must share to be merged: how keys are hashed and where their bits go. */
record FilterShape(Layout layout, long bits, int hashes, HashScheme scheme) {
  /** Where a kind's own parameters begin. */
  static final int PARAMETERS = 3;

  FilterShape {
    BitLayout.of(layout, bits, hashes);
  }

  /** The shape of a filter whose keys take distinct positions anywhere. */
  static FilterShape distinct(long bits, int hashes, HashScheme scheme) {
    new DistinctPositions(bits, hashes);
    return new FilterShape(Layout.CLASSIC, bits, hashes, scheme);
  }

  BitLayout positions() {
    return BitLayout.of(layout, bits, hashes);
  }

  Optional<String> incompatibility(FilterShape other) {
    if (!scheme.equals(other.scheme)) {
      return differ(scheme, other.scheme);
    }
    if (layout != other.layout) {
      return differ("layout " + layout, other.layout);
    }
    if (hashes != other.hashes) {
      return differ(hashes + " hashes", other.hashes);
    }
    return Optional.empty();
  }

  private static Optional<String> differ(Object here, Object there) {
    return Optional.of(here + " here and " + there + " there");
  }

  void requireCompatible(FilterShape other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters cannot be merged: " + reason);
            });
  }

  /** The shape after folding; refuses a factor that leaves no whole cells. */
  FilterShape foldedBy(long factor) {
    Ladder ladder = ladder();
    if (!ladder.hasFactor(factor)) {
      throw new IllegalArgumentException(
          "cannot fold %d bits by %d: it does not divide the %d cells; the nearest factors are %s"
              .formatted(bits, factor, ladder.cells(), ladder.nearestFactors(factor)));
    }
    return new FilterShape(layout, bits / factor, hashes, scheme);
  }

  /** The factor that folds to a size; refuses a size that is not on the ladder. */
  long factorTo(long wanted) {
    if (!ladder().hasSize(wanted)) {
      throw new IllegalArgumentException(
          "cannot fold %d bits to %d: the nearest sizes on its ladder are %s"
              .formatted(bits, wanted, ladder().nearestSizes(wanted)));
    }
    return bits / wanted;
  }

  private Ladder ladder() {
    return new Ladder(bits, layout.cellBits());
  }

  /** Every size on the ladder, ascending, this one included. */
  List<FoldSize> ladder(LongToDoubleFunction fppAfterFoldingBy) {
    return ladder()
        .factors()
        .mapToObj(f -> new FoldSize(bits / f, f, fppAfterFoldingBy.applyAsDouble(f)))
        .toList();
  }

  /** Refuses a merge, at a common size, that would pass more outsiders than is worth having. */
  void requireUseful(FilterShape other, long common, double fpp, double maxFpp) {
    if (fpp > maxFpp) {
      throw new IllegalArgumentException(
          "%d and %d bits meet at %d bits, where the result would have fpp %s, above %s: %s"
              .formatted(bits, other.bits, common, fpp, maxFpp, wayOut(other)));
    }
  }

  /** How to build one of two filters so that they meet at the smaller one's size. */
  private String wayOut(FilterShape other) {
    long smaller = Math.min(bits, other.bits);
    long larger = Math.max(bits, other.bits);
    return larger % smaller == 0
        ? "build both larger, or raise the limit"
        : "a capacity of %d bits instead of %d would be compatible"
            .formatted(smaller * (larger / smaller + 1), larger);
  }

  FilterStats stats(FilterKind kind, long ones, double keys, double expectedFpp, long bytes) {
    return new FilterStats(
        kind, layout, bits, hashes, scheme, ones, (double) ones / bits, keys, expectedFpp, bytes);
  }

  /** The header of a kind: the shape's parameters, then the kind's own. */
  FilterHeader header(
      FilterKind kind, Origin origin, List<Long> ownParameters, List<Long> sectionBytes) {
    List<Long> parameters = new ArrayList<>(List.of((long) layout.id(), bits, (long) hashes));
    parameters.addAll(ownParameters);
    return new FilterHeader(
        kind,
        scheme.id(),
        scheme.identity(),
        origin.filterId(),
        origin.epoch(),
        parameters,
        sectionBytes);
  }

  static FilterShape read(
      FilterReader reader, @Nullable HashScheme given, int ownParameters, int sections)
      throws IOException {
    reader.expect(PARAMETERS + ownParameters, sections);
    HashScheme scheme = HashScheme.ofFile(reader.header(), given);
    Layout layout = Layout.ofId((int) reader.parameter(0, "layout", 0, 1));
    long bits = reader.parameter(1, "bits", 1, BitLayout.MAX_BITS);
    int hashes = (int) reader.parameter(2, "hashes", 1, BitLayout.MAX_HASHES);
    return reader.checked(1, () -> new FilterShape(layout, bits, hashes, scheme));
  }

  /** Reads the shape of a filter of one section whose keys take distinct positions anywhere. */
  static FilterShape readDistinct(
      FilterReader reader, @Nullable HashScheme given, int ownParameters) throws IOException {
    reader.parameter(0, "layout of distinct positions", 0, 0);
    FilterShape shape = read(reader, given, ownParameters, 1);
    return reader.checked(2, () -> distinct(shape.bits, shape.hashes, shape.scheme));
  }

  /** Reads the next section as a store of this shape. */
  long[] readStore(FilterReader reader) throws IOException {
    BitLayout positions = positions();
    long[] words = reader.words(positions.firstWord(), positions.wordCount());
    return requireClearTail(reader, words);
  }

  long[] requireClearTail(FilterReader reader, long[] words) throws IOException {
    return reader.checked(
        1,
        () -> {
          positions().requireClearTail(words);
          return words;
        });
  }

  @Override
  public String toString() {
    return layout + ", " + bits + " bits, " + hashes + " hashes, " + scheme;
  }
}
