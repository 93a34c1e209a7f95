package dev.bellows.cli.plan;

import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Table;
import dev.bellows.cli.kinds.RangeSchemaJson;
import dev.bellows.internal.base.Prose;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.AttributePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangePlan.CurvePoint;
import dev.bellows.range.RangeSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What {@code plan range} prints for people. */
final class RangePages {
  private static final int BAR = 40;
  private static final int POINTS = 15;
  private static final int AROUND = 4;

  private RangePages() {}

  static String one(RangePlan plan) {
    Report facts =
        new Report()
            .add("bits", plan.bits())
            .add("domain", Prose.count(plan.domain()) + " numbers")
            .add("range", Prose.count(plan.range()) + " numbers")
            .add("hashes", plan.hashes())
            .add("divide", plan.divide(), "neighboring numbers share a key")
            .add("shift", plan.shift(), "positions differ between neighbors")
            .add("insertion bits", Prose.format("%.2f", plan.insertionBits()), "(n - 1) s / d + k")
            .add("fpp", plan.fpp(), "mean over the numbers outside, fill 1 - e^(-w/m)")
            .add("runner-up", gap(plan.runnerUpGap()));
    return "One numeric attribute, scheme %s\n\n".formatted(plan.scheme().word())
        + facts
        + exact(plan.exactBits(), plan.bits(), "the range")
        + "\nIn Java:\n  RangeSchema.of(%dL, %d, %s)\n"
            .formatted(plan.bits(), plan.hashes(), code(plan));
  }

  private static String code(RangePlan plan) {
    return ("new RangeSchema.Attribute(\"x\", RangeSchema.Domain.ofSize(%dL),"
            + " RangePlan.Scheme.%s, %d, %dL, %d)")
        .formatted(plan.domain(), plan.scheme().name(), plan.hashes(), plan.divide(), plan.shift());
  }

  private static String gap(double gap) {
    return Double.isInfinite(gap) ? "none" : Prose.format("%.3g %% worse", 100 * gap);
  }

  private static String exact(long exactBits, long bits, String what) {
    return exactBits < bits
        ? Prose.format(
            "\nStoring both ends of %s exactly takes %,d bits, less than these %,d: do that unless"
                + " filters must be compared opaquely.\n",
            what, exactBits, bits)
        : "";
  }

  static String several(ProfilePlan plan, @Nullable ProfilePlan uniform, RangeSchema schema) {
    Table table =
        new Table("attribute", "domain", "range", "hashes", "divide", "shift", "bits", "fpp");
    for (AttributePlan planned : plan.attributes()) {
      table.row(
          planned.name(),
          planned.attribute().domain(),
          planned.attribute().range(),
          planned.hashes(),
          planned.divide(),
          planned.shift(),
          Prose.format("%.2f", planned.insertionBits()),
          shortFpp(planned.fpp()));
    }
    if (plan.profile().strings() > 0) {
      String name = plan.profile().strings() + " texts";
      String bits = Prose.format("%.2f", (double) plan.hashes());
      table.row(name, "-", "-", plan.hashes(), "-", "-", bits, shortFpp(plan.stringFpp()));
    }
    Report facts =
        new Report()
            .add("total bits", Prose.format("%.2f", plan.totalBits()), "set, coincidences included")
            .add("average fpp", plan.averageFpp(), "over all attributes and texts")
            .add("runner-up", gap(plan.runnerUpGap()))
            .add("schema", RangeSchemaJson.hash(schema));
    if (uniform != null) {
      double gain = 1 - plan.averageFpp() / uniform.averageFpp();
      facts.add(
          "own hashes gain",
          Prose.format("%.3g %%", 100 * gain),
          Prose.format("over %d hashes for all", uniform.hashes()));
    }
    return "A profile in %,d bits, scheme %s\n\n".formatted(schema.bits(), plan.scheme().word())
        + table
        + "\n"
        + facts
        + exact(plan.profile().exactBits(), schema.bits(), "every numeric range");
  }

  private static String shortFpp(double fpp) {
    return Prose.format("%.4g", fpp).replace("e-0", "e-");
  }

  /** Returns the rate around the optimum, along each parameter. */
  static String curves(RangePlan plan, int maxHashes) {
    StringBuilder page = new StringBuilder();
    if (plan.scheme().divides()) {
      page.append(plot("divide", plan.divideCurve(POINTS), CurvePoint::divide, plan.divide()));
    }
    if (plan.scheme().shifts()) {
      page.append(plot("shift", plan.shiftCurve(), CurvePoint::shift, plan.shift()));
    }
    if (maxHashes > 0 || page.isEmpty()) {
      int most = maxHashes > 0 ? maxHashes : plan.hashes() + AROUND;
      List<CurvePoint> curve = plan.hashesCurve(most);
      page.append(plot("hashes", curve, CurvePoint::hashes, plan.hashes()));
    }
    return page.toString();
  }

  /** Returns the average rate for numbers of hashes around the best (Range thesis, Figure 4-5). */
  static String hashesCurve(Profile profile, ProfilePlan best) {
    List<CurvePoint> curve = new ArrayList<>();
    int from = Math.max(1, best.hashes() - AROUND);
    int to = Math.min(RangePlan.MAX_HASHES, best.hashes() + AROUND);
    for (int hashes = from; hashes <= to; hashes++) {
      ProfilePlan plan = ProfilePlan.best(profile, best.scheme(), hashes);
      curve.add(new CurvePoint(hashes, 1, 1, plan.averageFpp()));
    }
    return plot("hashes", curve, CurvePoint::hashes, best.hashes());
  }

  /** Returns a row per point with a bar on a logarithmic scale; the chosen one has a star. */
  private static String plot(
      String name, List<CurvePoint> curve, ToLongFunction<CurvePoint> at, long chosen) {
    var rates = curve.stream().mapToDouble(CurvePoint::fpp).summaryStatistics();
    double least = Math.max(rates.getMin(), Double.MIN_NORMAL);
    StringBuilder plot = new StringBuilder(Prose.format("\n  %12s  fpp\n", name));
    for (CurvePoint point : curve) {
      double span = Math.log(rates.getMax() / least);
      double share = span > 0 ? Math.log(Math.max(point.fpp(), least) / least) / span : 0;
      long x = at.applyAsLong(point);
      plot.append(
          Prose.format(
              "%s %,12d  %.4e  %s\n",
              x == chosen ? "*" : " ", x, point.fpp(), "#".repeat(1 + (int) (share * (BAR - 1)))));
    }
    return plot.toString();
  }
}
