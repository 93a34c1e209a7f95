package dev.bellows.cli;

import dev.bellows.io.FilterKind;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code build --kind counting} adds. */
final class CountingOptions implements KindOptions {
  private static final int DEFAULT_COUNTER_BITS = 4;

  @Option(
      names = "--counter-bits",
      paramLabel = "C",
      converter = Numbers.SmallCount.class,
      description = "Bits per counter: 4 (default), 8, 16 or 32.")
  @Nullable Integer counterBits;

  @Override
  public FilterKind kind() {
    return FilterKind.COUNTING;
  }

  @Override
  public @Nullable String given() {
    return counterBits == null ? null : "--counter-bits";
  }

  int counterBits() {
    return counterBits == null ? DEFAULT_COUNTER_BITS : counterBits;
  }
}
