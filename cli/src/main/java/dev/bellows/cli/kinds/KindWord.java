package dev.bellows.cli.kinds;

import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterKind;
import java.util.ArrayList;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The kinds that {@code build} makes, by their word. */
public final class KindWord implements ITypeConverter<FilterKind> {
  @Override
  public FilterKind convert(String text) {
    return Adapters.buildable().stream()
        .filter(kind -> kind.word().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    Prose.quote(text)
                        + " is not a kind that this version builds; it builds "
                        + String.join(", ", new Words())));
  }

  /** The words, for completion. */
  public static final class Words extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Words() {
      super(Adapters.buildable().stream().map(FilterKind::word).toList());
    }
  }
}
