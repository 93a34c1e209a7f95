package dev.bellows.cli.kinds;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The target of a fold; exactly one of them is given. */
public class FoldTarget {
  @Option(names = "--factor", paramLabel = "F", description = "F times smaller.")
  public @Nullable Long factor;

  @Option(names = "--to-bits", paramLabel = "M", description = "To M bits.")
  public @Nullable Long bits;

  @Option(
      names = "--to-fpp",
      paramLabel = "P",
      description = "To the smallest size whose rate, from the actual fill, is at most P.")
  public @Nullable Double fpp;
}
