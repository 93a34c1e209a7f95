package dev.bellows.cli.plan;

import dev.bellows.answers.PlanFields;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.partition.PartitionPlan;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows plan partition}: the units of a dynamic partition filter. */
@Command(
    name = "partition",
    description = {
      "Plans a filter over the ids [0, universe) that keeps its rate at every size.",
      "It is a tree over 2^depth units, each with room for all its ids at the rate.",
      "The unit size of the paper is Eq. 1; the default mode uses the well-divisible size at or"
          + " above it."
    },
    footer = "  bellows plan partition --universe 2^30 --depth 20 --fpp 1e-4 --hashes 13")
final class PlanPartition extends Verb {
  private static final long DEFAULT_UNIT_KEYS = 1024;

  @Option(
      names = "--universe",
      paramLabel = "U",
      required = true,
      converter = Numbers.Universe.class,
      description = "How many ids there are, e.g. 1G or 2^30, up to 2^63.")
  long universe;

  @Option(
      names = "--depth",
      paramLabel = "D",
      description = "The level of the units (default: units of at most 1024 ids).")
  @Nullable Integer depth;

  @Option(
      names = "--fpp",
      paramLabel = "F",
      required = true,
      description = "The rate that no query exceeds.")
  double fpp;

  @Option(
      names = "--hashes",
      paramLabel = "K",
      description = "Bits per id (default: as many as need the fewest bits).")
  @Nullable Integer hashes;

  @Override
  public Integer call() throws IOException {
    int k = hashes == null ? BloomRates.hashesFor(fpp) : hashes;
    PartitionPlan plan =
        depth == null
            ? PartitionPlan.ofUnitKeys(universe, DEFAULT_UNIT_KEYS, fpp, k)
            : PartitionPlan.of(universe, depth, fpp, k);
    return report(PlanFields.partition(plan), json ? "" : page(plan));
  }

  private static String page(PartitionPlan plan) {
    double exact = plan.unitKeys();
    return new Report()
            .add("units", plan.leaves(), "2^depth, depth " + plan.depth())
            .add("keys of a unit", plan.unitKeys(), "ceil(U / 2^depth)")
            .add("bits of a unit", plan.unitBits(), "Eq. 1: -n k / ln(1 - f^(1/k))")
            .add("allocated", plan.allocatedUnitBits(), "well-divisible, mode exact")
            .add("hashes", plan.hashes())
            .add(
                "bits per key",
                Prose.format("%.2f", plan.unitBits() / (double) plan.unitKeys()),
                "in a full leaf")
            .add(
                "exact set",
                Prose.count(plan.unitKeys()) + " bits",
                Prose.format(
                    "of a whole unit: %.1f times smaller than its filter", plan.unitBits() / exact))
        + "\nIn Java:\n  DynamicPartitionBloomFilter.builder().universe(%s).depth(%d).fpp(%s).hashes(%d).build()\n"
            .formatted(
                plan.universe() < 0 ? "PartitionPlan.MAX_UNIVERSE" : plan.universe() + "L",
                plan.depth(),
                plan.fpp(),
                plan.hashes());
  }
}
