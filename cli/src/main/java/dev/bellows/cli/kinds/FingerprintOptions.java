package dev.bellows.cli.kinds;

import dev.bellows.io.FilterKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code build --kind fingerprint} adds. */
public final class FingerprintOptions implements KindOptions {
  @Option(
      names = "--removable",
      description =
          "Store every put, so that each can be removed once; without it the filter is a set, in"
              + " which repetitions take no memory.")
  boolean removable;

  @Override
  public FilterKind kind() {
    return FilterKind.FINGERPRINT;
  }

  @Override
  public @Nullable String given() {
    return removable ? "--removable" : null;
  }
}
