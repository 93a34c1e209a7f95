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
final class UnionAggregate extends FilterAggregate<UnionAggregate.Union> {
  private static final long serialVersionUID = 1;
  private static final byte[] NOTHING = new byte[0];

  UnionAggregate(Seq<Expression> children, int mutableOffset, int inputOffset) {
    super(children, mutableOffset, inputOffset);
  }

  /** The union so far, null before the first filter. */
  static final class Union {
    private @Nullable BloomFilter filter;

    void add(@Nullable BloomFilter other) {
      if (filter == null) {
        filter = other;
      } else if (other != null) {
        filter = filter.union(other, 1); // judged at the end: one more may be the last
      }
    }
  }

  @Override
  FilterAggregate<Union> with(Seq<Expression> children, int mutableOffset, int inputOffset) {
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
  public Union createAggregationBuffer() {
    return new Union();
  }

  @Override
  public Union update(Union buffer, InternalRow row) {
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
  public Union merge(Union buffer, Union other) {
    buffer.add(other.filter);
    return buffer;
  }

  @Override
  public @Nullable Object eval(Union buffer) {
    BloomFilter filter = buffer.filter;
    if (filter == null) {
      return null;
    }
    double fpp = filter.expectedFpp();
    if (fpp > FoldableFilter.DEFAULT_MAX_FPP) {
      throw new IllegalStateException(
          "the union has %d bits and fpp %s, above %s: build the parts with room for the keys of all, as in bellows_agg(key, fpp, keys)"
              .formatted(filter.bits(), fpp, FoldableFilter.DEFAULT_MAX_FPP));
    }
    return filter.toBytes();
  }

  @Override
  public byte[] serialize(Union buffer) {
    return buffer.filter == null ? NOTHING : buffer.filter.toBytes();
  }

  @Override
  public Union deserialize(byte[] bytes) {
    Union union = new Union();
    if (bytes.length > 0) {
      union.add(read(bytes));
    }
    return union;
  }
}
