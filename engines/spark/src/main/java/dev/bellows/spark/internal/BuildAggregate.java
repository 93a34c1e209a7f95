package dev.bellows.spark.internal;

import dev.bellows.HashScheme;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * {@code bellows_agg(key, fpp [, keys])}: the filter of a column, of whatever size it needs. {@code
 * bellows_frozen_agg(key, fpp)} collects the same hashes and returns a frozen filter of them, which
 * is a third smaller and takes no further keys.
 */
final class BuildAggregate extends FilterAggregate<KeyBuffer> {
  private static final long serialVersionUID = 1;

  /**
   * The bytes that the first buffer of a task may take before it packs its hashes: without GROUP BY
   * it is the only one.
   */
  private static final long ROOM_OF_FIRST = 32 << 20;

  private final long maxKeys;
  private final boolean frozen;
  private transient @Nullable FilterSize size;
  private transient @Nullable KeyType type;
  private transient boolean hasBuffers;
  private transient int ordinal; // of the column in the row, -1 for a computed key

  BuildAggregate(
      Seq<Expression> children, long maxKeys, boolean frozen, int mutableOffset, int inputOffset) {
    super(children, mutableOffset, inputOffset);
    this.maxKeys = maxKeys;
    this.frozen = frozen;
  }

  @Override
  FilterAggregate<KeyBuffer> with(Seq<Expression> children, int mutableOffset, int inputOffset) {
    return new BuildAggregate(children, maxKeys, frozen, mutableOffset, inputOffset);
  }

  @Override
  public String prettyName() {
    return frozen ? "bellows_frozen_agg" : "bellows_agg";
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    boolean hasRoom = children().size() > 2;
    TypeCheckResult constants =
        Arguments.checked(
            Arguments.key(child(0)),
            Arguments.fpp(child(1)),
            hasRoom ? Arguments.room(child(2)) : null);
    return constants.isSuccess()
        ? Arguments.checked(FilterSize.problemWith(fpp(), maxKeys, room()))
        : constants;
  }

  private double fpp() {
    Number fpp = Arguments.constant(child(1));
    return fpp == null ? Double.NaN : fpp.doubleValue();
  }

  private long room() {
    Number room = children().size() > 2 ? Arguments.constant(child(2)) : null;
    return room == null ? 0 : room.longValue();
  }

  private FilterSize size() {
    FilterSize known = size;
    if (known == null) {
      known = FilterSize.of(fpp(), maxKeys, room());
      size = known;
    }
    return known;
  }

  private KeyType type() {
    KeyType known = type;
    if (known == null) {
      known = KeyType.of(child(0).dataType());
      ordinal = child(0) instanceof BoundReference column ? column.ordinal() : -1;
      type = known;
    }
    return known;
  }

  @Override
  public KeyBuffer createAggregationBuffer() {
    long room = hasBuffers ? 0 : ROOM_OF_FIRST;
    hasBuffers = true;
    return KeyBuffer.empty(size(), room);
  }

  @Override
  public KeyBuffer update(KeyBuffer buffer, InternalRow row) {
    KeyType key = type();
    if (ordinal >= 0 && !key.isStruct()) {
      if (!row.isNullAt(ordinal)) {
        buffer.putHash(key.hash(row, ordinal, HashScheme.DEFAULT));
      }
      return buffer;
    }
    Object value = child(0).eval(row);
    if (value != null && !key.hasNull(value)) {
      buffer.putHash(key.hash(value, HashScheme.DEFAULT));
    }
    return buffer;
  }

  @Override
  public KeyBuffer merge(KeyBuffer buffer, KeyBuffer other) {
    buffer.merge(other);
    return buffer;
  }

  @Override
  public Object eval(KeyBuffer buffer) {
    return frozen ? buffer.frozen(fpp()).toBytes() : buffer.result().toBytes();
  }

  @Override
  public byte[] serialize(KeyBuffer buffer) {
    return buffer.serialize();
  }

  @Override
  public KeyBuffer deserialize(byte[] bytes) {
    return KeyBuffer.deserialize(size(), bytes);
  }

  @Override
  public int productArity() {
    return 5;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> children();
      case 1 -> maxKeys;
      case 2 -> frozen;
      default -> super.productElement(index - 2);
    };
  }
}
