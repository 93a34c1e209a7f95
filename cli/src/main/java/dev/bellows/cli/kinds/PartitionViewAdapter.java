package dev.bellows.cli.kinds;

import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.partition.PartitionView;
import java.math.BigInteger;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kind partition-view: the tree of a partition filter, which is asked and merged. */
final class PartitionViewAdapter extends KindAdapter<PartitionView> {
  PartitionViewAdapter(PartitionView filter) {
    super(filter);
  }

  @Override
  public CodedKeys keys(boolean longs) {
    IdCode code = new IdCode(filter.plan(), hashScheme(), longs);
    return CodedKeys.of(code, CodedKeys.Query.each(code.overIds(filter::mightContainId)));
  }

  @Override
  public boolean statesBound() {
    return true;
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    addTree(filter, filter.approximateElementCount(), fields, Map.of());
  }

  /** The fields of a tree, of a view or of the filter that it belongs to. */
  static void addTree(
      PartitionView view,
      long keys,
      Map<String, @Nullable Object> fields,
      Map<String, Object> more) {
    PartitionPlan plan = view.plan();
    fields.put("universe", plan.universe() < 0 ? BigInteger.ONE.shiftLeft(63) : plan.universe());
    fields.put("depth", plan.depth());
    fields.put("unitKeys", plan.unitKeys());
    fields.put("unitBits", plan.unitBits());
    fields.put("allocatedUnitBits", plan.allocatedUnitBits());
    fields.put("fpp", plan.fpp());
    fields.put("keys", keys);
    fields.putAll(more);
    fields.put("leaves", view.leaves());
    fields.put("averageFpp", view.averageFpp());
    fields.put("fppBound", view.expectedFpp());
  }
}
