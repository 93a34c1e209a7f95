package dev.bellows.cli;

import picocli.CommandLine.Command;

/** {@code bellows union}: a filter that holds the keys of all. */
@Command(
    name = "union",
    description = {
      "Merges filters into one that holds every key of each.",
      "Filters of different sizes are folded to the greatest common divisor of their sizes; those of kind fingerprint may have any size and rate, and their rates add up. Those of kind autoscale need the same --bits and --hashes, and no key in two of them: it would count twice. The result has the thresholds' rule of the first."
    },
    footerHeading = "%nExample:%n",
    footer = "  bellows union monday.bloom tuesday.bloom -o both.bloom")
final class Union extends Merge {
  @Override
  MergeRule rule() {
    return MergeRule.UNION;
  }
}
