package dev.bellows.cli;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.KeyFilter;
import dev.bellows.RangeBloomFilter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bellows add}: more keys into a filter file. */
@Command(
    name = "add",
    description = {
      "Adds keys, one per line, to the filter in FILE, which is replaced as a whole.",
      "With - as FILE the filter is read from standard input and written to standard output."
    },
    footerHeading = "%nExample:%n",
    footer = {"  bellows add words.bloom new-words.txt", "  echo bellow | bellows add words.bloom"})
final class Add extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter.")
  @SuppressWarnings("NullAway.Init")
  String file;

  @Parameters(
      index = "1..*",
      paramLabel = "INPUT",
      description = "Files of keys; - or none is standard input.")
  List<String> inputs = List.of();

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();

  @Override
  public Integer call() throws IOException {
    boolean piped = file.equals("-");
    if (piped && (inputs.isEmpty() || inputs.contains("-"))) {
      throw misuse("standard input can be the filter or the keys, not both: name a file of keys");
    }
    if (piped && json) {
      throw misuse("the filter and --json both want standard output: name the filter's file");
    }
    Filter filter = FilterFiles.readForKeys(console(), file, schemeOptions, keyOptions);
    long[] changed = {0};
    long lines =
        filter instanceof RangeBloomFilter range
            ? addLines(range, changed)
            : addKeys(FilterFiles.taking(filter, file), changed);
    FilterFiles.write(console(), file, filter);
    if (!piped) {
      report(lines, changed[0], filter.stats());
    }
    return Main.OK;
  }

  private long addKeys(KeyFilter filter, long[] changed) throws IOException {
    return OnceEach.forEach(
        filter,
        visitor -> keyOptions.scan(console(), inputs, filter.hashScheme(), visitor),
        hash -> changed[0] += filter.putHash(hash) ? 1 : 0);
  }

  private long addLines(RangeBloomFilter filter, long[] changed) throws IOException {
    RangeLine line = new RangeLine(filter);
    return keyOptions.scanLines(
        console(),
        inputs,
        filter.hashScheme(),
        text -> changed[0] += line.put(text, console()::say) ? 1 : 0);
  }

  private void report(long lines, long changed, FilterStats stats) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", file);
    fields.put("kind", stats.kind().word());
    fields.put("lines", lines);
    fields.put("new", changed);
    fields.put("approximateKeys", Json.keys(stats));
    fields.put("expectedFpp", stats.expectedFpp());
    fields.put("bytes", stats.bytes());
    report(
        fields,
        new Text.Facts()
            .add("lines", Text.count(lines))
            .add("surely new", Text.count(changed))
            .add("keys, estimated", Text.keys(stats))
            .add("false positives", Text.rate(stats.expectedFpp()))
            .toString());
  }
}
