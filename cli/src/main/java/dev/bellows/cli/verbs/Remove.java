package dev.bellows.cli.verbs;

import dev.bellows.Durable;
import dev.bellows.FilterStats;
import dev.bellows.KeyFilter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.DurableFolders;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Sync;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.math.BloomRates;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows remove}: removes keys from a filter file, if its kind supports it. */
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
      "Kinds counting and partition, elastic with --counter-bits, and fingerprint with"
          + " --removable.",
      "FILE may also be the folder of a durable filter of such a kind: then removals are written to"
          + " its journal, when all lines were read."
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
    if (DurableFolders.isDurable(file)) {
      return removeFromFolder();
    }
    NamedFiles.requireOneName(file);
    try (AtomicFile target = NamedFiles.lock(console(), file)) {
      KindAdapter<?> adapter = FilterFiles.open(console(), file, schemeOptions);
      Ability.REMOVE.require(adapter, file);
      keyOptions.follow(adapter.filter.hashScheme().keyType(), file);
      double fpp = adapter.removalFpp();
      KindAdapter.Changes changes = adapter.remove(new KeyInput(console(), inputs, keyOptions));
      judge(changes);
      target.replace(adapter.filter::writeTo);
      report(report(adapter, changes, fpp).field("bytes", adapter.filter.sizeInBytes()));
      return exitCode(changes);
    }
  }

  /**
   * A folder is not replaced: keys are removed from a copy of its filter first, and then from the
   * folder, if all of them may be.
   */
  private Integer removeFromFolder() throws IOException {
    try (DurableFilter<Durable> folder =
        DurableFolders.open(file, schemeOptions.scheme(), Sync.NEVER)) {
      DurableFolders.requireOwn(folder, file, schemeOptions, "remove from");
      KindAdapter<?> adapter = Adapters.of(folder.copy());
      Ability.REMOVE.require(adapter, file);
      KeyFilter.Removable copy = (KeyFilter.Removable) adapter.filter;
      keyOptions.follow(copy.hashScheme().keyType(), file);
      double fpp = adapter.removalFpp();
      DurableFolders.Pending pending = new DurableFolders.Pending();
      long lines =
          new KeyInput(console(), inputs, keyOptions)
              .forEach(KeyCode.hashes(copy.hashScheme()), pending.trying(copy::removeHash));
      KindAdapter.Changes changes =
          new KindAdapter.Changes(lines, pending.count(), lines - pending.count());
      judge(changes);
      pending.removeFrom(folder);
      folder.checkpoint();
      report(DurableFolders.addTo(report(adapter, changes, fpp), file, folder));
      return exitCode(changes);
    }
  }

  private void judge(KindAdapter.Changes changes) {
    if (strict && changes.unchanged() > 0) {
      throw new CommandFailure(
          "%s of %s cannot have been put, so nothing was removed (--strict): "
              + "leave out what query --invert prints, or leave out --strict",
          Prose.count(changes.unchanged()), Prose.plural(changes.lines(), "key"));
    }
  }

  private static Integer exitCode(KindAdapter.Changes changes) {
    return changes.lines() > 0 && changes.changed() == 0 ? NOTHING : OK;
  }

  /**
   * Returns the expected number of removed keys that were false positives, estimated from the
   * skipped keys.
   */
  private static double expectedFalse(KindAdapter.Changes changes, double fpp) {
    return Double.isNaN(fpp)
        ? Double.NaN
        : changes.changed() - BloomRates.presentAmong(changes.lines(), changes.changed(), fpp);
  }

  private Report report(KindAdapter<?> adapter, KindAdapter.Changes changes, double fpp) {
    double expectedFalse = expectedFalse(changes, fpp);
    if (expectedFalse >= 1) {
      say(
          "warning: about %s of the removed keys were never put, and other "
              + "keys may be denied now: build the filter again, and remove with "
              + "--strict",
          Prose.count(Math.round(expectedFalse)));
    }
    FilterStats stats = adapter.filter.stats();
    return new Report()
        .field("file", file)
        .field("kind", stats.kind().word())
        .both("lines", changes.lines())
        .both("removed", changes.changed(), remark(expectedFalse))
        .field("expectedFalse", expectedFalse)
        .both("absent", adapter.absentWord(), changes.unchanged())
        .keys(stats)
        .fpp(stats.expectedFpp());
  }

  private static String remark(double expectedFalse) {
    return expectedFalse > 0
        ? Prose.format("about %.3g of them were never put", expectedFalse)
        : "";
  }
}
