package dev.bellows.cli.verbs;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.math.BloomRates;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows remove}: keys out of a filter file, where its kind can. */
@Command(
    name = "remove",
    description = {
      "Removes keys, one per line, from the filter in FILE, which is replaced atomically.",
      "A key that cannot have been put is skipped and counted. Remove only what was put: removing a"
          + " false positive decrements the counters of other keys, which may then be denied. The"
          + " report estimates from the skipped keys how many of the removed keys were false"
          + " positives.",
      "With --strict, a batch that contains a key that cannot have been put is refused as a whole,"
          + " and FILE stays unchanged.",
      "Kinds counting and partition, elastic with --counter-bits, and fingerprint with --removable."
    },
    footer = {
      "  echo obsolete | bellows remove words.counting",
      "  bellows remove --strict users.counting left.txt"
    })
public final class Remove extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter.")
  String file;

  @Parameters(
      index = "1..*",
      paramLabel = "INPUT",
      description = "Files of keys; - or none is standard input.")
  List<String> inputs = List.of();

  @Option(
      names = "--strict",
      description = "Remove nothing if one of the keys cannot have been put.")
  boolean strict;

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
      double fpp = adapter.removalFpp();
      KindAdapter.Changes changes = adapter.remove(new KeyInput(console(), inputs, keyOptions));
      if (strict && changes.unchanged() > 0) {
        throw new CommandFailure(
            ("%s of %s cannot have been put, so nothing was removed (--strict): "
                    + "leave out what query --invert prints, or leave out --strict")
                .formatted(Prose.count(changes.unchanged()), Prose.plural(changes.lines(), "key")));
      }
      target.replace(adapter.filter::writeTo);
      report(adapter, changes, expectedFalse(changes, fpp));
      return changes.lines() > 0 && changes.changed() == 0 ? NOTHING : OK;
    }
  }

  /** Returns how many removed keys were false positives, as the skipped keys let expect. */
  private static double expectedFalse(KindAdapter.Changes changes, double fpp) {
    return Double.isNaN(fpp)
        ? Double.NaN
        : changes.changed() - BloomRates.presentAmong(changes.lines(), changes.changed(), fpp);
  }

  private void report(KindAdapter<?> adapter, KindAdapter.Changes changes, double expectedFalse)
      throws IOException {
    if (expectedFalse >= 1) {
      console()
          .say(
              ("warning: about %s of the removed keys were never put, and other "
                      + "keys may be denied now: build the filter again, and remove with "
                      + "--strict")
                  .formatted(Prose.count(Math.round(expectedFalse))));
    }
    FilterStats stats = adapter.filter.stats();
    report(
        new Report()
            .field("file", file)
            .field("kind", stats.kind().word())
            .both("lines", "lines", changes.lines())
            .both("removed", "removed", changes.changed(), remark(expectedFalse))
            .field("expectedFalse", expectedFalse)
            .both("absent", adapter.absentWord(), changes.unchanged())
            .keys(stats)
            .both("expectedFpp", "false positives", stats.expectedFpp())
            .field("bytes", adapter.filter.sizeInBytes()));
  }

  private static String remark(double expectedFalse) {
    return expectedFalse > 0
        ? Prose.format("about %.3g of them were never put", expectedFalse)
        : "";
  }
}
