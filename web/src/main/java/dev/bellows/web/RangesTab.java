package dev.bellows.web;

import dev.bellows.answers.PlanFields;
import dev.bellows.answers.Quantities;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.range.HashOffset;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.AttributePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangePlan.CurvePoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Numeric ranges in a filter: one attribute, or the several of a profile. */
final class RangesTab {
  private static final int DEFAULT_MAX_HASHES = 24;
  private static final int MOST_HASHES = 64;
  private static final int MOST_ATTRIBUTES = 20;
  private static final int CURVE_POINTS = 48;
  private static final String WAIT = "this would take too long on the page; use the command line";

  private RangesTab() {}

  static Answer answer(Inputs inputs) {
    RangePlan.Scheme scheme = scheme(inputs);
    inputs.check(
        f -> f.requiredBits("bits"),
        f -> f.requiredPositive("domain"),
        f -> f.requiredPositive("range"),
        f -> f.smallPositive("hashes"),
        f -> f.smallPositive("maxhashes"),
        f -> f.count("divide"),
        f -> f.smallPositive("shift"));
    long bits = inputs.requiredBits("bits");
    long domain = inputs.requiredPositive("domain");
    long range = inputs.requiredPositive("range");
    Inputs.atMost("range", domain, range, "the domain has no more values");
    Integer hashes = hashes(inputs, "hashes");
    int most = most(inputs);
    RangePlan plan = plan(inputs, scheme, bits, hashes, most, domain, range);
    boolean searched = hashes == null;
    boolean chosen = inputs.has("divide") || inputs.has("shift");
    boolean drawn = !inputs.brief();
    return new Answer(PlanFields.range(plan))
        .command(
            chosen
                ? null
                : new Answer.Command("range")
                    .option("bits", bits)
                    .option("hashes", hashes)
                    .option("max-hashes", searched ? most : null)
                    .option("domain", domain)
                    .option("range", range)
                    .option("scheme", scheme.word()))
        .java(
            "RangeSchema schema = RangeSchema.of(%dL, %d, %s);"
                .formatted(
                    plan.bits(),
                    plan.hashes(),
                    attribute(
                        "x", plan.domain(), scheme, plan.hashes(), plan.divide(), plan.shift())))
        .put("offsets", offsets(plan))
        .put(
            "divideCurve",
            drawn && scheme.divides() ? points(plan.divideCurve(CURVE_POINTS)) : List.of())
        .put("shiftCurve", drawn && scheme.shifts() ? points(plan.shiftCurve()) : List.of())
        .put("hashesCurve", drawn && searched ? points(plan.hashesCurve(most)) : List.of());
  }

  private static RangePlan plan(
      Inputs inputs,
      RangePlan.Scheme scheme,
      long bits,
      @Nullable Integer hashes,
      int most,
      long domain,
      long range) {
    Long divide = inputs.has("divide") ? (Long) inputs.requiredPositive("divide") : null;
    Integer shift = inputs.smallPositive("shift");
    if (divide != null || shift != null) {
      int given = Inputs.required("hashes", hashes);
      inputs.atMost("divide", range, "the range has no more numbers");
      inputs.atMost("shift", given, "a number has no more positions");
      return RangePlan.of(
          scheme,
          bits,
          given,
          domain,
          range,
          scheme.divides() && divide != null ? divide : 1,
          scheme.shifts() && shift != null ? shift : given);
    }
    return hashes == null
        ? RangePlan.bestUpTo(scheme, bits, most, domain, range)
        : RangePlan.best(scheme, bits, hashes, domain, range);
  }

  private static RangePlan.Scheme scheme(Inputs inputs) {
    RangePlan.Scheme scheme = inputs.parsed("scheme", RangePlan.Scheme::of);
    return scheme == null ? RangePlan.Scheme.DIVISION_OVERLAPPING : scheme;
  }

  private static @Nullable Integer hashes(Inputs inputs, String name) {
    Integer hashes = inputs.smallPositive(name);
    if (hashes != null) {
      Inputs.atMost(name, MOST_HASHES, hashes, WAIT);
    }
    return hashes;
  }

  private static int most(Inputs inputs) {
    Integer most = hashes(inputs, "maxhashes");
    return most == null ? DEFAULT_MAX_HASHES : most;
  }

  /**
   * Returns the positions of one number or division: hash function and offset (Range thesis, Eq.
   * 3-6).
   */
  private static List<Object> offsets(RangePlan plan) {
    List<Object> rows = new ArrayList<>();
    for (HashOffset position : HashOffset.indices(plan.hashes(), plan.shift())) {
      rows.add(Answer.row(position.hash(), position.offset()));
    }
    return rows;
  }

  private static List<Object> points(List<CurvePoint> curve) {
    List<Object> rows = new ArrayList<>();
    for (CurvePoint point : curve) {
      rows.add(Answer.row(point.hashes(), point.divide(), point.shift(), point.fpp()));
    }
    return rows;
  }

  private static String attribute(
      String name, long domain, RangePlan.Scheme scheme, int hashes, long divide, int shift) {
    return "new RangeSchema.Attribute(\"%s\", RangeSchema.Domain.ofSize(%dL), RangePlan.Scheme.%s, %d, %dL, %d)"
        .formatted(name, domain, scheme.name(), hashes, divide, shift);
  }

  /** Several attributes in one filter; {@code attribute} is written NAME:VALUES:LENGTH. */
  static Answer profile(Inputs inputs) {
    RangePlan.Scheme scheme = scheme(inputs);
    inputs.check(
        f -> f.requiredBits("bits"),
        f -> f.requiredSmallCount("strings"),
        f -> f.smallPositive("hashes"),
        f -> f.smallPositive("maxhashes"));
    long bits = inputs.requiredBits("bits");
    int strings = inputs.requiredSmallCount("strings");
    Integer hashes = hashes(inputs, "hashes");
    int most = most(inputs);
    List<RangeAttribute> attributes = new ArrayList<>();
    Answer.Command command =
        new Answer.Command("range")
            .option("bits", bits)
            .option("hashes", hashes)
            .option("max-hashes", hashes == null ? most : null)
            .option("strings", strings)
            .option("scheme", scheme.word());
    for (String text : inputs.texts("attribute")) {
      RangeAttribute attribute = attribute(text);
      attributes.add(attribute);
      command.option(
          "attribute",
          "%s:%d:%d".formatted(attribute.name(), attribute.domain(), attribute.range()));
    }
    Inputs.atMost("attribute", MOST_ATTRIBUTES, attributes.size(), WAIT);
    Profile profile = Profile.of(bits, strings, attributes);
    ProfilePlan plan =
        hashes == null
            ? ProfilePlan.bestUpTo(profile, scheme, most)
            : ProfilePlan.best(profile, scheme, hashes);
    StringBuilder java = new StringBuilder("RangeSchema schema = RangeSchema.of(");
    java.append(bits).append("L, ").append(plan.hashes());
    for (AttributePlan planned : plan.attributes()) {
      java.append(",\n    ")
          .append(
              attribute(
                  planned.name(),
                  planned.attribute().domain(),
                  scheme,
                  planned.hashes(),
                  planned.divide(),
                  planned.shift()));
    }
    return new Answer(PlanFields.profile(plan, null))
        .command(command)
        .java(java.append(");").toString());
  }

  private static RangeAttribute attribute(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 3 || !parts[0].strip().matches("[A-Za-z0-9_-]{1,40}")) {
      throw new BadInput(
          "attribute",
          Prose.quote(text)
              + " is not an attribute: write NAME:VALUES:LENGTH, the name of letters and digits");
    }
    try {
      return RangeAttribute.of(
          parts[0].strip(), Quantities.count(parts[1]), Quantities.count(parts[2]));
    } catch (IllegalArgumentException e) {
      throw new BadInput("attribute", Prose.quote(text) + ": " + e.getMessage());
    }
  }
}
