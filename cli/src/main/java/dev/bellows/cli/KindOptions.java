package dev.bellows.cli;

import dev.bellows.io.FilterKind;
import org.jspecify.annotations.Nullable;

/** Options of {@code build} that only one kind has. */
interface KindOptions {
  /** The kind. */
  FilterKind kind();

  /** The name of an option that was given, or null if none was. */
  @Nullable String given();
}
