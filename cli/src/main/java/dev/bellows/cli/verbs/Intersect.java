package dev.bellows.cli.verbs;

import dev.bellows.cli.kinds.MergeRule;
import picocli.CommandLine.Command;

/** {@code bellows intersect}: a filter that holds the keys all have in common. */
@Command(
    name = "intersect",
    description = {
      "Merges filters into one that contains every key that is in all of them.",
      "A key that is only in some of them is a false positive at the rate of the others. Filters of"
          + " different sizes are folded to the greatest common divisor of their sizes; those of"
          + " kind fingerprint may have any size and rate."
    },
    footer = "  bellows intersect members.bloom customers.bloom -o both.bloom")
public final class Intersect extends Merge {
  public Intersect() {
    super(MergeRule.INTERSECTION);
  }
}
