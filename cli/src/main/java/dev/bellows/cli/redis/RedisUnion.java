package dev.bellows.cli.redis;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin RateLimit limit = new RateLimit();

  @Override
  int run(JedisBits bits) throws IOException {
    SharedBloomFilter filter = SharedBloomFilter.open(bits, name);
    for (String other : others) {
      filter.putAll(SharedBloomFilter.open(bits, other), limit.atMost(1));
    }
    FilterStats stats = filter.stats();
    RateLimit.warnOnly(
        console(),
        new RateLimit.Case(
            name,
            stats.expectedFpp(),
            null,
            RateRule.target(stats),
            () -> "create a larger filter"));
    return report(
        new Report()
            .field("name", name)
            .add("filter", name, Prose.plural(others.size(), "other") + " merged into it")
            .both("bits", filter.bits())
            .field("hashes", filter.plan().hashes())
            .fpp(filter.expectedFpp()));
  }
}
