package dev.bellows.cli.redis;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.kinds.ScalableAdapter;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.RedisMetrics;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code bellows redis info}: what a filter of a server holds. */
@Command(
    name = "info",
    description = "Says what a filter in a server holds; the server counts its bits.",
    footer = "  bellows redis info --url redis://localhost users")
final class RedisInfo extends RedisVerb {
  @Override
  int run(JedisBits bits) throws IOException {
    SharedBloomFilter filter = SharedBloomFilter.open(bits, name);
    if (!json) {
      console().print(filter.explain());
      return OK;
    }
    SharedBloomFilter.Storage storage = filter.storage();
    FilterStats stats = storage.stats();
    Report fields =
        new Report()
            .field("name", name)
            .field("kind", stats.kind().word())
            .field("layout", Numbers.LayoutWord.of(stats.family()))
            .field("pattern", Json.pattern(stats))
            .field("bits", stats.bits())
            .field("hashes", stats.hashes())
            .field("scheme", stats.hashScheme().word())
            .field("keyType", stats.hashScheme().keyType().word())
            .field("ones", stats.ones())
            .field("fill", stats.fill())
            .field("approximateKeys", Json.keys(stats))
            .field("expectedFpp", stats.expectedFpp())
            .field("bytes", storage.fileBytes())
            .field("stripes", storage.stripes())
            .field("serverBytes", storage.bytes())
            .field("folding", storage.isFolding());
    if (!storage.levels().isEmpty()) {
      fields.field("levels", storage.levels().stream().map(ScalableAdapter::fields).toList());
    }
    RedisMetrics metrics = filter.metrics();
    return report(
        fields
            .field("roundTrips", metrics.roundTrips())
            .field("retries", metrics.retries())
            .field("bytesSent", metrics.bytesSent())
            .field("bytesReceived", metrics.bytesReceived()));
  }
}
