package dev.bellows.spark.internal;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldableFilter;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/** {@code bellows_union_agg(filter)}: one filter of every key of all filters. */
final class UnionAggregate extends FilterAggregate<UnionBuffer> {
  private static final long serialVersionUID = 1;

  UnionAggregate(Seq<Expression> children, int mutableOffset, int inputOffset) {
    super(children, mutableOffset, inputOffset);
  }

  @Override
  FilterAggregate<UnionBuffer> with(Seq<Expression> children, int mutableOffset, int inputOffset) {
    return new UnionAggregate(children, mutableOffset, inputOffset);
  }

  @Override
  public String prettyName() {
    return "bellows_union_agg";
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Arguments.checked(Arguments.filter(child(0)));
  }

  @Override
  public UnionBuffer createAggregationBuffer() {
    return UnionBuffer.empty();
  }

  @Override
  public UnionBuffer update(UnionBuffer buffer, InternalRow row) {
    if (child(0).eval(row) instanceof byte[] bytes) {
      buffer.add(read(bytes));
    }
    return buffer;
  }

  private static BloomFilter read(byte[] bytes) {
    Filter filter = SharedFilter.parse(bytes);
    if (filter instanceof FoldableFilter<?> foldable) {
      return foldable instanceof BloomFilter bloom ? bloom : foldable.toBloomFilter();
    }
    throw new IllegalArgumentException(
        "bellows_union_agg takes plain and counting filters, which fold to a common size, not one of kind "
            + filter.kind().word());
  }

  @Override
  public UnionBuffer merge(UnionBuffer buffer, UnionBuffer other) {
    buffer.merge(other);
    return buffer;
  }

  @Override
  public @Nullable Object eval(UnionBuffer buffer) {
    BloomFilter filter = buffer.result();
    return filter == null ? null : filter.toBytes();
  }

  @Override
  public byte[] serialize(UnionBuffer buffer) {
    return buffer.serialize();
  }

  @Override
  public UnionBuffer deserialize(byte[] bytes) {
    return UnionBuffer.deserialize(bytes);
  }
}
