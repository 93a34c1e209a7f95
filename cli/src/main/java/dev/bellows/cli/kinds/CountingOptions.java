package dev.bellows.cli.kinds;

import dev.bellows.io.FilterKind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code build --kind counting} adds; an elastic filter with counters can remove keys too. */
public final class CountingOptions implements KindOptions {
  private static final int DEFAULT_COUNTER_BITS = 4;

  @Option(
      names = "--counter-bits",
      paramLabel = "C",
      description =
          "Bits per counter: 4, 8, 16 or 32 (default: 4; kind elastic has no counters unless it is"
              + " given, and then keys can be removed).")
  @Nullable Integer counterBits;

  @Override
  public FilterKind kind() {
    return FilterKind.COUNTING;
  }

  @Override
  public List<FilterKind> kinds() {
    return List.of(FilterKind.COUNTING, FilterKind.ELASTIC);
  }

  @Override
  public @Nullable String given() {
    return counterBits == null ? null : "--counter-bits";
  }

  int counterBits() {
    return counterBits == null ? DEFAULT_COUNTER_BITS : counterBits;
  }
}
