package dev.bellows.papers.range;

import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.ProfilePlan.Shape;
import dev.bellows.range.RangePlan.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/** The open problem of the thesis: a separate number of hash functions for every attribute. */
public final class OpenProblem extends Item {
  private static final Scheme SCHEME = Scheme.DIVISION_OVERLAPPING;
  private static final int MOST_HASHES = 32;
  private static final int FILTERS = 30_000;

  /** How many times as often Age, or each of the texts, is queried as any other attribute. */
  private static final double[] WEIGHTS = {1, 3, 10, 30, 100};

  OpenProblem() {
    super(
        "003/open-problem",
        "Chapter 5: the open problem, a separate number of hash functions for every attribute",
        """
        The thesis ends with an open problem: every attribute of a filter could insert a different
        number of bits. Here each attribute of Table 4-2, and the texts together, get their own k
        in addition to their divide and shift, found by coordinate descent on Eq. 3-15 from
        several starts (ProfilePlan.bestMixed, k up to 32). If all attributes are queried equally
        often, the search finds nothing better than 15 for all, and no change of a single k
        improves on it. Individual values pay off as queries become uneven, because attributes
        that are queried often then take more bits and the others fewer: the average rate falls by
        4 % if Age is queried ten times as often as the others, and by 23 % if a hundred times as
        often. Real filters have the average rates of the plans, weighted by the frequency of the
        queries. Since coordinate descent may miss the optimum, the problem remains open in
        principle.\
        """,
        Pace.SLOW);
  }

  private static Profile age(double weight) {
    return Profile.of(
        SystemAttributes.BITS,
        SystemAttributes.TEXTS.size(),
        Stream.concat(
                Stream.of(SystemAttributes.AGE.withWeight(weight)),
                SystemAttributes.NUMBERS.stream().filter(a -> a != SystemAttributes.AGE))
            .toList());
  }

  private static Profile texts(double weight) {
    return new Profile(
        SystemAttributes.BITS, SystemAttributes.TEXTS.size(), weight, SystemAttributes.NUMBERS);
  }

  @Override
  protected void fill() {
    columns("queried more often, times, plan, k of texts");
    SystemAttributes.NUMBERS.forEach(attribute -> columns("k of " + attribute.name()));
    columns("Eq. 3-15, exact, measured, low, high");
    Chart chart =
        chart(
            "Reduction of the mean rate by the weight of an attribute",
            "Savings from a separate k for each attribute",
            Axis.log("times as often as the others").between(1, 100),
            Axis.linear("reduction of the mean rate, percent").between(0, 30));
    savings("Age", OpenProblem::age, chart.curve("Age is queried more often", 0));
    savings("texts", OpenProblem::texts, chart.curve("texts are queried more often", 1));
  }

  /** Compares plans of a profile in which this is queried more often than the others. */
  private void savings(String what, DoubleFunction<Profile> profile, Points points) {
    for (double weight : WEIGHTS) {
      Profile weighted = profile.apply(weight);
      ProfilePlan common = ProfilePlan.bestUpTo(weighted, SCHEME, MOST_HASHES);
      ProfilePlan own = ProfilePlan.bestMixed(weighted, SCHEME, MOST_HASHES);
      double saved = 1 - own.averageFpp() / common.averageFpp();
      points.add(weight, 100 * saved);
      String place = "%s=%.0f/".formatted(what, weight);
      if (weight > 1 || what.equals("Age")) {
        plan(place + "common-k", what, weight, common);
        if (!own.uniform()) {
          plan(place + "own-k", what, weight, own);
        }
        number(place + "saved", "share saved by a separate k for each attribute").formula(saved);
      }
      if (weight == 1 && what.equals("Age")) {
        number(place + "changes", "changes of a single k, from 1 to 32, that improve on 15 for all")
            .formula(improvements(common));
      }
    }
  }

  /** Adds a row for a plan; simulated where the rate is high enough to be measured. */
  private void plan(String place, String what, double weight, ProfilePlan plan) {
    double exact = SystemAttributes.exact(plan);
    boolean simulated = weight == 1 || weight == 10 || weight == 30;
    Measured measured = simulated ? ProfileSimulation.of(plan, FILTERS).average() : Measured.NONE;
    List<Object> cells =
        new ArrayList<>(List.of(what, (long) weight, plan.uniform() ? "one k" : "separate k"));
    cells.addAll(hashes(plan));
    cells.addAll(List.of(plan.averageFpp(), exact, measured));
    row(cells.toArray());
    if (simulated) {
      number(place, "mean rate, k of texts and numbers " + hashes(plan))
          .formula(exact)
          .measured(measured);
    } else {
      number(place, "mean rate by Eq. 3-15").formula(plan.averageFpp());
    }
  }

  private static List<Integer> hashes(ProfilePlan plan) {
    return Stream.concat(Stream.of(plan.hashes()), plan.shapes().stream().map(Shape::hashes))
        .toList();
  }

  /** Returns how many plans with another k for one attribute, or for the texts, are better. */
  private static long improvements(ProfilePlan common) {
    long better = 0;
    List<RangeAttribute> attributes = common.profile().attributes();
    for (int i = -1; i < attributes.size(); i++) {
      for (int hashes = 1; hashes <= MOST_HASHES; hashes++) {
        better += with(common, i, hashes) < common.averageFpp() * (1 - 1e-12) ? 1 : 0;
      }
    }
    return better;
  }

  /** Returns the mean rate with another k for one attribute, at its best divide and shift. */
  private static double with(ProfilePlan plan, int attribute, int hashes) {
    if (attribute < 0) {
      return ProfilePlan.of(plan.profile(), hashes, plan.shapes()).averageFpp();
    }
    double best = 1;
    Shape now = plan.shapes().get(attribute);
    long range = plan.profile().attributes().get(attribute).range();
    for (int shift = 1; shift <= hashes; shift++) {
      for (double divide = 1; divide <= range; divide = Math.max(divide + 1, divide * 1.02)) {
        Shape changed = new Shape(hashes, (long) divide, shift);
        List<Shape> shapes = new ArrayList<>(plan.shapes());
        shapes.set(attribute, changed);
        best = Math.min(best, ProfilePlan.of(plan.profile(), plan.hashes(), shapes).averageFpp());
      }
    }
    return hashes == now.hashes() ? plan.averageFpp() : best;
  }
}
