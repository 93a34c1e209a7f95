package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldableFilter;
import picocli.CommandLine.Command;

/** {@code bellows union}: a filter that holds the keys of all. */
@Command(
    name = "union",
    description = {
      "Merges filters into one that holds every key of each.",
      "Filters of different sizes are folded to the greatest common divisor of their sizes."
    },
    footerHeading = "%nExample:%n",
    footer = "  bellows union monday.bloom tuesday.bloom -o both.bloom")
final class Union extends Merge {
  @Override
  FoldableFilter<?> merge(Filter one, Filter other, String otherFile) {
    if (one instanceof BloomFilter a && other instanceof BloomFilter b) {
      return merge(a, b, otherFile);
    }
    if (one instanceof CountingBloomFilter a && other instanceof CountingBloomFilter b) {
      return merge(a, b, otherFile);
    }
    throw incompatible(
        otherFile,
        "kind " + one.stats().kind().word() + " here and " + other.stats().kind().word() + " there");
  }

  private <F extends FoldableFilter<F>> F merge(F one, F other, String otherFile) {
    one.incompatibility(other)
        .ifPresent(
            reason -> {
              throw incompatible(otherFile, reason);
            });
    return one.union(other, 1);
  }
}
