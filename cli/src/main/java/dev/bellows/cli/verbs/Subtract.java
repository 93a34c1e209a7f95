package dev.bellows.cli.verbs;

import dev.bellows.cli.kinds.MergeRule;
import picocli.CommandLine.Command;

/** {@code bellows subtract}: the keys of one filter without those of others. */
@Command(
    name = "subtract",
    description = {
      "Removes the keys of the other filters from the first one; for kind counting, and fingerprint"
          + " with --removable.",
      "All keys of the others must be in the first, at least as often: a counter that would become"
          + " negative is refused. Filters of different sizes are folded to the greatest common"
          + " divisor of their sizes. For kind fingerprint, a prefix that may belong to several"
          + " keys stays: build the others with a rate so low that few do, and at 1%% with fewer"
          + " than a million keys."
    },
    footer = "  bellows subtract all.counting gone.counting -o left.counting")
public final class Subtract extends Merge {
  public Subtract() {
    super(MergeRule.DIFFERENCE);
  }
}
