package dev.bellows.answers;

import dev.bellows.Layout;
import dev.bellows.growth.FingerprintPlan;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.EvenTree;
import dev.bellows.internal.partition.LeafLadder;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.plan.BloomPlan;
import dev.bellows.scalable.ScalablePlan;
import dev.bellows.scalable.ScalablePlan.PlannedLevel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares the three growing filters and a fixed one that is sized for the horizon. */
public final class Growth {
  /** The maximum number of keys that are planned for. */
  public static final long MOST_KEYS = 1_000_000_000_000L;

  /** More levels than any number of keys needs. */
  private static final int MOST_LEVELS = 64;

  private final ScalablePlan scalable;
  private final List<PlannedLevel> levels;
  private final FingerprintPlan fingerprint;
  private final PartitionPlan partition;
  private final LeafLadder ladder;
  private final BloomPlan fixed;

  /**
   * Plans all filters.
   *
   * @param initialKeys the number of keys of the first level
   * @param horizonKeys the number of keys up to which levels share the rate equally
   * @param universe the number of ids, for the partition tree
   * @param unitKeys the maximum number of ids in a unit of the tree
   */
  public Growth(
      double fpp,
      long initialKeys,
      long horizonKeys,
      long universe,
      long unitKeys,
      Layout.Family layout) {
    scalable = ScalablePlan.of(initialKeys, fpp, horizonKeys, layout);
    levels = scalable.levelsFor(MOST_KEYS, MOST_LEVELS);
    fingerprint = FingerprintPlan.of(fpp);
    int hashes = BloomRates.hashesFor(fpp);
    partition = PartitionPlan.ofUnitKeys(universe, unitKeys, fpp, hashes);
    ladder =
        LeafLadder.of(partition.allocatedUnitBits(), partition.unitKeys(), hashes, partition.fpp());
    fixed = BloomPlan.smallest(horizonKeys, fpp, layout);
  }

  /** Returns the levels of the scalable filter, far beyond the horizon. */
  public List<PlannedLevel> levels() {
    return levels;
  }

  /** Returns the level that this many keys reach, or null if they do not fit. */
  public @Nullable PlannedLevel levelFor(double keys) {
    for (PlannedLevel level : levels) {
      if (level.keysSoFar() >= keys) {
        return level;
      }
    }
    return null;
  }

  public PartitionPlan partition() {
    return partition;
  }

  public FingerprintPlan fingerprint() {
    return fingerprint;
  }

  /** Returns one filter that is sized for the horizon from the start. */
  public BloomPlan fixed() {
    return fixed;
  }

  /** Returns whether the universe has at least this many ids. */
  public boolean hasIds(double keys) {
    return partition.universe() < 0 || keys <= partition.universe();
  }

  /** Returns the tree of this many evenly spread ids. */
  public EvenTree tree(long keys) {
    return EvenTree.of(partition.unitKeys(), keys);
  }

  /** Returns the number of bits of the filters of a tree. */
  public double treeBits(EvenTree tree) {
    return tree.bits(ladder);
  }

  /** Returns the fields of {@code plan grow}: the size of each filter with this many keys. */
  public Map<String, @Nullable Object> fields(long keys) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("keys", keys);
    fields.put("fpp", scalable.fpp());
    fields.put("layout", PlanFields.word(scalable.layout().family()));
    fields.put("scalable", scalableFields(keys));
    fields.put("partition", partitionFields(keys));
    fields.put("fingerprint", fingerprintFields(keys));
    fields.put("fixedBits", fixed.bits());
    return fields;
  }

  private @Nullable Map<String, @Nullable Object> scalableFields(long keys) {
    PlannedLevel last = levelFor(keys);
    if (last == null) {
      return null;
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("initialKeys", scalable.initialKeys());
    fields.put("horizonKeys", scalable.horizonKeys());
    fields.put("hashes", scalable.hashes());
    fields.put("levels", levels.indexOf(last) + 1);
    addSize(fields, last.bitsSoFar(), keys, last.fppSoFar());
    return fields;
  }

  private @Nullable Map<String, @Nullable Object> partitionFields(long keys) {
    if (!hasIds(keys)) {
      return null;
    }
    EvenTree tree = tree(keys);
    Map<String, @Nullable Object> fields = PlanFields.partition(partition);
    fields.remove("fpp");
    fields.put("populatedLeaves", tree.leaves());
    fields.put("steps", tree.steps());
    addSize(fields, treeBits(tree), keys, partition.fpp());
    return fields;
  }

  private Map<String, @Nullable Object> fingerprintFields(long keys) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("slack", fingerprint.slack());
    fields.put("chunkKeys", fingerprint.chunkKeys());
    double one = Math.max(1, keys);
    addSize(fields, one * fingerprint.bitsPerKey(one), keys, fingerprint.fppAt(keys));
    return fields;
  }

  private static void addSize(
      Map<String, @Nullable Object> fields, double bits, long keys, double fpp) {
    fields.put("bits", bits);
    fields.put("bitsPerKey", bits / Math.max(1, keys));
    fields.put("fpp", fpp);
  }
}
