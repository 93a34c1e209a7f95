package dev.bellows.cli.plan;

import dev.bellows.answers.PlanFields;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.frozen.FrozenPlan;
import dev.bellows.internal.base.Prose;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows plan frozen}: the size of a static filter. */
@Command(
    name = "frozen",
    description =
        "Plans a frozen filter, which is built once from all keys: its size, and the memory that building it takes.",
    footer = "  bellows plan frozen --keys 1M --fpp 0.4%%")
final class PlanFrozen extends Verb {
  @Option(names = "--keys", paramLabel = "N", required = true, description = "Distinct keys.")
  long keys;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      required = true,
      description = "Highest false positive rate, e.g. 0.01, 1%%, 1/100.")
  double fpp;

  @Override
  public Integer call() throws IOException {
    FrozenPlan plan = FrozenPlan.of(keys, fpp);
    return report(PlanFields.frozen(plan), json ? "" : page(plan));
  }

  private String page(FrozenPlan plan) {
    return new Report()
            .add("keys", plan.keys())
            .add("false positives", plan.fpp())
            .add(
                "columns",
                Prose.format("%.4g", plan.columns()),
                "log2(1/fpp), one more in a share of the rows")
            .add("bits", plan.bits(), Prose.bytes(plan.bits() / Byte.SIZE))
            .add(
                "bits per key",
                plan.keys() == 0 ? "-" : Prose.format("%.3f", plan.bitsPerKey()),
                Prose.format("the least possible: %.3f", -Math.log(fpp) / Math.log(2)))
            .add("to build", Prose.bytes(plan.buildBytes()), "of memory at most")
        + "\n  FrozenFilter filter = FrozenFilter.builder().fpp(%s).build(hashes);\n"
            .formatted(fpp);
  }
}
