package dev.bellows.web;

import dev.bellows.Layout;
import dev.bellows.internal.answers.PlanFields;
import dev.bellows.internal.base.Quantities;
import dev.bellows.internal.rates.BloomRates;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.FingerprintPlan;
import dev.bellows.plan.PartitionPlan;
import dev.bellows.plan.ScalablePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Three ways to grow: levels of bits, a tree of unit filters, prefixes of hashes. */
final class GrowTab {
  private static final double FIRST_KEYS = 1000;
  private static final int POINTS_PER_DECADE = 12;

  /** Levels of the tree that are drawn. */
  private static final int DRAWN_LEVELS = 7;

  private static final int MOST_LEVELS = 60;

  private GrowTab() {}

  static Answer answer(Inputs inputs) {
    double fpp = inputs.requiredProbability("fpp");
    long keys = inputs.requiredCount("keys");
    long initial = inputs.requiredCount("initial");
    long horizon = inputs.requiredCount("horizon");
    long universe = Inputs.required("universe", inputs.parsed("universe", Quantities::universe));
    long unitKeys = inputs.requiredCount("unitkeys");
    Layout layout = inputs.layout();
    Inputs.atMost("keys", 1_000_000_000_000L, keys, "no filter here holds more");
    Inputs.atMost("horizon", 1_000_000_000_000L, horizon, "no filter here holds more");
    ScalablePlan scalable = ScalablePlan.of(initial, fpp, horizon, layout);
    FingerprintPlan fingerprint = FingerprintPlan.of(fpp);
    PartitionPlan partition =
        PartitionPlan.ofUnitKeys(universe, unitKeys, fpp, BloomRates.hashesFor(fpp));
    List<Level> levels = levels(scalable);
    Map<String, @Nullable Object> now = new LinkedHashMap<>();
    now.put("scalable", scalableAt(levels, scalable, keys));
    now.put("partition", partitionAt(partition, keys));
    now.put("fingerprint", fingerprintAt(fingerprint, keys));
    BloomPlan fixed = BloomPlan.smallest(horizon, fpp, layout);
    return new Answer(PlanFields.partition(partition))
        .command(
            new Answer.Command("partition")
                .option("universe", universe < 0 ? "2^63" : universe)
                .option("depth", partition.depth())
                .option("fpp", fpp)
                .option("hashes", partition.hashes()))
        .java(
            "FingerprintFilter any = FingerprintFilter.builder().fpp(%s).build();".formatted(fpp),
            "ScalableBloomFilter levels = ScalableBloomFilter.builder().initialKeys(%dL).fpp(%s).horizonKeys(%dL).layout(Layout.%s).build();"
                .formatted(initial, fpp, horizon, layout),
            "DynamicPartitionBloomFilter ids = DynamicPartitionBloomFilter.builder().universe(%s).depth(%d).fpp(%s).hashes(%d).build();"
                .formatted(
                    universe < 0 ? "PartitionPlan.MAX_UNIVERSE" : universe + "L",
                    partition.depth(),
                    fpp,
                    partition.hashes()))
        .put("now", now)
        .put("levels", levels.stream().map(Level::row).toList())
        .put("fixedBits", fixed.bits())
        .put("curve", curve(scalable, levels, partition, fingerprint, fixed, horizon))
        .put("tree", tree(partition, keys, inputs.textOr("spread", "even")))
        .put("drawnLevels", DRAWN_LEVELS);
  }

  /** A level of the scalable filter. */
  private record Level(long bits, long keys, double fpp) {
    List<@Nullable Object> row() {
      return Answer.row(bits, keys, fpp);
    }
  }

  private static List<Level> levels(ScalablePlan plan) {
    List<Level> levels = new ArrayList<>();
    double sum = 0;
    for (int i = 0; i < MOST_LEVELS && sum < 1e12; i++) {
      Level level = new Level(plan.levelBits(i), plan.levelKeys(i), plan.levelFpp(i));
      levels.add(level);
      sum += level.keys;
    }
    return levels;
  }

  private static Map<String, @Nullable Object> scalableAt(
      List<Level> levels, ScalablePlan plan, double keys) {
    double bits = 0;
    double held = 0;
    double fpp = 0;
    int used = 0;
    while (used == 0 || (held < keys && used < levels.size())) {
      Level level = levels.get(used++);
      bits += level.bits;
      held += level.keys;
      fpp += level.fpp;
    }
    Map<String, @Nullable Object> fields = at(bits, keys, fpp);
    fields.put("probes", used);
    fields.put("hashes", plan.hashes());
    return fields;
  }

  /** Ids that are evenly spread: the tree is as deep as the fullest leaf needs. */
  private static Map<String, @Nullable Object> partitionAt(PartitionPlan plan, double keys) {
    int level = 0;
    while (level < plan.depth() && Math.scalb(keys, -level) > plan.unitKeys()) {
      level++;
    }
    double leaves = Math.min(Math.max(1, keys), Math.scalb(1.0, level));
    Map<String, @Nullable Object> fields = at(leaves * plan.allocatedUnitBits(), keys, plan.fpp());
    fields.put("probes", 1);
    fields.put("treeSteps", level);
    fields.put("leaves", leaves);
    return fields;
  }

  /** How many ids there are; 2^63 does not fit a long. */
  private static double universe(PartitionPlan plan) {
    return plan.universe() < 0 ? 0x1p63 : plan.universe();
  }

  private static Map<String, @Nullable Object> fingerprintAt(FingerprintPlan plan, double keys) {
    double counted = Math.max(1, keys);
    Map<String, @Nullable Object> fields =
        at(counted * plan.bitsPerKey(counted), counted, plan.fppAt(counted));
    fields.put("probes", 1);
    return fields;
  }

  private static Map<String, @Nullable Object> at(double bits, double keys, double fpp) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("bits", bits);
    fields.put("bitsPerKey", bits / Math.max(1, keys));
    fields.put("fpp", fpp);
    return fields;
  }

  /**
   * Rows of keys, bits per key (levels, tree, prefixes, one fixed filter) and the number of levels.
   */
  private static List<Object> curve(
      ScalablePlan scalable,
      List<Level> levels,
      PartitionPlan partition,
      FingerprintPlan fingerprint,
      BloomPlan fixed,
      long horizon) {
    List<Object> rows = new ArrayList<>();
    int last = (int) Math.ceil(POINTS_PER_DECADE * Math.log10(10.0 * horizon / FIRST_KEYS));
    for (int i = 0; i <= last; i++) {
      double keys = FIRST_KEYS * Math.pow(10, (double) i / POINTS_PER_DECADE);
      Map<String, @Nullable Object> level = scalableAt(levels, scalable, keys);
      rows.add(
          Answer.row(
              keys,
              level.get("bitsPerKey"),
              keys > universe(partition) ? null : partitionAt(partition, keys).get("bitsPerKey"),
              fingerprint.bitsPerKey(keys),
              keys <= horizon ? fixed.bits() / keys : null,
              level.get("probes")));
    }
    return rows;
  }

  /**
   * The top of the tree as it is with that many ids: rows of level, index, keys and 1 if the node
   * is split. Ids are spread evenly, or crowd around one place.
   */
  private static List<Object> tree(PartitionPlan plan, long keys, String spread) {
    int depth = Math.min(DRAWN_LEVELS, plan.depth());
    int leaves = 1 << depth;
    double[] weights = new double[leaves + 1];
    for (int i = 0; i < leaves; i++) {
      double away = (i + 0.5) / leaves - 0.3;
      double crowd = spread.equals("crowded") ? 12 * Math.exp(-away * away * 90) : 0;
      weights[i + 1] = weights[i] + 1 + crowd;
    }
    List<Object> nodes = new ArrayList<>();
    addNode(nodes, plan, keys, weights, depth, 0, 0);
    return nodes;
  }

  private static void addNode(
      List<Object> nodes,
      PartitionPlan plan,
      long keys,
      double[] weights,
      int depth,
      int level,
      int index) {
    int width = 1 << (depth - level);
    double share = weights[(index + 1) * width] - weights[index * width];
    double held = Math.rint(keys * share / weights[weights.length - 1]);
    boolean split = held > plan.unitKeys() && level < plan.depth();
    nodes.add(Answer.row(level, index, held, split ? 1 : 0));
    if (split && level < depth) {
      addNode(nodes, plan, keys, weights, depth, level + 1, 2 * index);
      addNode(nodes, plan, keys, weights, depth, level + 1, 2 * index + 1);
    }
  }
}
