package dev.bellows.range;

import dev.bellows.internal.range.HashOffset;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.range.ProfilePlan.AttributePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.ProfilePlan.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Coordinate descent on the total rate of a profile (Range thesis, Algorithm 3-3 and Function 3-2,
 * corrected: see errata <a href="{@docRoot}/doc-files/errata.html#R11">R11</a> to <a
 * href="{@docRoot}/doc-files/errata.html#R14">R14</a>).
 *
 * <p>Each step gives one attribute, starting with the worst, the shape that minimizes the total
 * while the others stay fixed. The descent ends when no step changes anything. Only strict
 * improvements are accepted. The descent starts from several points, because it may end in
 * different minima.
 *
 * <p>With everything else fixed, the rate of the others is a polynomial in the fill, whose
 * coefficients are collected once per step.
 */
final class ProfileSearch {
  /** Smaller relative gains are rounding errors. */
  private static final double LEAST_GAIN = 1e-14;

  private static final int MAX_SWEEPS = 100;

  /** The number of budget starts from which the descent is run. */
  private static final int DESCENTS = 2;

  private final Profile profile;
  private final List<RangeAttribute> attributes;
  private final RangePlan.Scheme scheme;

  /** The best complete choice so far, and the total of the best other one. */
  private @Nullable State best;

  private double second = Double.POSITIVE_INFINITY;

  private boolean mixed;
  private int maxHashes;

  /** A complete choice; the total is the weighted sum of all rates. */
  private record State(int stringHashes, List<Shape> shapes, double total) {
    boolean sameChoice(State other) {
      return stringHashes == other.stringHashes && shapes.equals(other.shapes);
    }
  }

  ProfileSearch(Profile profile, RangePlan.Scheme scheme) {
    this.profile = profile;
    this.attributes = profile.attributes();
    this.scheme = scheme;
  }

  /** Searches for the best shapes with the same number of hashes for all attributes. */
  void searchUniform(int hashes) {
    mixed = false;
    List<Shape> alone = new ArrayList<>();
    for (RangeAttribute attribute : attributes) {
      RangePlan plan =
          RangePlan.best(scheme, profile.bits(), hashes, attribute.domain(), attribute.range());
      alone.add(new Shape(hashes, plan.divide(), plan.shift()));
    }
    descend(state(hashes, alone));
    descendFromBudgets(hashes, hashes);
  }

  /** Searches for the best shapes with individual numbers of hashes, from the best point so far. */
  void searchMixed(int maxHashes) {
    mixed = true;
    this.maxHashes = maxHashes;
    descend(current());
    descendFromBudgets(1, maxHashes);
  }

  /** Descends from the best of the starts that distribute a budget of bits. */
  private void descendFromBudgets(int minHashes, int maxHashes) {
    new ProfileStarts(profile, scheme, minHashes, maxHashes)
        .starts().stream()
            .distinct()
            .map(start -> state(start.stringHashes(), start.shapes()))
            .sorted(Comparator.comparingDouble(State::total))
            .limit(DESCENTS)
            .forEach(this::descend);
  }

  /** Returns the best plan of all searches. */
  ProfilePlan plan() {
    State state = current();
    double runnerUp = second;
    for (int i = 0; i < attributes.size(); i++) {
      runnerUp = Math.min(runnerUp, step(state, i).runnerUp());
    }
    if (mixed) {
      for (int hashes = 1; hashes <= maxHashes; hashes++) {
        if (hashes != state.stringHashes) {
          runnerUp = Math.min(runnerUp, state(hashes, state.shapes).total);
        }
      }
    }
    return ProfilePlan.evaluate(
        profile, scheme, state.stringHashes, state.shapes, ShapeSearch.gap(state.total, runnerUp));
  }

  private State current() {
    if (best == null) {
      throw new IllegalStateException("nothing was searched");
    }
    return best;
  }

  private void offer(State state) {
    if (best == null) {
      best = state;
    } else if (!state.sameChoice(best)) {
      second = Math.min(second, Math.max(state.total, best.total));
      best = state.total < best.total ? state : best;
    }
  }

  private void descend(State start) {
    State state = start;
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
      State before = state;
      for (int i : worstFirst(state)) {
        ShapeSearch search = step(state, i);
        List<Shape> shapes = new ArrayList<>(state.shapes);
        shapes.set(i, search.shape());
        state = better(state, state(state.stringHashes, shapes));
      }
      if (mixed && profile.strings() > 0) {
        for (int hashes = 1; hashes <= maxHashes; hashes++) {
          state = better(state, state(hashes, state.shapes));
        }
      }
      if (state.sameChoice(before)) {
        return;
      }
    }
  }

  private static State better(State state, State candidate) {
    return candidate.total < state.total * (1 - LEAST_GAIN) ? candidate : state;
  }

  private int[] worstFirst(State state) {
    List<AttributePlan> plans =
        ProfilePlan.evaluate(profile, scheme, state.stringHashes, state.shapes, 0).attributes();
    return IntStream.range(0, attributes.size())
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -plans.get(i).fpp()))
        .mapToInt(i -> i)
        .toArray();
  }

  /** Returns the search for the shape of attribute i while all others stay fixed. */
  private ShapeSearch step(State state, int i) {
    int degree = state.stringHashes;
    for (Shape shape : state.shapes) {
      degree = Math.max(degree, shape.hashes());
    }
    double[] others = new double[degree + 1];
    others[state.stringHashes] += profile.strings() * profile.stringWeight();
    double otherBits = (double) profile.strings() * state.stringHashes;
    for (int j = 0; j < attributes.size(); j++) {
      if (j != i) {
        addTerms(others, attributes.get(j), state.shapes.get(j));
        otherBits += ProfilePlan.insertionBits(attributes.get(j), state.shapes.get(j));
      }
    }
    RangeAttribute own = attributes.get(i);
    double fixedBits = otherBits;
    ShapeSearch search =
        new ShapeSearch(
            scheme.divides() ? own.range() : 1,
            (hashes, divide, shift) -> {
              double bits = RangeRates.insertionBits(own.range(), divide, shift, hashes);
              double fill = RangeRates.fill(profile.bits(), fixedBits + bits);
              double rate =
                  RangeRates.fppAtFill(hashes, own.domain(), own.range(), divide, shift, fill);
              return own.weight() * rate + polynomial(others, fill);
            });
    Shape shape = state.shapes.get(i);
    search.offer(shape.hashes(), shape.divide(), shape.shift());
    int from = mixed ? 1 : shape.hashes();
    int to = mixed ? maxHashes : shape.hashes();
    for (int hashes = from; hashes <= to; hashes++) {
      search.search(hashes, scheme.shifts() ? 1 : hashes, hashes);
    }
    return search;
  }

  /** Adds the rate of an attribute as a polynomial in the fill, {@link RangeRates#fppAtFill}. */
  private static void addTerms(double[] coefficients, RangeAttribute attribute, Shape shape) {
    double outside = attribute.domain() - attribute.range();
    if (outside == 0) {
      return;
    }
    double unit = attribute.weight() / outside;
    double left = outside;
    double errors = Math.min(left, shape.divide() - 1.0);
    coefficients[0] += unit * errors;
    left -= errors;
    for (int i = 1; i <= HashOffset.reach(shape.hashes(), shape.shift()); i++) {
      double neighbours = Math.min(left, 2.0 * shape.divide());
      coefficients[i * shape.shift()] += unit * neighbours;
      left -= neighbours;
    }
    coefficients[shape.hashes()] += unit * left;
  }

  /**
   * Evaluates even and odd powers by Horner's scheme: two chains that a CPU executes in parallel.
   */
  private static double polynomial(double[] coefficients, double x) {
    double square = x * x;
    double even = 0;
    double odd = 0;
    int i = coefficients.length - 1;
    if ((i & 1) == 0) {
      even = coefficients[i--];
    }
    for (; i > 0; i -= 2) {
      odd = odd * square + coefficients[i];
      even = even * square + coefficients[i - 1];
    }
    return odd * x + even;
  }

  /** Evaluates a choice and remembers it if it is the best or second best. */
  private State state(int stringHashes, List<Shape> shapes) {
    ProfilePlan plan = ProfilePlan.evaluate(profile, scheme, stringHashes, shapes, 0);
    State state = new State(stringHashes, List.copyOf(shapes), plan.totalFpp());
    offer(state);
    return state;
  }
}
