package dev.bellows.cli.redis;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bellows redis upload}: the keys of a filter file into a filter of a server. */
@Command(
    name = "upload",
    description = {
      "Puts every key of a filter of kind bloom or scalable into a filter of a server, which is made if it is not there."
    },
    footer = "  bellows redis upload --url redis://localhost users users.bloom")
final class RedisUpload extends RedisVerb {
  @Parameters(index = "1", paramLabel = "FILE", description = "The filter; - is standard input.")
  String file;

  @Override
  int run(JedisBits bits) throws IOException {
    Filter read = FilterFiles.map(console(), file, null);
    SharedBloomFilter filter;
    if (read instanceof BloomFilter local) {
      filter = SharedBloomFilter.openOrCreate(bits, name, local.plan(), local.hashScheme());
      filter.upload(local);
    } else if (read instanceof ScalableBloomFilter local) {
      filter = SharedBloomFilter.openOrCreate(bits, name, local.plan(), local.hashScheme());
      filter.upload(local);
    } else {
      throw new CommandFailure(
          "%s is of kind %s: only filters of kind bloom and scalable are uploaded",
          NamedFiles.name(file), read.kind().word());
    }
    return report(
        new Report()
            .field("name", name)
            .field("kind", filter.kind().word())
            .add("filter", name)
            .both("bits", filter.bits()));
  }
}
