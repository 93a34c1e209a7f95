package dev.bellows.cli.verbs;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.DurableFolders.Pending;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.KindAdapter.Changes;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.BloomRates;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
public final class Remove extends Update {
  @Option(
      names = "--strict",
      order = -2, // before the options of all updates
      description = "Remove nothing if one of the keys cannot have been put.")
  boolean strict;

  /** The rate at which an absent key would have been removed from the filter as it was. */
  private double fpp;

  public Remove() {
    super(Ability.REMOVE);
  }

  @Override
  public Integer call() throws IOException {
    if (file.equals("-")) {
      throw misuse("the filter is updated in place: name its file");
    }
    return super.call();
  }

  @Override
  Changes change(KindAdapter<?> adapter, KeyInput input, @Nullable Pending pending)
      throws IOException {
    fpp = adapter.removalFpp();
    return adapter.remove(input, pending);
  }

  @Override
  Report judged(KindAdapter<?> adapter, Changes changes) {
    if (strict && changes.unchanged() > 0) {
      throw new CommandFailure(
          "%s of %s cannot have been put, so nothing was removed (--strict): "
              + "leave out what query --invert prints, or leave out --strict",
          Prose.count(changes.unchanged()), Prose.plural(changes.lines(), "key"));
    }
    double expectedFalse = expectedFalse(changes);
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
        .both(
            "removed",
            changes.changed(),
            expectedFalse > 0
                ? Prose.format("about %.3g of them were never put", expectedFalse)
                : "")
        .field("expectedFalse", expectedFalse)
        .both("absent", adapter.absentWord(), changes.unchanged())
        .keys(stats)
        .fpp(stats.expectedFpp());
  }

  /**
   * Returns the expected number of removed keys that were false positives, estimated from the
   * skipped keys.
   */
  private double expectedFalse(Changes changes) {
    return Double.isNaN(fpp)
        ? Double.NaN
        : changes.changed() - BloomRates.presentAmong(changes.lines(), changes.changed(), fpp);
  }

  @Override
  int exitCode(Changes changes) {
    return changes.lines() > 0 && changes.changed() == 0 ? NOTHING : OK;
  }
}
