package dev.bellows.cli.verbs;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.TimeOptions;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.DurableFolders.Pending;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.KindAdapter.Changes;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.cli.kinds.RetuneOptions;
import dev.bellows.cli.kinds.WindowAdapter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bellows add}: more keys into a filter file. */
@Command(
    name = "add",
    description = {
      "Adds keys, one per line, to the filter in FILE, which is replaced atomically. Symbolic links"
          + " are followed; a file with several hard links is refused, because the others would"
          + " keep the old filter.",
      "FILE may also be the folder of a durable filter, as uniq --state DIR/ makes it: then keys"
          + " are written to its journal, group by group, when all lines were read.",
      "With - as FILE the filter is read from standard input and written to standard output.",
      "A filter that would accept more than half of all absent keys is not written, and FILE stays"
          + " unchanged; --max-fpp allows it.",
      "Thresholds given for a filter of kind autoscale are stored in it."
    },
    footer = {
      "  bellows add words.bloom new-words.txt",
      "  echo bellow | bellows add words.bloom",
      "  bellows add seen.window --time-field 1 --field 2 today.tsv",
      "  bellows add keys.auto --min-tpr 95%% < /dev/null"
    })
public final class Add extends Update {
  @Mixin TimeOptions times = new TimeOptions();

  @Mixin RetuneOptions retune = new RetuneOptions();
  @Mixin RateLimit limit = new RateLimit();

  public Add() {
    super(Ability.PUT);
  }

  @Override
  public Integer call() throws IOException {
    if (!file.equals("-")) {
      return super.call();
    }
    if (inputs.isEmpty() || inputs.contains("-")) {
      throw misuse("standard input can be the filter or the keys, not both: name a file of keys");
    }
    if (json) {
      throw misuse("the filter and --json both need standard output: name the filter's file");
    }
    KindAdapter<?> adapter = FilterFiles.open(console(), file, schemeOptions);
    judged(adapter, changed(adapter, null));
    NamedFiles.write(console(), file, adapter.filter::writeTo);
    return OK;
  }

  @Override
  Changes change(KindAdapter<?> adapter, KeyInput input, @Nullable Pending pending)
      throws IOException {
    if (times.isGiven() && !(adapter instanceof WindowAdapter)) {
      throw misuse(
          "--time-field and --time-format are only valid with kind window: %s is of kind %s",
          NamedFiles.name(file), adapter.filter.kind().word());
    }
    Changes changes = adapter.put(input.withTimes(times), pending);
    retune.apply(adapter.filter, file);
    return changes;
  }

  /** Refuses to replace the filter by a useless one, and warns of a poor one. */
  @Override
  Report judged(KindAdapter<?> adapter, Changes changes) {
    FilterStats stats = adapter.filter.stats();
    limit.check(console(), adapter, RateLimit.filled(adapter, stats, NamedFiles.name(file)));
    return new Report()
        .field("file", file)
        .field("kind", stats.kind().word())
        .both("lines", changes.lines())
        .both("new", adapter.newWord(), changes.changed())
        .keys(stats)
        .fpp(stats.expectedFpp());
  }

  @Override
  int exitCode(Changes changes) {
    return OK;
  }
}
