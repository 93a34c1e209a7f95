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

/** {@code bellows remove}: keys out of a filter file, where its kind can. */
@Command(
    name = "remove",
    description = {
      "Takes keys, one per line, out of the filter in FILE, which is replaced as a whole.",
      "Keys that are surely not in it are refused one by one and counted. Remove only what was put: a key that passes by chance takes others with it."
    },
    footerHeading = "%nExample:%n",
    footer = "  echo obsolete | bellows remove words.counting")
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
    if (file.equals("-")) {
      throw misuse("the filter is updated in place: name its file");
    }
    RemovableKeys filter =
        FilterFiles.removing(
            FilterFiles.readForKeys(console(), file, schemeOptions, keyOptions), file);
    long[] counts = {0, 0};
    long lines =
        OnceEach.forEach(
            filter,
            visitor -> keyOptions.scan(console(), inputs, filter.hashScheme(), visitor),
            hash -> counts[filter.removeHash(hash) ? 0 : 1]++);
    FilterFiles.write(console(), file, filter);
    report(lines, counts[0], counts[1], filter.stats());
    return lines > 0 && counts[0] == 0 ? Main.NOTHING : Main.OK;
  }

  private void report(long lines, long removed, long absent, FilterStats stats) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", file);
    fields.put("kind", stats.kind().word());
    fields.put("lines", lines);
    fields.put("removed", removed);
    fields.put("absent", absent);
    fields.put("approximateKeys", Json.keys(stats));
    fields.put("expectedFpp", stats.expectedFpp());
    fields.put("bytes", stats.bytes());
    report(
        fields,
        new Text.Facts()
            .add("lines", Text.count(lines))
            .add("removed", Text.count(removed))
            .add("surely absent", Text.count(absent))
            .add("keys, estimated", Text.keys(stats))
            .add("false positives", Text.rate(stats.expectedFpp()))
            .toString());
  }
}
