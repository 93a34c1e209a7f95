package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldableFilter;
import picocli.CommandLine.Command;

/** {@code bellows intersect}: a filter that holds the keys all have in common. */
@Command(
    name = "intersect",
    description = {
      "Merges filters into one that holds every key that is in each.",
      "A key of some of them only passes it at the others' rate. Filters of different sizes are folded to the greatest common divisor of their sizes."
    },
    footerHeading = "%nExample:%n",
    footer = "  bellows intersect members.bloom customers.bloom -o both.bloom")
final class Intersect extends Merge {
  @Override
  FoldableFilter<?> merge(Filter one, Filter other, String otherFile) {
    BloomFilter a = FilterFiles.bits(one, files.get(0));
    BloomFilter b = FilterFiles.bits(other, otherFile);
    a.incompatibility(b)
        .ifPresent(
            reason -> {
              throw incompatible(otherFile, reason);
            });
    return a.intersection(b, 1);
  }
}
