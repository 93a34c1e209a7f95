package dev.bellows.cli.redis;

import dev.bellows.cli.console.Report;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.Lines;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows redis query}: which keys a filter of a server may have. */
@Command(
    name = "query",
    description = {
      "Prints the keys that may be in a filter of a server, like grep; without KEY, of standard input.",
      "A key that is not printed is certainly not in it."
    },
    footer = "  bellows redis query --url redis://localhost users ann bob")
final class RedisQuery extends RedisVerb {
  @Parameters(index = "1..*", paramLabel = "KEY", description = "Keys to query.")
  List<String> keys = List.of();

  @Option(
      names = {"-v", "--invert"},
      description = "Print the keys that are not accepted.")
  boolean invert;

  @Option(
      names = {"-c", "--count"},
      description = "Print the number of keys only.")
  boolean count;

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();

  private final List<String> listed = new ArrayList<>();
  private final Lines.Page page = new Lines.Page();
  private long asked;
  private long selected;

  @Override
  int run(JedisBits bits) throws IOException {
    SharedBloomFilter filter = open(bits, schemeOptions);
    keyOptions.follow(filter.hashScheme().keyType(), name);
    if (keys.isEmpty()) {
      keyOptions.scan(console(), List.of(), lines -> answer(filter, lines));
    } else {
      answer(filter, Lines.of(keys.stream().map(keyOptions::bytes).toList()));
    }
    if (json) {
      long found = invert ? asked - selected : selected;
      Report fields = new Report().field("name", name).field("asked", asked).field("found", found);
      report(count ? fields : fields.field("keys", listed));
    } else if (count) {
      console().print(selected + "\n");
    }
    return selected > 0 ? OK : NOTHING;
  }

  private void answer(SharedBloomFilter filter, Lines lines) throws IOException {
    lines.pass(
        KeyCode.hashes(filter.hashScheme()),
        keyOptions.isLongs(),
        (hashes, length) -> {
          boolean[] hits = new boolean[length];
          filter.countMightContainHashes(hashes, 0, length, hits);
          asked += length;
          page.reset();
          for (int i = 0; i < length; i++) {
            if (hits[i] == invert) {
              continue;
            }
            selected++;
            if (json && !count) {
              listed.add(lines.text(i));
            } else if (!count) {
              page.add(lines, i);
            }
          }
          page.writeTo(console().out());
        });
  }
}
