package dev.bellows.internal.files;

import dev.bellows.Pattern;
import dev.bellows.internal.layout.Cells;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterKind;
import java.util.ArrayList;
import java.util.List;

/** The shape of a filter as the first parameters of its header. */
public final class ShapeCodec {
  /** The index of the first parameter of the kind itself. */
  public static final int PARAMETERS = 4;

  private ShapeCodec() {}

  /** The header of a kind without an id: the shape's parameters, then the kind's own. */
  public static FilterHeader header(
      FilterKind kind, Shape shape, List<Long> ownParameters, List<Long> sectionBytes) {
    return header(kind, shape, Origin.NONE, ownParameters, sectionBytes);
  }

  /** The header of a kind: the shape's parameters, then the kind's own. */
  public static FilterHeader header(
      FilterKind kind,
      Shape shape,
      Origin origin,
      List<Long> ownParameters,
      List<Long> sectionBytes) {
    List<Long> parameters =
        new ArrayList<>(
            List.of(
                (long) shape.cells().fileNumber(),
                shape.bits(),
                (long) shape.hashes(),
                words(shape.cells())));
    parameters.addAll(ownParameters);
    return FilterHeader.of(kind, shape.scheme(), origin, parameters, sectionBytes);
  }

  /** The words of the pattern; 0 where there is none. */
  private static long words(Cells cells) {
    Pattern pattern = cells.pattern();
    return pattern == null ? 0 : pattern.words();
  }
}
