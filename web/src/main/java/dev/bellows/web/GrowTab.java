package dev.bellows.web;

import dev.bellows.Layout;
import dev.bellows.answers.Growth;
import dev.bellows.answers.Quantities;
import dev.bellows.growth.FingerprintPlan;
import dev.bellows.internal.partition.EvenTree;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.scalable.ScalablePlan.PlannedLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** Three ways to grow: levels of bits, a tree of unit filters, prefixes of hashes. */
final class GrowTab {
  private static final int POINTS_PER_DECADE = 16;

  /** Levels of the tree that are drawn. */
  private static final int DRAWN_LEVELS = 7;

  private GrowTab() {}

  static Answer answer(Inputs inputs) {
    inputs.check(
        i -> i.requiredRate("fpp"),
        i -> i.requiredCount("keys"),
        i -> i.requiredPositive("initial"),
        i -> i.requiredPositive("horizon"),
        i -> Inputs.required("universe", i.parsed("universe", Quantities::universe)),
        i -> i.requiredPositive("unitkeys"));
    double fpp = inputs.requiredRate("fpp");
    long keys = inputs.requiredCount("keys");
    long initial = inputs.requiredPositive("initial");
    long horizon = inputs.requiredPositive("horizon");
    long universe = Inputs.required("universe", inputs.parsed("universe", Quantities::universe));
    long unitKeys = inputs.requiredPositive("unitkeys");
    Layout.Family layout = inputs.layout();
    for (String name : List.of("keys", "initial", "horizon", "unitkeys")) {
      inputs.atMost(name, Growth.MOST_KEYS, "filters cannot hold more");
    }
    if (universe == 0) {
      throw new BadInput("universe", "must have at least 1 id");
    }
    if (fpp < FingerprintPlan.LEAST_FPP) {
      throw new BadInput("fpp", "must be at least " + FingerprintPlan.LEAST_FPP);
    }
    Growth growth = new Growth(fpp, initial, horizon, universe, unitKeys, layout);
    if (growth.levelFor(keys) == null) {
      throw new BadInput(
          "horizon",
          "the number of keys is so far beyond the horizon that no number of levels suffices: raise"
              + " it");
    }
    PartitionPlan partition = growth.partition();
    return new Answer(growth.fields(keys))
        .command(
            new Answer.Command("grow")
                .option("keys", keys)
                .option("fpp", fpp)
                .option("initial", initial)
                .option("horizon", horizon)
                .option("universe", universe < 0 ? "2^63" : universe)
                .option("unit-keys", unitKeys)
                .layout(layout))
        .java(
            "FingerprintFilter any = FingerprintFilter.builder().fpp(%s).build();".formatted(fpp),
            ("ScalableBloomFilter levels = "
                    + "ScalableBloomFilter.builder().initialKeys(%dL).fpp(%s).horizonKeys(%dL).layout(Layout.Family.%s).build();")
                .formatted(initial, fpp, horizon, layout),
            ("DynamicPartitionBloomFilter ids = "
                    + "DynamicPartitionBloomFilter.builder().universe(%s).depth(%d).fpp(%s).hashes(%d).build();")
                .formatted(
                    universe < 0 ? "PartitionPlan.MAX_UNIVERSE" : universe + "L",
                    partition.depth(),
                    fpp,
                    partition.hashes()))
        .put("levels", growth.levels().stream().map(GrowTab::row).toList())
        .put("curves", new Curves(growth, horizon).rows())
        .put("tree", tree(partition, keys, inputs.textOr("spread", "even")))
        .put("drawnLevels", DRAWN_LEVELS);
  }

  private static List<?> row(PlannedLevel level) {
    return Answer.row(level.bits(), level.keys(), level.fpp());
  }

  /**
   * The size of filters as keys arrive: the points of each curve, including the corners of its
   * sawtooth.
   */
  private static final class Curves {
    private final Growth growth;
    private final long from;
    private final long to;

    Curves(Growth growth, long horizon) {
      this.growth = growth;
      this.from = Math.max(1, Math.min(1000, horizon / 10));
      this.to = 10 * horizon;
    }

    /**
     * Returns four lists of rows: keys, bits per key, and the number of places that a query reads.
     */
    List<Object> rows() {
      return List.of(scalable(), partition(), fingerprint(), fixed());
    }

    /** Numbers of keys at regular distances, and these with their successors. */
    private Iterable<Long> points(List<Double> corners) {
      TreeSet<Long> points = new TreeSet<>(List.of(from, to));
      int last = (int) Math.ceil(POINTS_PER_DECADE * Math.log10((double) to / from));
      for (int i = 0; i < last; i++) {
        // the last digit of powers differs between engines, so this avoids rounding at exactly one
        // half
        points.add((long) (from * Math.pow(10, (double) i / POINTS_PER_DECADE) + 0.499));
      }
      for (double corner : corners) {
        if (corner >= from && corner < to) {
          points.add((long) corner);
          points.add((long) corner + 1);
        }
      }
      return points;
    }

    private List<Object> scalable() {
      List<Object> rows = new ArrayList<>();
      for (long keys : points(growth.levels().stream().map(PlannedLevel::keysSoFar).toList())) {
        PlannedLevel last = growth.levelFor(keys);
        if (last != null) {
          int levels = growth.levels().indexOf(last) + 1;
          rows.add(Answer.row(keys, last.bitsSoFar() / keys, levels));
        }
      }
      return rows;
    }

    private List<Object> partition() {
      List<Double> corners = new ArrayList<>();
      double unit = growth.partition().unitKeys();
      for (double nodes = 1; nodes * unit < to; nodes *= 2) {
        corners.add(nodes * unit);
        corners.add(nodes * (unit + 1));
      }
      List<Object> rows = new ArrayList<>();
      for (long keys : points(corners)) {
        if (growth.hasIds(keys)) {
          EvenTree tree = growth.tree(keys);
          rows.add(Answer.row(keys, growth.treeBits(tree) / keys, 1));
        }
      }
      return rows;
    }

    private List<Object> fingerprint() {
      List<Double> corners = new ArrayList<>();
      for (double keys = growth.fingerprint().chunkKeys(); keys < to; keys *= 2) {
        corners.add(keys);
      }
      List<Object> rows = new ArrayList<>();
      for (long keys : points(corners)) {
        rows.add(Answer.row(keys, growth.fingerprint().bitsPerKey(keys), 1));
      }
      return rows;
    }

    private List<Object> fixed() {
      List<Object> rows = new ArrayList<>();
      for (long keys : points(List.of(to / 10.0))) {
        if (keys <= to / 10) {
          rows.add(Answer.row(keys, growth.fixed().bits() / (double) keys, 1));
        }
      }
      return rows;
    }
  }

  /**
   * Returns the top of the tree with this many ids: rows of level, index, keys, and 1 if the node
   * is split. Ids are spread evenly or clustered around one place.
   */
  private static List<Object> tree(PartitionPlan plan, long keys, String spread) {
    int nodes = 1 << Math.min(DRAWN_LEVELS, plan.depth());
    double[] weights = new double[nodes + 1];
    for (int i = 0; i < nodes; i++) {
      double away = (i + 0.5) / nodes - 0.3;
      double crowd = spread.equals("crowded") ? 12 * Math.exp(-away * away * 90) : 0;
      weights[i + 1] = weights[i] + 1 + crowd;
    }
    long[] held = new long[nodes];
    for (int i = 0; i < nodes; i++) {
      held[i] = upTo(weights, i + 1, keys) - upTo(weights, i, keys);
    }
    List<Object> inner = new ArrayList<>();
    List<Object> leaves = new ArrayList<>();
    addNodes(0, 0, held, plan.unitKeys(), inner, leaves);
    inner.addAll(leaves);
    return inner;
  }

  /**
   * Adds the rows of a node and of those below it. Nodes on the last level that hold more than
   * unitKeys are inner nodes, whose leaves are not drawn.
   */
  private static void addNodes(
      int level, int index, long[] held, long unitKeys, List<Object> inner, List<Object> leaves) {
    int width = held.length >> level;
    long keys = Arrays.stream(held, index * width, (index + 1) * width).sum();
    boolean split = keys > unitKeys;
    (split ? inner : leaves).add(Answer.row(level, index, keys, split ? 1 : 0));
    if (split && width > 1) {
      addNodes(level + 1, 2 * index, held, unitKeys, inner, leaves);
      addNodes(level + 1, 2 * index + 1, held, unitKeys, inner, leaves);
    }
  }

  /** Returns the number of ids before a node. */
  private static long upTo(double[] weights, int node, long keys) {
    return (long) (keys * (weights[node] / weights[weights.length - 1]) + 0.499);
  }
}
