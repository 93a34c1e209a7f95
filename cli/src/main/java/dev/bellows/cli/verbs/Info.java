package dev.bellows.cli.verbs;

import dev.bellows.Durable;
import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.Foldable;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Table;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.DurableFolders;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.ForeignOptions;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.RetuneOptions;
import dev.bellows.durable.DurableFilter;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.foreign.ForeignFilter.Stats;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows info}: what a filter file holds. */
@Command(
    name = "info",
    description =
        "Describes a filter file: its size, its fill, its rate, and the sizes it folds to.",
    footer = {
      "  bellows info words.bloom",
      "  bellows info words.bloom --ladder",
      "  bellows info users.guava --format guava",
      "  bellows info keys.auto --theta 4 --decision 65"
    })
public final class Info extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter; - is standard input.")
  String file;

  @Option(
      names = "--ladder",
      description = "Show every size it folds to, not only the useful ones; --json always does.")
  boolean all;

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin ForeignOptions foreignOptions = new ForeignOptions();
  @Mixin RetuneOptions retune = new RetuneOptions();

  @Override
  public Integer call() throws IOException {
    foreignOptions.refuseOurs(schemeOptions, retune);
    ForeignFilter foreign = foreignOptions.read(console(), file);
    if (foreign != null) {
      console()
          .print(json ? Json.object(fields(foreign)) : foreign.explain() + steps(foreign.ladder()));
      return OK;
    }
    if (DurableFolders.isDurable(file)) {
      try (DurableFilter<Durable> folder = DurableFolders.read(file, schemeOptions.scheme())) {
        Map<String, @Nullable Object> fields = folder.read(Info::fields);
        DurableFolders.addFields(fields, folder);
        console().print(json ? Json.object(fields) : folder.explain());
      }
      return OK;
    }
    Filter filter = retune.read(FilterFiles.map(console(), file, schemeOptions.scheme()), file);
    console().print(json ? Json.object(fields(filter)) : filter.explain() + steps(steps(filter)));
    return OK;
  }

  /** Returns the sizes that a filter folds to; empty for kinds that do not fold. */
  private static List<FoldSize> steps(Filter filter) {
    return filter instanceof Foldable<?> foldable ? List.copyOf(foldable.ladder()) : List.of();
  }

  /** Returns the ladder as a table: the useful steps, or all of them. */
  private String steps(List<FoldSize> sizes) {
    List<FoldSize> shown = all ? sizes : ShortLadder.of(sizes);
    if (sizes.size() < 2 || shown.isEmpty()) {
      return "";
    }
    Table table = new Table("bits", "folded by", "false positives");
    shown.forEach(size -> table.row(size.bits(), size.factor(), size.expectedFpp()));
    String rest =
        shown.size() == sizes.size()
            ? ""
            : "  %d of %d sizes; all of them: --ladder\n".formatted(shown.size(), sizes.size());
    return "\n" + table + rest;
  }

  private static Map<String, @Nullable Object> fields(Filter filter) {
    FilterStats stats = filter.stats();
    KindAdapter<?> adapter = Adapters.of(filter);
    KindAdapter.FileSize size = adapter.size(stats);
    HashScheme scheme = stats.hashScheme();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("kind", stats.kind().word());
    fields.put("layout", Numbers.LayoutWord.of(stats.family()));
    fields.put("pattern", Json.pattern(stats));
    fields.put("bits", size.bits());
    fields.put("hashes", stats.hashes());
    fields.put("scheme", scheme.word());
    fields.put("seed", scheme.isKeyed() ? null : scheme.identity());
    fields.put("keyTag", scheme.isKeyed() ? Long.toHexString(scheme.identity()) : null);
    fields.put("keyType", scheme.keyType().word());
    fields.put("ones", stats.ones());
    fields.put("fill", stats.fill());
    fields.put("approximateKeys", Json.keys(stats));
    fields.put("expectedFpp", stats.expectedFpp());
    fields.put("bytes", size.bytes());
    adapter.addFields(fields, size);
    List<FoldSize> steps = adapter.ladder();
    fields.put(
        "ladder",
        ladder(
            steps.isEmpty() ? List.of(new FoldSize(size.bits(), 1, stats.expectedFpp())) : steps));
    return fields;
  }

  private static Map<String, Object> fields(ForeignFilter filter) {
    Stats stats = filter.stats();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("format", stats.format().word());
    fields.put("kind", FilterKind.BLOOM.word());
    fields.put(
        "layout",
        Numbers.LayoutWord.of(
            stats.format() == Format.PARQUET ? Layout.Family.BLOCKED : Layout.Family.CLASSIC));
    fields.put("bits", stats.bits());
    fields.put("hashes", stats.hashes());
    fields.put("scheme", stats.variant());
    fields.put("seed", stats.seed());
    fields.put("ones", stats.ones());
    fields.put("fill", stats.fill());
    fields.put(
        "approximateKeys", stats.ones() == stats.bits() ? null : (Double) stats.approximateKeys());
    fields.put("expectedFpp", stats.expectedFpp());
    fields.put("bytes", stats.bytes());
    fields.put("ladder", ladder(filter.ladder()));
    return fields;
  }

  private static List<Map<String, @Nullable Object>> ladder(List<FoldSize> sizes) {
    return sizes.stream()
        .map(step -> Json.fields("bits", step.bits(), "expectedFpp", step.expectedFpp()))
        .toList();
  }
}
