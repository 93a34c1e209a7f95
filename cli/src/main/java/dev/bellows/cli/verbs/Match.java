package dev.bellows.cli.verbs;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.RangeSchemaJson;
import dev.bellows.range.RangeBloomFilter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bellows match}: compares two filters without knowing what they hold. */
@Command(
    name = "match",
    description = {
      "Tests whether everything in filter A may be in filter B, without knowing their content."
          + " Both are of kind range, or both of kind bloom.",
      "\"No\" is certain. Exit code 1 if not. Refused if range filters were built with different"
          + " schemas, or if plain filters differ in layout or hashing;"
          + " plain filters of different sizes are folded to a common one."
    },
    footer = {
      "  bellows match person.range wanted.range",
      "  bellows match request.bloom peer.bloom",
    })
public final class Match extends Verb {
  @Parameters(index = "0", paramLabel = "A", description = "The part; - is standard input.")
  String part;

  @Parameters(index = "1", paramLabel = "B", description = "The whole; - is standard input.")
  String whole;

  @Override
  public Integer call() throws IOException {
    if (part.equals("-") && whole.equals("-")) {
      throw misuse("standard input (-) can be only one of the filters");
    }
    Filter first = FilterFiles.read(console(), part, null);
    Filter second = FilterFiles.read(console(), whole, null);
    try {
      if (first instanceof BloomFilter a && second instanceof BloomFilter b) {
        return report(a.isSubsetOf(b), a.subsetFpp(b), Map.of());
      }
      String kinds = ": match compares two filters of kind range, or two of kind bloom";
      RangeBloomFilter a = FilterFiles.require(RangeBloomFilter.class, first, part, kinds);
      RangeBloomFilter b = FilterFiles.require(RangeBloomFilter.class, second, whole, kinds);
      Map<String, Object> more = new LinkedHashMap<>();
      more.put("onesA", a.stats().ones());
      more.put("onesB", b.stats().ones());
      more.put("bits", a.schema().bits());
      more.put("schema", RangeSchemaJson.hash(a.schema()));
      return report(a.isSubsetOf(b), a.subsetFpp(b), more);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          "%s and %s cannot be matched: %s"
              .formatted(NamedFiles.name(part), NamedFiles.name(whole), e.getMessage()),
          e);
    }
  }

  /**
   * Reports whether one is contained in the other.
   *
   * @param chance the chance that it only seems so
   */
  private int report(boolean subset, double chance, Map<String, Object> more) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("a", part);
    fields.put("b", whole);
    fields.put("subset", subset);
    fields.put("chance", chance);
    fields.putAll(more);
    // that of a large filter is too small for a double
    String probability = chance < Double.MIN_NORMAL ? "less than 1e-300" : "%.3g".formatted(chance);
    report(
        fields,
        subset
            ? "%s may be contained in %s; an unrelated filter with as many ones would seem to be with a probability of %s.%n"
                .formatted(NamedFiles.name(part), NamedFiles.name(whole), probability)
            : "%s is certainly not contained in %s.%n"
                .formatted(NamedFiles.name(part), NamedFiles.name(whole)));
    return subset ? OK : NOTHING;
  }
}
