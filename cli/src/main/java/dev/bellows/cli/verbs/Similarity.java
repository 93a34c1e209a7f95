package dev.bellows.cli.verbs;

import dev.bellows.Filter;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bellows similarity}: how many keys two filters have in common, without the keys. */
@Command(
    name = "similarity",
    description = {
      "Compares two filters of kind autoscale, or of kind binarized, as vectors.",
      "Prints the correlation of their counters or bits, 1 for the same keys and about 0 for no"
          + " common one, and the number of common keys that it shows. The two need the same"
          + " --bits, --hashes and hashing; without common keys the correlation is within a few"
          + " times 1/sqrt(bits) of 0."
    },
    footer = {
      "  bellows similarity monday.auto tuesday.auto",
    })
public final class Similarity extends Verb {
  @Parameters(index = "0", paramLabel = "A", description = "A filter; - is standard input.")
  String first;

  @Parameters(index = "1", paramLabel = "B", description = "Another; - is standard input.")
  String second;

  @Override
  public Integer call() throws IOException {
    if (first.equals("-") && second.equals("-")) {
      throw misuse("standard input (-) can be only one of the filters");
    }
    Filter a = FilterFiles.read(console(), first, null);
    Filter b = FilterFiles.read(console(), second, null);
    Map<String, Object> fields = new LinkedHashMap<>();
    if (a instanceof AutoscalingBloomFilter one && b instanceof AutoscalingBloomFilter other) {
      requireAlike(one.incompatibility(other));
      fields.put("similarity", one.similarity(other));
      fields.put("commonKeys", one.commonKeys(other));
      fields.put("bits", one.bits());
    } else if (a.kind() == FilterKind.BINARIZED && b.kind() == FilterKind.BINARIZED) {
      BinarizedFilter one = (BinarizedFilter) a;
      BinarizedFilter other = (BinarizedFilter) b;
      requireAlike(one.incompatibility(other));
      fields.put("similarity", one.similarity(other));
      fields.put("commonKeys", one.commonKeys(other));
      fields.put("bits", one.bits());
      fields.put("dot", one.dot(other));
    } else {
      throw new CommandFailure(
          "%s is of kind %s and %s of kind %s: compare two filters of kind autoscale, or two of"
              + " kind binarized",
          NamedFiles.name(first), a.kind().word(), NamedFiles.name(second), b.kind().word());
    }
    return report(
        fields,
        "similarity %.4f, about %s common keys%n"
            .formatted(
                (Double) fields.get("similarity"),
                Prose.count(Math.round((Double) fields.get("commonKeys")))));
  }

  private void requireAlike(Optional<String> difference) {
    if (difference.isPresent()) {
      throw new CommandFailure(
          "%s and %s cannot be compared: %s",
          NamedFiles.name(first), NamedFiles.name(second), difference.get());
    }
  }
}
