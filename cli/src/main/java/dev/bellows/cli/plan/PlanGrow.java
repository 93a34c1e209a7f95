package dev.bellows.cli.plan;

import dev.bellows.answers.Growth;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Table;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bellows plan grow}: the filters that grow, next to each other. */
@Command(
    name = "grow",
    description = {
      "Plans the three filters that grow and says what each takes with this many keys:",
      "scalable (levels that double), partition (a tree over ids, here evenly spread) and"
          + " fingerprint (prefixes of hashes)."
    },
    footer = "  bellows plan grow --keys 40k --fpp 1%% --horizon 1G")
final class PlanGrow extends Verb {
  @Option(
      names = "--keys",
      paramLabel = "N",
      required = true,
      description = "How many keys there are now.")
  long keys;

  @Option(
      names = "--fpp",
      paramLabel = "F",
      required = true,
      description = "The rate that no number of keys exceeds.")
  double fpp;

  @Option(
      names = "--initial",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Keys of the first level (default: ${DEFAULT-VALUE}).")
  long initial;

  @Option(
      names = "--horizon",
      paramLabel = "N",
      defaultValue = "1G",
      description =
          "Keys up to which levels share the rate equally, and of the fixed filter (default:"
              + " ${DEFAULT-VALUE}).")
  long horizon;

  @Option(
      names = "--universe",
      paramLabel = "U",
      defaultValue = "2^30",
      converter = Numbers.Universe.class,
      description = "How many ids there are, for the tree (default: ${DEFAULT-VALUE}).")
  long universe;

  @Option(
      names = "--unit-keys",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Ids of a unit of the tree, at most (default: ${DEFAULT-VALUE}).")
  long unitKeys;

  @Mixin PlanLayout layout = new PlanLayout();

  @Override
  public Integer call() throws IOException {
    Checks.inRange(0, Growth.MOST_KEYS, keys, "keys");
    Checks.inRange(1, Growth.MOST_KEYS, horizon, "horizon");
    Map<String, @Nullable Object> fields =
        new Growth(fpp, initial, horizon, universe, unitKeys, layout.layout).fields(keys);
    return report(fields, json ? "" : page(fields));
  }

  private String page(Map<String, @Nullable Object> fields) {
    Table table = new Table("filter", "bits", "bits per key", "fpp, at most", "places");
    for (String name : List.of("scalable", "partition", "fingerprint")) {
      addRow(table, name, fields.get(name));
    }
    return Prose.format("%,d keys at a rate of at most %s\n\n", keys, Prose.rate(fpp))
        + table
        + Prose.format(
            "\nOne filter of fixed size for %,d keys takes %,d bits from the start.\n",
            horizon, fields.get("fixedBits"));
  }

  private static void addRow(Table table, String name, @Nullable Object found) {
    if (!(found instanceof Map<?, ?> of)) {
      table.row(name, "-", "-", "-", "too few ids or levels");
      return;
    }
    table.row(
        name,
        Prose.format("%,.0f", of.get("bits")),
        Prose.format("%.2f", of.get("bitsPerKey")),
        of.get("fpp"),
        switch (name) {
          case "scalable" -> of.get("levels") + " levels";
          case "partition" -> Prose.format("1 of %,d leaves", of.get("populatedLeaves"));
          default -> "1 bucket";
        });
  }
}
