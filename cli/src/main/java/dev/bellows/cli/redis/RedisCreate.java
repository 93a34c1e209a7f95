package dev.bellows.cli.redis;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.Layout;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.keys.HashingOptions;
import dev.bellows.cli.kinds.Size;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bellows redis create}: an empty filter in a server. */
@Command(
    name = "create",
    description = {
      "Makes an empty filter: of a fixed size with --keys or --bits, otherwise one that grows."
    },
    footer = {
      "  bellows redis create --url redis://localhost users --keys 1M --fpp 1%%",
      "  bellows redis create --url redis://localhost seen --fpp 0.1%%"
    })
final class RedisCreate extends RedisVerb {
  @Option(
      names = "--fpp",
      paramLabel = "P",
      description = "The highest false positive rate (default: 1%%).")
  @Nullable Double fpp;

  @Option(names = "--keys", paramLabel = "N", description = "Size it for N keys; it does not grow.")
  @Nullable Long keys;

  @Option(names = "--bits", paramLabel = "M", description = "The exact size; it does not grow.")
  @Nullable Long bits;

  @Option(names = "--layout", paramLabel = "LAYOUT", description = "blocked (default) or classic.")
  Layout.Family layout = Layout.Family.BLOCKED;

  @Option(names = "--longs", description = "Keys will be decimal longs, hashed as 8 bytes.")
  boolean longs;

  @Mixin HashingOptions hashing = new HashingOptions();

  @Override
  int run(JedisBits server) throws IOException {
    HashScheme scheme = hashing.scheme().withKeyType(longs ? KeyType.LONGS : KeyType.TEXT);
    double rate = fpp == null ? Size.DEFAULT_FPP : fpp;
    SharedBloomFilter filter;
    if (keys == null && bits == null) {
      filter =
          SharedBloomFilter.create(
              server, name, ScalableBloomFilter.builder().fpp(rate).layout(layout).plan(), scheme);
    } else {
      BloomFilter.Builder builder = BloomFilter.builder().layout(layout);
      Optional.ofNullable(keys).ifPresent(builder::keys);
      Optional.ofNullable(bits).ifPresent(builder::bits);
      if (bits == null || keys == null || fpp != null) {
        builder.fpp(rate);
      }
      filter = SharedBloomFilter.create(server, name, builder.plan(), scheme);
    }
    return report(
        new Report()
            .field("name", name)
            .field("kind", filter.kind().word())
            .field("layout", Numbers.LayoutWord.of(filter.layout().family()))
            .add("filter", name, filter.kind().word())
            .both("bits", filter.bits())
            .both("hashes", filter.plan().hashes()));
  }
}
