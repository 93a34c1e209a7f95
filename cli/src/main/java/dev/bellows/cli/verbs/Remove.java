package dev.bellows.cli.verbs;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.internal.files.AtomicFile;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bellows remove}: keys out of a filter file, where its kind can. */
@Command(
    name = "remove",
    description = {
      "Removes keys, one per line, from the filter in FILE, which is replaced as a whole.",
      "A key that cannot have been put is left out and counted. Remove only what was put: removing a false positive damages other keys.",
      "Kinds counting and partition, elastic with --counter-bits, and fingerprint with --removable."
    },
    footer = "  echo obsolete | bellows remove words.counting")
public final class Remove extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter.")
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
    for (String input : inputs) {
      if (NamedFiles.same(input, file)) {
        throw misuse("the input " + input + " is the filter itself: name a file of keys");
      }
    }
    NamedFiles.requireOneName(file);
    try (AtomicFile target = NamedFiles.lock(console(), file)) {
      KindAdapter<?> adapter = FilterFiles.open(console(), file, schemeOptions);
      Ability.REMOVE.require(adapter, file);
      keyOptions.follow(adapter.hashScheme().keyType(), file);
      KindAdapter.Changes changes = adapter.remove(new KeyInput(console(), inputs, keyOptions));
      target.replace(adapter.filter::writeTo);
      report(adapter, changes);
      return changes.lines() > 0 && changes.changed() == 0 ? NOTHING : OK;
    }
  }

  private void report(KindAdapter<?> adapter, KindAdapter.Changes changes) throws IOException {
    FilterStats stats = adapter.filter.stats();
    report(
        new Report()
            .field("file", file)
            .field("kind", stats.kind().word())
            .both("lines", "lines", changes.lines())
            .both("removed", "removed", changes.changed())
            .both("absent", adapter.absentWord(), changes.unchanged())
            .keys(stats)
            .both("expectedFpp", "false positives", stats.expectedFpp())
            .field("bytes", adapter.filter.sizeInBytes()));
  }
}
