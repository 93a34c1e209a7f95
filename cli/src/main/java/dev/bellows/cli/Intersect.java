package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.RangeBloomFilter;
import picocli.CommandLine.Command;

/** {@code bellows intersect}: a filter that holds the keys all have in common. */
@Command(
    name = "intersect",
    description = {
      "Merges filters into one that holds every key that is in each.",
      "A key of some of them only passes it at the others' rate."
    },
    footerHeading = "%nExample:%n",
    footer = "  bellows intersect members.bloom customers.bloom -o both.bloom")
final class Intersect extends Merge {
  @Override
  BloomFilter merge(BloomFilter one, BloomFilter other) {
    return one.intersection(other);
  }

  @Override
  RangeBloomFilter merge(RangeBloomFilter one, RangeBloomFilter other) {
    return one.intersection(other);
  }
}
