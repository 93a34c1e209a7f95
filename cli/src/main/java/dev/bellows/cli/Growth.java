package dev.bellows.cli;

import dev.bellows.DynamicPartitionBloomFilter;
import dev.bellows.Filter;
import dev.bellows.PartitionView;
import dev.bellows.ScalableBloomFilter;
import dev.bellows.ScalableLevel;
import dev.bellows.io.FilterKind;
import dev.bellows.plan.PartitionPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What verbs know of the filters that grow: their own facts and how they merge. */
final class Growth {
  private Growth() {}

  static boolean grows(Filter filter) {
    return filter instanceof ScalableBloomFilter
        || filter instanceof DynamicPartitionBloomFilter
        || filter instanceof PartitionView;
  }

  /** Whether the expected rate of this kind is a bound, not a mean. */
  static boolean statesABound(FilterKind kind) {
    return kind == FilterKind.SCALABLE
        || kind == FilterKind.PARTITION
        || kind == FilterKind.PARTITION_VIEW;
  }

  /** What a kind adds to {@code info}. */
  static Map<String, Object> facts(Filter filter) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (filter instanceof ScalableBloomFilter scalable) {
      fields.put("keys", scalable.approximateElementCount());
      fields.put("fpp", scalable.plan().fpp());
      fields.put("fppBound", scalable.promisedFpp());
      fields.put("initialKeys", scalable.plan().initialKeys());
      fields.put("levels", levels(scalable));
    }
    if (filter instanceof DynamicPartitionBloomFilter partition) {
      addPlan(partition.plan(), fields);
      fields.put("mode", GrowthOptions.ModeWord.of(partition.mode()));
      fields.put("keys", partition.keys());
      fields.put("populatedUnits", partition.populatedUnits());
      fields.put("innerNodes", partition.tree().innerNodes().size());
      addTree(partition.view(), fields);
    }
    if (filter instanceof PartitionView view) {
      addPlan(view.plan(), fields);
      fields.put("keys", view.keys());
      addTree(view, fields);
    }
    return fields;
  }

  private static void addPlan(PartitionPlan plan, Map<String, Object> fields) {
    fields.put("universe", universe(plan));
    fields.put("depth", plan.depth());
    fields.put("unitKeys", plan.unitKeys());
    fields.put("unitBits", plan.unitBits());
    fields.put("allocatedUnitBits", plan.allocatedUnitBits());
    fields.put("fpp", plan.fpp());
  }

  /** The universe as a number that JSON takes as it is, 2^63 included. */
  static Number universe(PartitionPlan plan) {
    return plan.universe() < 0 ? java.math.BigInteger.ONE.shiftLeft(63) : (Number) plan.universe();
  }

  private static void addTree(PartitionView view, Map<String, Object> fields) {
    fields.put("leaves", view.leaves());
    fields.put("averageFpp", view.averageFpp());
    fields.put("fppBound", view.expectedFpp());
  }

  private static List<Map<String, Object>> levels(ScalableBloomFilter filter) {
    List<Map<String, Object>> levels = new ArrayList<>();
    for (ScalableLevel level : filter.levels()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("index", level.index());
      fields.put("bits", level.bits());
      fields.put("capacity", level.capacity());
      fields.put("keys", level.keys());
      fields.put("expectedFpp", level.expectedFpp());
      levels.add(fields);
    }
    return levels;
  }

  /**
   * Merges two filters that grow. A full partition filter and a view meet as views. The reason goes
   * to {@code refusal} where they cannot be merged.
   */
  static Filter merge(
      Filter one, Filter other, boolean union, Function<String, RuntimeException> refusal) {
    if (one instanceof ScalableBloomFilter a && other instanceof ScalableBloomFilter b) {
      require(a.incompatibility(b), refusal);
      return union ? a.union(b, 1) : a.intersection(b);
    }
    if (one instanceof DynamicPartitionBloomFilter a
        && other instanceof DynamicPartitionBloomFilter b) {
      require(a.incompatibility(b), refusal);
      return union ? a.union(b) : a.intersection(b);
    }
    PartitionView a = view(one);
    PartitionView b = view(other);
    if (a == null || b == null) {
      throw refusal.apply(
          "kind "
              + one.stats().kind().word()
              + " here and "
              + other.stats().kind().word()
              + " there");
    }
    require(a.incompatibility(b), refusal);
    return union ? a.union(b) : a.intersection(b);
  }

  private static @Nullable PartitionView view(Filter filter) {
    if (filter instanceof DynamicPartitionBloomFilter partition) {
      return partition.view();
    }
    return filter instanceof PartitionView view ? view : null;
  }

  private static void require(
      Optional<String> incompatibility, Function<String, RuntimeException> refusal) {
    if (incompatibility.isPresent()) {
      throw refusal.apply(incompatibility.get());
    }
  }
}
