package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.FoldableFilter;
import dev.bellows.RangeBloomFilter;
import java.util.stream.LongStream;
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
  FoldableFilter<?> merge(FoldableFilter<?> one, FoldableFilter<?> other, String file) {
    BloomFilter a = FilterFiles.bits(one, files.get(0));
    BloomFilter b = FilterFiles.bits(other, file);
    return compatible(a, b, file).intersection(b, 1);
  }

  @Override
  long mostKeys(LongStream counts) {
    return counts.min().orElse(0);
  }

  @Override
  RangeBloomFilter merge(RangeBloomFilter one, RangeBloomFilter other) {
    return one.intersection(other);
  }
}
