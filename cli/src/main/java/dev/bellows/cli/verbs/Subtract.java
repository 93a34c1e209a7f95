package dev.bellows.cli.verbs;

import dev.bellows.cli.kinds.MergeRule;
import picocli.CommandLine.Command;

/** {@code bellows subtract}: the keys of one filter without those of others. */
@Command(
    name = "subtract",
    description = {
      "Takes the keys of the other filters out of the first one; kinds counting, and fingerprint with --removable.",
      "All keys of the others must be in the first, as often as they are there: a counter that would fall below zero is refused. Filters of different sizes are folded to the greatest common divisor of their sizes. Of kind fingerprint a prefix that may belong to several keys stays: build the others with so low a rate that few do, and at 1%% with less than a million keys."
    },
    footer = "  bellows subtract all.counting gone.counting -o left.counting")
public final class Subtract extends Merge {
  @Override
  MergeRule rule() {
    return MergeRule.DIFFERENCE;
  }
}
