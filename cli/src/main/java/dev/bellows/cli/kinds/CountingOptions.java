package dev.bellows.cli.kinds;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code build --kind counting} adds; an elastic filter with counters can remove keys too. */
public final class CountingOptions {
  private static final int DEFAULT_COUNTER_BITS = 4;

  @Option(
      names = "--counter-bits",
      paramLabel = "C",
      description =
          "Bits per counter: 4, 8, 16 or 32 (default: 4; kind elastic has no counters unless it is"
              + " given, and then keys can be removed).")
  @Nullable Integer counterBits;

  int counterBits() {
    return counterBits == null ? DEFAULT_COUNTER_BITS : counterBits;
  }
}
