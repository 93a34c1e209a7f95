package dev.bellows.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How small a filter is to be folded; one of them is given. */
class FoldWish {
  @Option(
      names = "--factor",
      paramLabel = "F",
      converter = Numbers.Count.class,
      description = "F times smaller.")
  @Nullable Long factor;

  @Option(
      names = "--to-bits",
      paramLabel = "M",
      converter = Numbers.Count.class,
      description = "To M bits.")
  @Nullable Long bits;

  @Option(
      names = "--to-fpp",
      paramLabel = "P",
      converter = Numbers.Probability.class,
      description = "To the smallest size whose rate, from the real fill, is at most P.")
  @Nullable Double fpp;
}
