package dev.bellows.cli.kinds;

import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.partition.PartitionView;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kinds partition-view and partition-compact: the tree of a partition filter, which can be queried
 * and merged.
 */
final class PartitionViewAdapter extends KindAdapter<PartitionView> {
  PartitionViewAdapter(PartitionView filter) {
    super(filter, FROM_FILL, true);
  }

  @Override
  public CodedKeys keys(boolean longs) {
    return longs
        ? CodedKeys.of(new IdCode(), CodedKeys.Query.each(IdCode.overIds(filter::mightContainId)))
        : CodedKeys.of(
            KeyCode.hashes(filter.hashScheme()), CodedKeys.Query.each(filter::mightContainHash));
  }

  @Override
  public boolean keysAreBound() {
    return true;
  }

  @Override
  public String advice(
      List<KindAdapter<?>> inputs, List<String> names, MergeRule rule, double fpp) {
    return "build the views with --merges %d, or merge the full filters"
        .formatted(Math.max(1, inputs.size() - 1));
  }

  @Override
  public KindAdapter<?> compacted() {
    return new PartitionViewAdapter(filter.compact());
  }

  @Override
  public String wayOut(KindAdapter<?> other, String name, String otherName) {
    return other.filter instanceof PartitionView view
            && filter.plan().universe() == view.plan().universe()
            && filter.plan().depth() == view.plan().depth()
            && filter.plan().hashes() != view.plan().hashes()
        ? "; build both with the same --fpp and the same --merges"
        : "";
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    addPlan(fields, filter.plan(), filter.approximateElementCount());
    addTree(fields, filter);
  }

  /** Adds what a filter and its view share. */
  static void addPlan(Map<String, @Nullable Object> fields, PartitionPlan plan, long keys) {
    fields.put("universe", plan.universe() < 0 ? BigInteger.ONE.shiftLeft(63) : plan.universe());
    fields.put("depth", plan.depth());
    fields.put("unitKeys", plan.unitKeys());
    fields.put("unitBits", plan.unitBits());
    fields.put("allocatedUnitBits", plan.allocatedUnitBits());
    fields.put("fpp", plan.fpp());
    fields.put("keys", keys);
  }

  /** Adds the tree of a view, or of the filter that it belongs to. */
  static void addTree(Map<String, @Nullable Object> fields, PartitionView view) {
    fields.put("leaves", view.leaves());
    fields.put("averageFpp", view.averageFpp());
    fields.put("fppBound", view.expectedFpp());
  }
}
