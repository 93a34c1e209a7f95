package dev.bellows.spark.internal;

import dev.bellows.HashScheme;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** How the values of one Spark type become hashes of core; docs/on-spark.md has the table. */
public final class KeyType implements Serializable {
  static final String ACCEPTED =
      "TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DECIMAL, STRING, BINARY, DATE, TIMESTAMP,"
          + " TIMESTAMP_NTZ, or a STRUCT of these";

  private static final long serialVersionUID = 1;

  /** What lies in a row, and what it is hashed as. */
  private enum Kind {
    BYTE("long"),
    SHORT("long"),
    INT("long"),
    LONG("long"),
    FLOAT("double"),
    DOUBLE("double"),
    TEXT("text"),
    BYTES("bytes"),
    DECIMAL("decimal text"),
    STRUCT("fields"),
    NULL("nothing");

    final String hashedAs;

    Kind(String hashedAs) {
      this.hashedAs = hashedAs;
    }
  }

  private final Kind kind;
  private final DataType dataType;
  private final KeyType[] fields;

  private KeyType(Kind kind, DataType dataType, KeyType... fields) {
    this.kind = kind;
    this.dataType = dataType;
    this.fields = fields;
  }

  static KeyType of(DataType type) {
    String problem = problemWith(type);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    if (type instanceof StructType struct) {
      KeyType[] fields =
          Arrays.stream(struct.fields()).map(f -> of(f.dataType())).toArray(KeyType[]::new);
      return new KeyType(Kind.STRUCT, type, fields);
    }
    return new KeyType(kindOf(type), type);
  }

  /** Why values of the type cannot be keys, or null if they can. */
  static @Nullable String problemWith(DataType type) {
    if (type instanceof StructType struct && struct.fields().length > 0) {
      for (StructField field : struct.fields()) {
        String problem = problemWith(field.dataType());
        if (problem != null) {
          return "field " + field.name() + ": " + problem;
        }
      }
      return null;
    }
    if (type instanceof StringType text && !SparkApi.comparesBytes(text)) {
      return type.sql()
          + " calls different bytes equal, and a filter hashes bytes: cast it to STRING COLLATE"
          + " UTF8_BINARY, after lower(...) or the like on both sides where case must not count";
    }
    return kindOf(type) == null
        ? type.sql() + " is not a valid key: accepted are " + ACCEPTED
        : null;
  }

  private static @Nullable Kind kindOf(DataType type) {
    if (type instanceof ByteType) {
      return Kind.BYTE;
    } else if (type instanceof ShortType) {
      return Kind.SHORT;
    } else if (type instanceof IntegerType || type instanceof DateType) {
      return Kind.INT;
    } else if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      return Kind.LONG;
    } else if (type instanceof FloatType) {
      return Kind.FLOAT;
    } else if (type instanceof DoubleType) {
      return Kind.DOUBLE;
    } else if (type instanceof StringType) {
      return Kind.TEXT;
    } else if (type instanceof BinaryType) {
      return Kind.BYTES;
    } else if (type instanceof DecimalType) {
      return Kind.DECIMAL;
    } else if (type instanceof NullType) {
      return Kind.NULL;
    }
    return null;
  }

  /** Returns what the values are hashed as: types of one word share their keys. */
  String hashedAs() {
    return kind == Kind.STRUCT
        ? Arrays.stream(fields).map(KeyType::hashedAs).collect(Collectors.joining(", ", "(", ")"))
        : kind.hashedAs;
  }

  boolean isStruct() {
    return kind == Kind.STRUCT;
  }

  /** Returns the hash of a value that is neither null nor a struct with a null field. */
  long hash(Object value, HashScheme scheme) {
    return switch (kind) {
      case BYTE, SHORT, INT, LONG -> scheme.hash(((Number) value).longValue());
      case FLOAT, DOUBLE -> scheme.hash(((Number) value).doubleValue());
      case TEXT -> hash((UTF8String) value, scheme);
      case BYTES -> scheme.hash((byte[]) value);
      case DECIMAL -> hash((Decimal) value, scheme);
      case STRUCT -> hash((InternalRow) value, scheme);
      case NULL -> throw new IllegalArgumentException("null has no hash");
    };
  }

  /** The same for a value in a row, without boxing it. */
  long hash(SpecializedGetters row, int ordinal, HashScheme scheme) {
    return switch (kind) {
      case BYTE, SHORT, INT, LONG -> scheme.hash(longAt(row, ordinal));
      case FLOAT -> scheme.hash((double) row.getFloat(ordinal));
      case DOUBLE -> scheme.hash(row.getDouble(ordinal));
      default -> hash(row.get(ordinal, dataType), scheme);
    };
  }

  private long longAt(SpecializedGetters row, int ordinal) {
    return switch (kind) {
      case BYTE -> row.getByte(ordinal);
      case SHORT -> row.getShort(ordinal);
      case INT -> row.getInt(ordinal);
      default -> row.getLong(ordinal);
    };
  }

  static long hash(UTF8String text, HashScheme scheme) {
    if (text.getBaseObject() instanceof byte[] bytes) {
      int from = (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
      return scheme.hash(bytes, from, text.numBytes());
    }
    return scheme.hash(text.getBytes());
  }

  static long hash(Decimal value, HashScheme scheme) {
    KeyScratch scratch = KeyScratch.cleared();
    scratch.putDecimal(value);
    return scratch.hash(scheme);
  }

  long hash(InternalRow struct, HashScheme scheme) {
    KeyScratch scratch = KeyScratch.cleared();
    putFields(struct, scratch);
    return scratch.hash(scheme);
  }

  private void putFields(InternalRow struct, KeyScratch scratch) {
    for (int i = 0; i < fields.length; i++) {
      KeyType field = fields[i];
      switch (field.kind) {
        case BYTE, SHORT, INT, LONG -> scratch.putLong(field.longAt(struct, i));
        case FLOAT -> scratch.putLong(bits(struct.getFloat(i)));
        case DOUBLE -> scratch.putLong(bits(struct.getDouble(i)));
        case TEXT -> scratch.putText(struct.getUTF8String(i));
        case BYTES -> scratch.putBytes(struct.getBinary(i));
        case DECIMAL -> {
          DecimalType type = (DecimalType) field.dataType;
          scratch.putDecimalField(struct.getDecimal(i, type.precision(), type.scale()));
        }
        case STRUCT -> field.putFields(struct.getStruct(i, field.fields.length), scratch);
        case NULL -> throw new IllegalArgumentException("null has no hash");
      }
    }
  }

  private static long bits(double value) {
    return Double.doubleToLongBits(value == 0 ? 0.0 : value);
  }

  /**
   * Returns whether a value is a struct with a null field: such a key equals none and counts as
   * null.
   */
  boolean hasNull(Object value) {
    return kind == Kind.STRUCT && hasNull((InternalRow) value);
  }

  /** Returns whether a field of the struct is null. */
  boolean hasNull(InternalRow struct) {
    for (int i = 0; i < fields.length; i++) {
      if (struct.isNullAt(i)
          || (fields[i].kind == Kind.STRUCT
              && fields[i].hasNull(struct.getStruct(i, fields[i].fields.length)))) {
        return true;
      }
    }
    return false;
  }
}
