package dev.bellows.cli.redis;

import dev.bellows.cli.console.Report;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code bellows redis drop}: deletes a filter of a server. */
@Command(
    name = "drop",
    description = "Deletes a filter of a server with all its keys; clients that use it are told.",
    footer = "  bellows redis drop --url redis://localhost users")
final class RedisDrop extends RedisVerb {
  @Override
  int run(JedisBits bits) throws IOException {
    SharedBloomFilter.open(bits, name).drop();
    return report(Map.of("name", name), new Report().add("dropped", name).toString());
  }
}
