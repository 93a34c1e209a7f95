package dev.bellows.cli.plan;

import dev.bellows.Layout;
import dev.bellows.answers.FoldSteps;
import dev.bellows.answers.PlanFields;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Table;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.base.Prose;
import dev.bellows.plan.FoldPlan;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bellows plan fold}: the size to fold to so that the rate lies in a band. */
@Command(
    name = "fold",
    description = {
      "Plans the folding of a filter of --capacity bits that holds --keys keys, so that its rate"
          + " lies in fpp +- tolerance.",
      "Takes the smallest divisor inside the band, else the smallest one above it, else the"
          + " capacity itself."
    },
    footer = {
      "  bellows plan fold --capacity 55440 --keys 100 --hashes 4 --fpp 1%% \\",
      "    --tolerance 0.2%%"
    })
final class PlanFold extends Verb {
  private static final int ROWS_AROUND = 6;
  private static final int BAR = 40;

  /** Folding step by step reads up to twice as many cells, which are counted in a long. */
  private static final long MOST_BITS = 1L << 62;

  @Option(
      names = "--capacity",
      paramLabel = "M",
      required = true,
      description = "The unfolded size in bits.")
  long capacity;

  @Option(names = "--keys", paramLabel = "N", required = true, description = "Distinct keys in it.")
  long keys;

  @Option(names = "--hashes", paramLabel = "K", required = true, description = "Bits per key.")
  int hashes;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      required = true,
      description = "The target false positive rate.")
  double fpp;

  @Option(
      names = "--tolerance",
      paramLabel = "E",
      required = true,
      description = "How far the rate may deviate, up or down.")
  double tolerance;

  @Mixin PlanLayout planLayout = new PlanLayout();

  @Override
  public Integer call() throws IOException {
    if (capacity > MOST_BITS) {
      throw misuse("--capacity %d is too large: at most %d".formatted(capacity, MOST_BITS));
    }
    FoldPlan plan =
        FoldPlan.of(planLayout.layout.withHashes(hashes), capacity, keys, fpp, tolerance);
    return report(PlanFields.fold(plan), json ? "" : page(plan));
  }

  /** One fold by the product reads every cell once; the same in steps reads some again. */
  private String cost(FoldPlan plan) {
    long[] steps = FoldSteps.elementary(plan.factor()); // in the order that reads the fewest cells
    String factors = Arrays.stream(steps).mapToObj(Prose::count).collect(Collectors.joining(", "));
    return plan.factor() == 1
        ? "nothing to fold"
        : "in one fold; %s in steps by %s"
            .formatted(Prose.count(FoldSteps.cellsRead(PlanFields.cells(plan), steps)), factors);
  }

  private String page(FoldPlan plan) {
    return new Report()
            .add(
                "band", Prose.format("%.6g .. %.6g", Math.max(0, fpp - tolerance), fpp + tolerance))
            .add(
                "sizes in it",
                Prose.format("%,.1f .. %s bits", plan.low(), bound(plan.high())),
                plan.layout() instanceof Layout.Classic
                    ? "m(f) = 1 / (1 - (1 - f^(1/k))^(1/(k n)))"
                    : "mean over the loads of blocks")
            .add("divisors in it", plan.admissible().isEmpty() ? "none" : plan.admissible() + "")
            .add("fold to", Prose.count(plan.target()) + " bits", plan.status().word())
            .add("factor", plan.factor())
            .add("fpp at that size", plan.fppAtTarget())
            .add("cells read", plan.factor() == 1 ? 0 : PlanFields.cells(plan), cost(plan))
        + "\n%s\nIn Java:\n  filter.foldTo(%dL)\n".formatted(ladder(plan), plan.target());
  }

  /** Returns the ladder around the target, with bars for the rates: full is 100 %. */
  private String ladder(FoldPlan plan) {
    long[] sizes = FoldPlan.ladder(capacity, plan.layout().cellBits());
    int at = Arrays.binarySearch(sizes, plan.target());
    Table table = new Table("", "bits", "factor", "fpp", "1e-6 .. 1, logarithmic");
    int from = Math.max(0, at - ROWS_AROUND);
    for (int i = from; i < Math.min(sizes.length, at + ROWS_AROUND + 1); i++) {
      double rate = plan.layout().fpp(sizes[i], keys);
      boolean inside = plan.admissible().contains(sizes[i]);
      String shown = Prose.format("%.4g", rate).replace("e-0", "e-");
      String mark = i == at ? ">" : inside ? "+" : "";
      table.row(mark, sizes[i], capacity / sizes[i], shown, logBar(rate));
    }
    return table.toString();
  }

  /** Returns a real bound that may be infinite. */
  private static String bound(double value) {
    return Double.isInfinite(value) ? "unbounded" : Prose.format("%,.1f", value);
  }

  /** Returns a bar for a rate from 1e-6 to 1 on a logarithmic scale. */
  private static String logBar(double rate) {
    double share = 1 + Math.log10(Math.max(rate, 1e-6)) / 6;
    return Prose.format("%-" + BAR + "s", "#".repeat((int) Math.round(share * BAR)));
  }
}
