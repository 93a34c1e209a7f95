package dev.bellows.cli.verbs;

import dev.bellows.Durable;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.DurableFolders;
import dev.bellows.cli.kinds.DurableFolders.Pending;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.KindAdapter.Changes;
import dev.bellows.durable.DurableFilter;
import dev.bellows.internal.files.AtomicFile;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What {@code add} and {@code remove} share: keys that change a filter in its file or folder. */
abstract class Update extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter.")
  String file;

  @Parameters(
      index = "1..*",
      paramLabel = "INPUT",
      description = "Files of keys; - or none is standard input.")
  List<String> inputs = List.of();

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();

  /** What a kind must be able to do. */
  private final Ability ability;

  Update(Ability ability) {
    this.ability = ability;
  }

  @Override
  public Integer call() throws IOException {
    for (String input : inputs) {
      if (NamedFiles.same(input, file)) {
        throw misuse("the input " + input + " is the filter itself: name a file of keys");
      }
    }
    if (DurableFolders.isDurable(file)) {
      return updateFolder();
    }
    NamedFiles.requireOneName(file);
    try (AtomicFile target = NamedFiles.lock(console(), file)) {
      KindAdapter<?> adapter = FilterFiles.open(console(), file, schemeOptions);
      Changes changes = changed(adapter, null);
      Report report = judged(adapter, changes);
      target.replace(adapter.filter::writeTo);
      reportSummary(report.field("bytes", adapter.filter.sizeInBytes()));
      return exitCode(changes);
    }
  }

  /**
   * A folder is not replaced: keys change a copy of its filter, which is judged like that of a
   * file, and then its journal.
   */
  private int updateFolder() throws IOException {
    try (DurableFilter<Durable> folder =
        DurableFolders.open(file, FilterFiles.scheme(file, schemeOptions))) {
      DurableFolders.requireOwn(folder, file, schemeOptions, ability);
      KindAdapter<?> adapter = Adapters.of(folder.copy());
      Pending pending = new Pending();
      Changes changes = changed(adapter, pending);
      Report report = judged(adapter, changes);
      pending.applyTo(folder, ability);
      folder.checkpoint();
      reportSummary(DurableFolders.addTo(report, file, folder));
      return exitCode(changes);
    }
  }

  /** Changes a filter that is able to by every key, and adds those that changed it to a list. */
  final Changes changed(KindAdapter<?> adapter, @Nullable Pending pending) throws IOException {
    ability.require(adapter, file);
    keyOptions.follow(adapter.filter.hashScheme().keyType(), NamedFiles.name(file));
    return change(adapter, new KeyInput(console(), inputs, keyOptions), pending);
  }

  abstract Changes change(KindAdapter<?> adapter, KeyInput input, @Nullable Pending pending)
      throws IOException;

  /** Refuses changes that must not be written, and returns the report of others. */
  abstract Report judged(KindAdapter<?> adapter, Changes changes);

  abstract int exitCode(Changes changes);
}
