package dev.bellows.cli.redis;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.kinds.ScalableAdapter;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.RedisMetrics;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("kind", stats.kind().word());
    fields.put("layout", Numbers.LayoutWord.of(stats.family()));
    fields.put("pattern", Json.pattern(stats));
    fields.put("bits", stats.bits());
    fields.put("hashes", stats.hashes());
    fields.put("scheme", stats.hashScheme().word());
    fields.put("keyType", stats.hashScheme().keyType().word());
    fields.put("ones", stats.ones());
    fields.put("fill", stats.fill());
    fields.put("approximateKeys", Json.keys(stats));
    fields.put("expectedFpp", stats.expectedFpp());
    fields.put("bytes", storage.fileBytes());
    fields.put("stripes", storage.stripes());
    fields.put("serverBytes", storage.bytes());
    fields.put("folding", storage.isFolding());
    if (!storage.levels().isEmpty()) {
      fields.put("levels", storage.levels().stream().map(ScalableAdapter::fields).toList());
    }
    RedisMetrics metrics = filter.metrics();
    fields.put("roundTrips", metrics.roundTrips());
    fields.put("retries", metrics.retries());
    fields.put("bytesSent", metrics.bytesSent());
    fields.put("bytesReceived", metrics.bytesReceived());
    console().print(Json.object(fields));
    return OK;
  }
}
