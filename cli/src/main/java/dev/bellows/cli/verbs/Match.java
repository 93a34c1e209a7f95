package dev.bellows.cli.verbs;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.RangeAdapter;
import dev.bellows.cli.kinds.RangeSchemaJson;
import dev.bellows.range.RangeBloomFilter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bellows match}: compares two range filters without knowing what they hold. */
@Command(
    name = "match",
    description = {
      "Tests whether everything in range filter A may be in range filter B, without knowing their"
          + " content.",
      "\"No\" is certain. Exit code 1 if not. Refused if the two were built with different schemas,"
          + " or with scheme dyadic."
    },
    footer = {
      "  bellows match person.range wanted.range",
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
    RangeBloomFilter a = read(part);
    RangeBloomFilter b = read(whole);
    boolean subset;
    try {
      subset = a.isSubsetOf(b);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          "%s and %s cannot be matched: %s"
              .formatted(NamedFiles.name(part), NamedFiles.name(whole), e.getMessage()),
          e);
    }
    double chance = a.subsetFpp(b);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("a", part);
    fields.put("b", whole);
    fields.put("subset", subset);
    fields.put("chance", chance);
    fields.put("onesA", a.stats().ones());
    fields.put("onesB", b.stats().ones());
    fields.put("bits", a.schema().bits());
    fields.put("schema", RangeSchemaJson.hash(a.schema()));
    report(
        fields,
        subset
            ? "%s may be contained in %s; an unrelated filter with as many ones would seem to be with probability %.3g.%n"
                .formatted(NamedFiles.name(part), NamedFiles.name(whole), chance)
            : "%s is certainly not contained in %s.%n"
                .formatted(NamedFiles.name(part), NamedFiles.name(whole)));
    return subset ? OK : NOTHING;
  }

  private RangeBloomFilter read(String file) throws IOException {
    return RangeAdapter.require(FilterFiles.read(console(), file, null), file, "match");
  }
}
