package dev.bellows.cli.verbs;

import dev.bellows.cli.kinds.MergeRule;
import picocli.CommandLine.Command;

/** {@code bellows union}: a filter that holds the keys of all. */
@Command(
    name = "union",
    description = {
      "Merges filters into one that contains every key of each.",
      "Two full filters cannot share one size and keep their rate: build both for the number of"
          + " keys of the union (--keys, or --like the larger one), or use kind fingerprint, whose"
          + " unions work at any sizes and whose rates merely add up.",
      "Filters of different sizes are folded to the greatest common divisor of their sizes; an"
          + " empty filter leaves the other unchanged. Filters of kind autoscale need the same"
          + " --bits and --hashes, and must have no common keys, which would count twice. The"
          + " result has the threshold rule of the first."
    },
    footer = {
      "  bellows build --keys 2M -o monday.bloom monday.txt",
      "  bellows build --like monday.bloom -o tuesday.bloom tuesday.txt",
      "  bellows union monday.bloom tuesday.bloom -o both.bloom"
    })
public final class Union extends Merge {
  public Union() {
    super(MergeRule.UNION);
  }
}
