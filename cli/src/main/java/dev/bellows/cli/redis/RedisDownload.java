package dev.bellows.cli.redis;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows redis download}: a filter of a server into a file. */
@Command(
    name = "download",
    description = "Writes a filter of a server to a file, which all other verbs read.",
    footer = "  bellows redis download --url redis://localhost users -o users.bloom")
final class RedisDownload extends RedisVerb {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The filter's file; - is standard output.")
  String output;

  @Override
  int run(JedisBits bits) throws IOException {
    requireOutput(output, List.of());
    Filter filter = SharedBloomFilter.open(bits, name).download();
    NamedFiles.write(console(), output, filter::writeTo);
    if (output.equals("-")) {
      return OK;
    }
    FilterStats stats = filter.stats();
    return report(
        new Report()
            .file(output, filter.sizeInBytes())
            .field("kind", stats.kind().word())
            .both("bits", stats.bits())
            .fpp(stats.expectedFpp()));
  }
}
