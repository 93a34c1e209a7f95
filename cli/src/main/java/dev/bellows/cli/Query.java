package dev.bellows.cli;

import dev.bellows.Membership;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows query}: which keys may be in a filter, like grep. */
@Command(
    name = "query",
    description = {
      "Prints the keys that may be in the filter; the others are surely not.",
      "Keys are the arguments, or without any the lines of standard input. Exit code 1 if no key was printed (or counted)."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  bellows query words.bloom bellows billows",
      "  bellows query --invert words.bloom < essay.txt"
    })
final class Query extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter; - is standard input.")
  @SuppressWarnings("NullAway.Init")
  String file;

  @Parameters(
      index = "1..*",
      paramLabel = "KEY",
      description = "Keys to ask for (after -- also those that begin with a dash).")
  List<String> keys = List.of();

  @Option(names = "--invert", description = "Print the keys that are definitely not in it.")
  boolean invert;

  @Option(names = "--count", description = "Print the number of keys only.")
  boolean count;

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();

  private final List<String> listed = new ArrayList<>();
  private long asked;
  private long selected;

  @Override
  public Integer call() throws IOException {
    if (file.equals("-") && keys.isEmpty()) {
      throw misuse("standard input can be the filter or the keys, not both: give the keys as KEY");
    }
    Membership filter =
        FilterFiles.asking(FilterFiles.readForKeys(console(), file, schemeOptions), file);
    if (keys.isEmpty()) {
      keyOptions.scan(
          console(),
          List.of(),
          filter.hashScheme(),
          (buffer, from, length, hash) -> ask(filter, buffer, from, length, hash));
    }
    for (String key : keys) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      long hash = keyOptions.hash(filter.hashScheme(), key);
      ask(filter, bytes, 0, bytes.length, hash);
    }
    end();
    return selected > 0 ? Main.OK : Main.NOTHING;
  }

  private void ask(Membership filter, byte[] buffer, int from, int length, long hash)
      throws IOException {
    asked++;
    if (filter.mightContainHash(hash) == invert) {
      return;
    }
    selected++;
    if (count) {
      return;
    }
    if (json) {
      listed.add(new String(buffer, from, length, StandardCharsets.UTF_8));
    } else {
      console().out().write(buffer, from, length);
      console().out().write('\n');
    }
  }

  private void end() throws IOException {
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("file", file);
      fields.put("asked", asked);
      fields.put("found", invert ? asked - selected : selected);
      if (!count) {
        fields.put("keys", listed);
      }
      console().print(Json.object(fields));
    } else if (count) {
      console().print(selected + "\n");
    }
  }
}
