package dev.bellows.cli.redis;

import dev.bellows.cli.console.Facts;
import dev.bellows.internal.base.Prose;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows redis union}: the keys of other filters of the server into one. */
@Command(
    name = "union",
    description = "Puts every key of the filters OTHER into the filter NAME, on the server.",
    footerHeading = "%nExample:%n",
    footer = "  bellows redis union --url redis://localhost all monday tuesday")
final class RedisUnion extends RedisVerb {
  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "OTHER",
      description =
          "Filters of the same layout, hashes and size, or of a multiple of it; growing ones of the"
              + " same plan.")
  List<String> others = List.of();

  @Option(
      names = "--max-fpp",
      paramLabel = "P",
      description = "Refuse a result with a higher rate (default: 0.5).")
  double maxFpp = 0.5;

  @Override
  int run(JedisBits bits) throws IOException {
    SharedBloomFilter filter = SharedBloomFilter.open(bits, name);
    for (String other : others) {
      filter.putAll(SharedBloomFilter.open(bits, other), maxFpp);
    }
    double fpp = filter.expectedFpp();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("bits", filter.bits());
    fields.put("hashes", filter.plan().hashes());
    fields.put("expectedFpp", fpp);
    report(
        fields,
        new Facts()
            .add("filter", name, Prose.plural(others.size(), "other") + " merged into it")
            .add("bits", Prose.count(filter.bits()))
            .add("false positives", Prose.rate(fpp))
            .toString());
    return OK;
  }
}
