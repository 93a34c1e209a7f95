package dev.bellows.cli.verbs;

import dev.bellows.Durable;
import dev.bellows.FilterStats;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.keys.TimeOptions;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.DurableFolders;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.cli.kinds.RetuneOptions;
import dev.bellows.cli.kinds.WindowAdapter;
import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Sync;
import dev.bellows.internal.files.AtomicFile;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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
public final class Add extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter.")
  String file;

  @Parameters(
      index = "1..*",
      paramLabel = "INPUT",
      description = "Files of keys; - or none is standard input.")
  List<String> inputs = List.of();

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();

  @Mixin TimeOptions times = new TimeOptions();

  @Mixin RetuneOptions retune = new RetuneOptions();
  @Mixin RateLimit limit = new RateLimit();

  @Override
  public Integer call() throws IOException {
    boolean piped = file.equals("-");
    if (piped && (inputs.isEmpty() || inputs.contains("-"))) {
      throw misuse("standard input can be the filter or the keys, not both: name a file of keys");
    }
    if (piped && json) {
      throw misuse("the filter and --json both need standard output: name the filter's file");
    }
    if (piped) {
      KindAdapter<?> adapter = opened();
      put(adapter);
      retune.apply(adapter.filter, file);
      judge(adapter, adapter.filter.stats());
      NamedFiles.write(console(), file, adapter.filter::writeTo);
      return OK;
    }
    for (String input : inputs) {
      if (NamedFiles.same(input, file)) {
        throw misuse("the input " + input + " is the filter itself: name a file of keys");
      }
    }
    if (DurableFolders.isDurable(file)) {
      return addToFolder();
    }
    NamedFiles.requireOneName(file);
    try (AtomicFile target = NamedFiles.lock(console(), file)) {
      KindAdapter<?> adapter = opened();
      KindAdapter.Changes changes = put(adapter);
      retune.apply(adapter.filter, file);
      FilterStats stats = adapter.filter.stats();
      judge(adapter, stats);
      target.replace(adapter.filter::writeTo);
      report(
          report(adapter, changes.lines(), changes.changed(), stats)
              .field("bytes", adapter.filter.sizeInBytes()));
    }
    return OK;
  }

  /**
   * A folder is not replaced: keys are put into a copy of its filter, which is judged like that of
   * a file, and then into its journal.
   */
  private Integer addToFolder() throws IOException {
    try (DurableFilter<Durable> folder =
        DurableFolders.open(file, schemeOptions.scheme(), Sync.NEVER)) {
      DurableFolders.requireOwn(folder, file, schemeOptions, "add to");
      Durable copy = folder.copy();
      KindAdapter<?> adapter = Adapters.of(copy);
      requireKeys(adapter);
      KeyCode code = KeyCode.hashes(copy.hashScheme());
      KeyInput input = new KeyInput(console(), inputs, keyOptions).withTimes(times);
      DurableFolders.Pending pending = new DurableFolders.Pending();
      long[] fresh = {0};
      long lateBefore = adapter instanceof WindowAdapter window ? window.filter.lateKeys() : 0;
      long lines =
          adapter instanceof WindowAdapter window
              ? input.forEachTimed(
                  code,
                  (hash, millis) -> {
                    long late = window.filter.lateKeys();
                    fresh[0] += window.isFresh(hash, millis) ? 1 : 0;
                    if (window.filter.lateKeys() == late) {
                      pending.add(hash, millis);
                    }
                  })
              : input.forEach(code, pending.trying(copy::putHash));
      judge(adapter, copy.stats());
      pending.putInto(folder);
      folder.checkpoint();
      if (adapter instanceof WindowAdapter window) {
        window.noteLate(lateBefore, console());
      }
      FilterStats stats = folder.stats();
      long changed = adapter instanceof WindowAdapter ? fresh[0] : pending.count();
      report(DurableFolders.addTo(report(adapter, lines, changed, stats), file, folder));
    }
    return OK;
  }

  private KindAdapter<?> opened() throws IOException {
    KindAdapter<?> adapter = FilterFiles.open(console(), file, schemeOptions);
    requireKeys(adapter);
    return adapter;
  }

  private void requireKeys(KindAdapter<?> adapter) {
    Ability.PUT.require(adapter, file);
    keyOptions.follow(adapter.filter.hashScheme().keyType(), NamedFiles.name(file));
    if (times.isGiven() && !(adapter instanceof WindowAdapter)) {
      throw misuse(
          "--time-field and --time-format are only valid with kind window: %s is of kind %s",
          NamedFiles.name(file), adapter.filter.kind().word());
    }
  }

  private KindAdapter.Changes put(KindAdapter<?> adapter) throws IOException {
    return adapter.put(new KeyInput(console(), inputs, keyOptions).withTimes(times));
  }

  /** Refuses to replace the filter by a useless one, and warns of a poor one. */
  private void judge(KindAdapter<?> adapter, FilterStats stats) {
    limit.check(console(), adapter, RateLimit.filled(adapter, stats, NamedFiles.name(file)));
  }

  private Report report(KindAdapter<?> adapter, long lines, long changed, FilterStats stats) {
    return new Report()
        .field("file", file)
        .field("kind", stats.kind().word())
        .both("lines", lines)
        .both("new", adapter.newWord(), changed)
        .keys(stats)
        .fpp(stats.expectedFpp());
  }
}
