package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.FoldableFilter;
import dev.bellows.RangeBloomFilter;
import java.util.stream.LongStream;
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
  FoldableFilter<?> merge(FoldableFilter<?> one, FoldableFilter<?> other, String file) {
    if (one instanceof BloomFilter a && other instanceof BloomFilter b) {
      return compatible(a, b, file).union(b, 1);
    }
    if (one instanceof CountingBloomFilter a && other instanceof CountingBloomFilter b) {
      return compatible(a, b, file).union(b, 1);
    }
    throw incompatible(
        file,
        "kind "
            + one.stats().kind().word()
            + " here and "
            + other.stats().kind().word()
            + " there");
  }

  @Override
  long mostKeys(LongStream counts) {
    return counts.sum();
  }

  @Override
  RangeBloomFilter merge(RangeBloomFilter one, RangeBloomFilter other) {
    return one.union(other);
  }
}
