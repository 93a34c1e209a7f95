package dev.bellows.cli.redis;

import dev.bellows.cli.console.Report;
import dev.bellows.internal.base.Prose;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows redis union}: the keys of other filters of the server into one. */
@Command(
    name = "union",
    description = "Puts every key of the filters OTHER into the filter NAME, on the server.",
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
    return report(
        new Report()
            .field("name", name)
            .add("filter", name, Prose.plural(others.size(), "other") + " merged into it")
            .both("bits", filter.bits())
            .field("hashes", filter.plan().hashes())
            .fpp(filter.expectedFpp()));
  }
}
