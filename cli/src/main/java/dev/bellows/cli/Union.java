package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.RangeBloomFilter;
import picocli.CommandLine.Command;

/** {@code bellows union}: a filter that holds the keys of all. */
@Command(
    name = "union",
    description = "Merges filters into one that holds every key of each.",
    footerHeading = "%nExample:%n",
    footer = "  bellows union monday.bloom tuesday.bloom -o both.bloom")
final class Union extends Merge {
  @Override
  BloomFilter merge(BloomFilter one, BloomFilter other) {
    return one.union(other);
  }

  @Override
  RangeBloomFilter merge(RangeBloomFilter one, RangeBloomFilter other) {
    return one.union(other);
  }
}
