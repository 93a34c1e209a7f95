package dev.bellows.internal.files;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterKind;
import java.util.ArrayList;
import java.util.List;

/** Encodes the shape of a filter as the first parameters of its header. */
public final class ShapeCodec {
  /** The index of the first parameter of the kind itself. */
  public static final int PARAMETERS = 4;

  /** The number of layout CLASSIC. */
  static final int CLASSIC = 0;

  /** The number of layout BLOCKED. */
  static final int BLOCKED = 1;

  private ShapeCodec() {}

  /** Returns the header of a plain filter. */
  public static FilterHeader plainHeader(Shape shape, Origin origin) {
    long bytes = 8 * BitStore.words(shape.bits());
    return header(FilterKind.BLOOM, shape, origin, List.of(), List.of(bytes));
  }

  /** Returns the header of a kind without an id: the shape's parameters, then the kind's own. */
  public static FilterHeader header(
      FilterKind kind, Shape shape, List<Long> ownParameters, List<Long> sectionBytes) {
    return header(kind, shape, Origin.NONE, ownParameters, sectionBytes);
  }

  /** Returns the header of a kind: the shape's parameters, then the kind's own. */
  public static FilterHeader header(
      FilterKind kind,
      Shape shape,
      Origin origin,
      List<Long> ownParameters,
      List<Long> sectionBytes) {
    Pattern pattern = shape.layout().pattern();
    List<Long> parameters =
        new ArrayList<>(
            List.of(
                pattern == null ? (long) CLASSIC : BLOCKED,
                shape.bits(),
                (long) shape.hashes(),
                pattern == null ? 0L : pattern.words()));
    parameters.addAll(ownParameters);
    return FilterHeader.of(kind, shape.scheme(), origin, parameters, sectionBytes);
  }

  /**
   * Returns the layout that a file describes.
   *
   * @param number CLASSIC or BLOCKED
   * @param words the number of words of the pattern, 0 if there is none
   */
  static Layout layout(int number, int hashes, int words) {
    if (number == CLASSIC) {
      if (words != 0) {
        throw new IllegalArgumentException("words of the pattern " + words + ": CLASSIC has none");
      }
      return new Layout.Classic(hashes);
    }
    if (words < 1 || words > Pattern.BLOCK_WORDS) {
      throw new IllegalArgumentException(
          "words of the pattern %d are not in [1, %d]".formatted(words, Pattern.BLOCK_WORDS));
    }
    if (hashes % words != 0) {
      throw new IllegalArgumentException(hashes + " hashes in " + words + " words of a block");
    }
    return new Layout.Blocked(words, hashes / words);
  }
}
