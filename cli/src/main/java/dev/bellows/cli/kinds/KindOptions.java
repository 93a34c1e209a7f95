package dev.bellows.cli.kinds;

import dev.bellows.io.FilterKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Options of {@code build} that only one kind has, or a few. */
public interface KindOptions {
  /** The kind, or the first of them. */
  FilterKind kind();

  /** All kinds that have them. */
  default List<FilterKind> kinds() {
    return List.of(kind());
  }

  /** The name of an option that was given, or null if none was. */
  @Nullable String given();
}
