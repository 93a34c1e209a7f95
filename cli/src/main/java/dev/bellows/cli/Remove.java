package dev.bellows.cli;

import dev.bellows.FilterStats;
import dev.bellows.RemovableKeys;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bellows remove}: takes keys back from a filter file. */
@Command(
    name = "remove",
    description = {
      "Takes keys, one per line, back from the filter in FILE, which is replaced as a whole.",
      "Remove only what was added: a key that is surely absent is refused, any other is believed. With - as FILE the filter is read from standard input and written to standard output."
    },
    footerHeading = "%nExample:%n",
    footer = "  bellows remove keys.bellows old-keys.txt")
final class Remove extends Verb {
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
    RemovableKeys filter =
        FilterFiles.removing(FilterFiles.readForKeys(console(), file, schemeOptions), file);
    long[] counts = {0, 0};
    long lines =
        OnceEach.forEach(
            filter,
            visitor -> keyOptions.scan(console(), inputs, filter.hashScheme(), visitor),
            hash -> counts[filter.removeHash(hash) ? 0 : 1]++);
    FilterFiles.write(console(), file, filter);
    if (!piped) {
      report(lines, counts[0], counts[1], filter.stats());
    }
    return Main.OK;
  }

  private void report(long lines, long removed, long refused, FilterStats stats)
      throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", file);
    fields.put("kind", stats.kind().word());
    fields.put("lines", lines);
    fields.put("removed", removed);
    fields.put("refused", refused);
    fields.put("approximateKeys", stats.approximateKeys());
    fields.put("expectedFpp", stats.expectedFpp());
    fields.put("bytes", stats.bytes());
    report(
        fields,
        new Text.Facts()
            .add("lines", Text.count(lines))
            .add("removed", Text.count(removed))
            .add("refused", Text.count(refused), refused == 0 ? "" : "surely absent")
            .add("keys, estimated", Text.format("%,.0f", stats.approximateKeys()))
            .add("false positives", Text.rate(stats.expectedFpp()))
            .toString());
  }
}
