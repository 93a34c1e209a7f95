package dev.bellows.cli.plan;

import dev.bellows.answers.PlanFields;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Table;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.base.Prose;
import dev.bellows.plan.CapacityPlan;
import dev.bellows.plan.CapacityPlan.Candidate;
import dev.bellows.plan.CapacityPlan.KeyRange;
import dev.bellows.plan.CapacityPlan.LadderFit;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bellows plan capacity}: a size that folds well. */
@Command(
    name = "capacity",
    description = {
      "Chooses the size of a filter that will be folded.",
      "There are three forms:",
      "  --from X --within Z --smooth Y: the Y-smooth numbers in [X, X+Z] and the one with the most"
          + " divisors;",
      "  --keys A..B --fpp P --tolerance E: the capacity whose ladder serves every number of keys"
          + " from A to B with the least waste;",
      "  --now N --arrivals R --horizon T --fpp P --tolerance E: the same for N keys now and R more"
          + " per unit of time."
    },
    footer = {
      "  bellows plan capacity --from 50000 --within 1000 --smooth 11",
      "  bellows plan capacity --keys 1k..1M --fpp 1%% --tolerance 0.2%%"
    })
final class PlanCapacity extends Verb {
  private static final int MOST_ROWS = 25;

  @Option(names = "--keys", paramLabel = "A..B", description = "The numbers of keys to serve.")
  @Nullable KeyRange keys;

  @Option(names = "--fpp", paramLabel = "P", description = "The target false positive rate.")
  @Nullable Double fpp;

  @Option(names = "--tolerance", paramLabel = "E", description = "How far the rate may deviate.")
  @Nullable Double tolerance;

  @Option(
      names = "--memory",
      paramLabel = "F",
      converter = Numbers.Amount.class,
      description = "Capacity over the largest need, at most (default: 10).")
  double memory = CapacityPlan.MEMORY;

  @Mixin PlanLayout planLayout = new PlanLayout();

  @ArgGroup(validate = false, heading = "%nKeys as a forecast:%n", order = 10)
  Forecast forecast = new Forecast();

  @ArgGroup(validate = false, heading = "%nSmooth numbers:%n", order = 20)
  Smooth smooths = new Smooth();

  /** Numbers of keys to come. */
  static final class Forecast {
    @Option(names = "--now", paramLabel = "N", description = "Keys at present.")
    @Nullable Long now;

    @Option(
        names = "--arrivals",
        paramLabel = "R",
        converter = Numbers.Rate.class,
        description = "New keys per unit of time, e.g. 10k or 0.5.")
    @Nullable Double arrivals;

    @Option(
        names = "--horizon",
        paramLabel = "T",
        converter = Numbers.Rate.class,
        description = "How many units of time ahead.")
    @Nullable Double horizon;

    @Nullable KeyRange range() {
      return now == null || arrivals == null || horizon == null
          ? null
          : KeyRange.forecast(now, arrivals, horizon);
    }
  }

  /** An interval and the primes that are allowed in it. */
  static final class Smooth {
    @Option(names = "--from", paramLabel = "X", description = "Where the interval begins.")
    @Nullable Long from;

    @Option(names = "--within", paramLabel = "Z", description = "How long it is.")
    @Nullable Long within;

    @Option(names = "--smooth", paramLabel = "Y", description = "The largest prime factor allowed.")
    @Nullable Long smooth;
  }

  @Override
  public Integer call() throws IOException {
    if (smooths.from != null && smooths.within != null && smooths.smooth != null) {
      CapacityPlan.Smooth found = CapacityPlan.smooth(smooths.from, smooths.within, smooths.smooth);
      return report(PlanFields.smooth(found), json ? "" : page(found));
    }
    KeyRange range = keys == null ? forecast.range() : keys;
    if (range == null || fpp == null || tolerance == null) {
      throw misuse(
          "give --from --within --smooth, or --keys A..B --fpp --tolerance, or --now --arrivals"
              + " --horizon --fpp --tolerance");
    }
    CapacityPlan plan = CapacityPlan.of(range, fpp, tolerance, memory, planLayout.layout);
    return report(PlanFields.capacity(plan), json ? "" : page(plan));
  }

  private String page(CapacityPlan.Smooth found) {
    if (found.best() == null) {
      return "No %d-smooth number in that interval: allow larger primes (--smooth) or a longer one (--within).\n"
          .formatted(smooths.smooth);
    }
    Table table = new Table("", "bits", "divisors");
    List<Candidate> all = found.candidates();
    for (Candidate candidate : all.subList(0, Math.min(all.size(), MOST_ROWS))) {
      String mark = candidate.equals(found.best()) ? ">" : "";
      table.row(mark, candidate.number(), candidate.divisors());
    }
    return table
        + (all.size() > MOST_ROWS ? Prose.format("  and %,d more\n", all.size() - MOST_ROWS) : "")
        + Prose.format(
            "\nBest: %,d bits fold to %,d sizes.\n",
            found.best().number(), found.best().divisors());
  }

  private String page(CapacityPlan plan) {
    Table table = new Table("capacity", "bits", "mean oversize", "worst", "in band");
    addRow(table, "> chosen", plan.fit());
    addRow(table, "highly composite", plan.highlyComposite());
    addRow(table, "power of two", plan.powersOfTwo());
    return Prose.format(
            "%,d to %,d keys need %,d to %,d bits (%d hashes).\n\n",
            plan.keys().fewest(),
            plan.keys().most(),
            plan.smallestNeed(),
            plan.largestNeed(),
            plan.hashes())
        + table
        + Prose.format(
            "\n"
                + "The capacity is %.1f x the largest need and stays in memory; folding saves"
                + " bandwidth and cache.\n"
                + "\"In band\" counts every divisor; an elastic filter keeps some headroom"
                + " besides.\n\n",
            (double) plan.capacity() / plan.largestNeed())
        + picture(plan)
        + Prose.format(
            "\nIn Java:\n  ElasticBloomFilter.builder().capacity(%dL).fpp(%s).tolerance(%s)"
                + ".layout(Layout.Family.%s).build()\n",
            plan.capacity(), fpp, tolerance, planLayout.layout);
  }

  private static void addRow(Table table, String name, LadderFit fit) {
    table.row(
        name,
        fit.capacity(),
        Prose.format("%.3f x", fit.meanOversize()),
        Prose.format("%.3f x", fit.worstOversize()),
        Prose.format("%.1f %%", 100 * fit.bandShare()));
  }

  /** Where the sizes of the ladder lie between the smallest and the largest need. */
  private String picture(CapacityPlan plan) {
    int width = 72;
    StringBuilder line = new StringBuilder(".".repeat(width));
    double low = Math.log(plan.smallestNeed());
    double span = Math.max(1e-9, Math.log(plan.largestNeed()) - low);
    for (long bits : plan.serving()) {
      int at = (int) Math.round((Math.log(bits) - low) / span * (width - 1));
      if (at >= 0 && at < width) {
        line.setCharAt(at, '|');
      }
    }
    return "Sizes of the ladder, logarithmic, from the smallest need to the largest:\n  %s\n"
        .formatted(line);
  }
}
