package dev.bellows.spark.internal;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * An aggregate that returns a filter: what Catalyst requires of a tree node, once for both.
 *
 * @param <B> the buffer
 */
abstract class FilterAggregate<B> extends TypedImperativeAggregate<B> implements Serializable {
  private static final long serialVersionUID = 1;

  private final Seq<Expression> children;
  private final int mutableOffset;
  private final int inputOffset;

  FilterAggregate(Seq<Expression> children, int mutableOffset, int inputOffset) {
    this.children = children;
    this.mutableOffset = mutableOffset;
    this.inputOffset = inputOffset;
  }

  /** The same aggregate elsewhere in the plan. */
  abstract FilterAggregate<B> with(Seq<Expression> children, int mutableOffset, int inputOffset);

  final Expression child(int index) {
    return children.apply(index);
  }

  @Override
  public final Seq<Expression> children() {
    return children;
  }

  @Override
  public final FilterAggregate<B> withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return with(newChildren, mutableOffset, inputOffset);
  }

  @Override
  public final ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
    return with(children, offset, inputOffset);
  }

  @Override
  public final ImperativeAggregate withNewInputAggBufferOffset(int offset) {
    return with(children, mutableOffset, offset);
  }

  @Override
  public final int mutableAggBufferOffset() {
    return mutableOffset;
  }

  @Override
  public final int inputAggBufferOffset() {
    return inputOffset;
  }

  @Override
  public final DataType dataType() {
    return DataTypes.BinaryType;
  }

  @Override
  public final Iterator<Object> stringArgs() {
    return children.iterator().map(child -> (Object) child);
  }

  @Override
  public int productArity() {
    return 3;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> children;
      case 1 -> mutableOffset;
      case 2 -> inputOffset;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public final boolean canEqual(Object other) {
    return other.getClass() == getClass();
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return Arguments.equal(this, other);
  }

  @Override
  public final int hashCode() {
    return super.hashCode();
  }
}
