package dev.bellows.range;

import dev.bellows.internal.base.Precise;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.ProfilePlan.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Good starting points for the descent on a profile.
 *
 * <p>If the final fill were known, it would give a budget of bits to distribute among the
 * attributes: every shape costs bits and has a rate. The best choice under a budget follows the
 * lower convex hulls of rate over bits: it includes the steps of all hulls in descending order of
 * the rate gained per bit. Therefore, for each of many fills, the hulls are computed on a coarse
 * grid of shapes and merged up to the budget of that fill.
 */
final class ProfileStarts {
  private static final double GRID_RATIO = 1.2;
  private static final double FILL_STEP = 0.05;

  private final Profile profile;
  private final List<Item> items = new ArrayList<>();

  /** A start: hashes of the strings and shapes of the attributes. */
  record Start(int stringHashes, List<Shape> shapes) {}

  /** A shape of an item, its cost and its rate at the current fill. */
  private static final class Option {
    final Shape shape;
    final double bits;
    double rate;

    Option(Shape shape, double bits) {
      this.shape = shape;
      this.bits = bits;
    }
  }

  /** A step on an item's hull. */
  private record Step(int item, Option to, double bits, double gain) {}

  /** An attribute, or all strings together (null), with its options by ascending bits. */
  private static final class Item {
    final @Nullable RangeAttribute attribute;
    final Option[] options;

    Item(@Nullable RangeAttribute attribute, List<Option> options) {
      this.attribute = attribute;
      this.options = options.toArray(new Option[0]);
      Arrays.sort(this.options, Comparator.comparingDouble(o -> o.bits));
    }
  }

  ProfileStarts(Profile profile, RangePlan.Scheme scheme, int minHashes, int maxHashes) {
    this.profile = profile;
    List<Option> strings = new ArrayList<>();
    for (int hashes = minHashes; hashes <= maxHashes; hashes++) {
      strings.add(new Option(new Shape(hashes, 1, hashes), (double) profile.strings() * hashes));
    }
    items.add(new Item(null, strings));
    for (RangeAttribute attribute : profile.attributes()) {
      List<Option> options = new ArrayList<>();
      long[] divides = ShapeSearch.grid(scheme.divides() ? attribute.range() : 1, GRID_RATIO);
      for (int hashes = minHashes; hashes <= maxHashes; hashes++) {
        for (int shift = scheme.shifts() ? 1 : hashes; shift <= hashes; shift++) {
          for (long divide : divides) {
            Shape shape = new Shape(hashes, divide, shift);
            options.add(new Option(shape, ProfilePlan.insertionBits(attribute, shape)));
          }
        }
      }
      items.add(new Item(attribute, options));
    }
  }

  /** Returns one or two starts for every fill. */
  List<Start> starts() {
    List<Start> starts = new ArrayList<>();
    for (double fill = FILL_STEP; fill < 1; fill += FILL_STEP) {
      merge(fill, starts);
    }
    return starts;
  }

  private void merge(double fill, List<Start> starts) {
    Option[] chosen = new Option[items.size()];
    List<Step> steps = new ArrayList<>();
    double used = 0;
    for (int i = 0; i < chosen.length; i++) {
      rate(items.get(i), fill);
      List<Option> hull = hull(items.get(i).options);
      chosen[i] = hull.get(0);
      used += chosen[i].bits;
      for (int h = 1; h < hull.size(); h++) {
        Option from = hull.get(h - 1);
        Option to = hull.get(h);
        double bits = to.bits - from.bits;
        steps.add(new Step(i, to, bits, (from.rate - to.rate) / bits));
      }
    }
    steps.sort(Comparator.comparingDouble(s -> -s.gain));
    double budget = -profile.bits() * Precise.log1p(-fill);
    for (Step step : steps) {
      if (used + step.bits > budget) {
        starts.add(start(chosen));
        chosen[step.item] = step.to;
        break;
      }
      used += step.bits;
      chosen[step.item] = step.to;
    }
    starts.add(start(chosen));
  }

  private static Start start(Option[] chosen) {
    return new Start(
        chosen[0].shape.hashes(), Arrays.stream(chosen).skip(1).map(o -> o.shape).toList());
  }

  private void rate(Item item, double fill) {
    for (Option option : item.options) {
      Shape shape = option.shape;
      RangeAttribute attribute = item.attribute;
      option.rate =
          attribute == null
              ? profile.strings() * profile.stringWeight() * RangeRates.power(fill, shape.hashes())
              : attribute.weight() * ProfilePlan.fpp(attribute, shape, fill);
    }
  }

  /**
   * Returns the options on the lower convex hull of rate over bits, from the cheapest to the best.
   */
  private static List<Option> hull(Option[] options) {
    List<Option> hull = new ArrayList<>();
    for (Option option : options) {
      while (!hull.isEmpty() && covers(hull, option)) {
        hull.remove(hull.size() - 1);
      }
      if (hull.isEmpty() || option.rate < hull.get(hull.size() - 1).rate) {
        hull.add(option);
      }
    }
    return hull;
  }

  /** Returns whether the last option of the hull is not better than the line to the new one. */
  private static boolean covers(List<Option> hull, Option option) {
    Option last = hull.get(hull.size() - 1);
    if (option.rate >= last.rate) {
      return false;
    }
    if (option.bits == last.bits) {
      return true;
    }
    if (hull.size() == 1) {
      return false;
    }
    Option before = hull.get(hull.size() - 2);
    return (before.rate - option.rate) * (last.bits - before.bits)
        >= (before.rate - last.rate) * (option.bits - before.bits);
  }
}
