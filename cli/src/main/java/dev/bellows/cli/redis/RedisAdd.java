package dev.bellows.cli.redis;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bellows redis add}: more keys into a filter of a server. */
@Command(
    name = "add",
    description = "Adds keys, one per line, to a filter in a server.",
    footer = "  bellows redis add --url redis://localhost users new-users.txt")
final class RedisAdd extends RedisVerb {
  @Parameters(
      index = "1..*",
      paramLabel = "INPUT",
      description = "Files of keys; - or none is standard input.")
  List<String> inputs = List.of();

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();

  @Override
  int run(JedisBits bits) throws IOException {
    SharedBloomFilter filter = open(bits, schemeOptions);
    keyOptions.follow(filter.hashScheme().keyType(), name);
    long[] added = {0};
    long lines =
        new KeyInput(console(), inputs, keyOptions)
            .forEach(
                KeyCode.hashes(filter.hashScheme()),
                (hashes, count) -> added[0] += filter.putHashes(hashes, 0, count));
    FilterStats stats = filter.stats();
    // other clients share the filter, so puts cannot be undone, and a full one is not refused
    RateLimit.warnOnly(
        console(),
        new RateLimit.Case(
            "filter '" + name + "'",
            stats.expectedFpp(),
            null,
            RateRule.target(stats),
            () -> "create a larger one, or one that grows (redis create without --keys)"));
    return report(
        new Report()
            .field("name", name)
            .field("kind", filter.kind().word())
            .both("lines", lines)
            .both("new", added[0]));
  }
}
