package dev.bellows.parquet;

/**
 * A cursor over untrusted bytes of Thrift's compact protocol. Nothing is copied: values are found
 * by their span. Lengths and counts are checked against the bytes that are left.
 */
final class ThriftInput {
  static final int STOP = 0;
  static final int TRUE = 1;
  static final int FALSE = 2;
  static final int BYTE = 3;
  static final int I16 = 4;
  static final int I32 = 5;
  static final int I64 = 6;
  static final int DOUBLE = 7;
  static final int BINARY = 8;
  static final int LIST = 9;
  static final int SET = 10;
  static final int MAP = 11;
  static final int STRUCT = 12;
  static final int UUID = 13;

  /** More levels than any Parquet structure has; the stack of a reader holds far more. */
  private static final int MOST_LEVELS = 64;

  /** Structs and fields that may be kept of any bytes, however few. */
  private static final int FREE = 10_000;

  private final byte[] bytes;
  private final int end;

  /** The offset of the first byte in the file, for messages. */
  private final long base;

  /** What may still be kept of the bytes; shared by all cursors over them. */
  private final Budget budget;

  private int at;

  /**
   * How many structs and fields may be kept. Each takes far more memory than the byte or two of its
   * encoding; structures of real writers take at least two bytes each on average.
   */
  private static final class Budget {
    final long most;
    long kept;

    Budget(int bytes) {
      this.most = FREE + bytes / 2;
    }
  }

  ThriftInput(byte[] bytes, int from, int end, long base) {
    this(bytes, from, end, base, new Budget(end - from));
  }

  private ThriftInput(byte[] bytes, int from, int end, long base, Budget budget) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
    this.base = base;
    this.budget = budget;
  }

  byte[] bytes() {
    return bytes;
  }

  int at() {
    return at;
  }

  long base() {
    return base;
  }

  /** Returns a cursor over a part of the same bytes. */
  ThriftInput part(int from, int to) {
    return new ThriftInput(bytes, from, to, base, budget);
  }

  /** The same for a struct that is not kept: it is not counted with the others. */
  ThriftInput apart(int from, int to) {
    return new ThriftInput(bytes, from, to, base);
  }

  /** Notes that a struct or a field is kept. */
  void keep() throws ParquetFormatException {
    if (++budget.kept > budget.most) {
      throw error(
          "more than %d fields in its Thrift structure: more than its bytes justify"
              .formatted(budget.most));
    }
  }

  ParquetFormatException error(String what) {
    return new ParquetFormatException(base + at, what);
  }

  int unsignedByte() throws ParquetFormatException {
    if (at >= end) {
      throw error("its Thrift structure ends too early");
    }
    return Byte.toUnsignedInt(bytes[at++]);
  }

  long varint() throws ParquetFormatException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = unsignedByte();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw error("a number of more than ten bytes in its Thrift structure");
  }

  long zigzag() throws ParquetFormatException {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Returns the number of elements or bytes that follow, each of which takes at least one byte. */
  int count() throws ParquetFormatException {
    long count = varint();
    if (count < 0 || count > end - at) {
      throw error("%d elements where %d bytes are left".formatted(count, end - at));
    }
    return (int) count;
  }

  /** Reads the header of a list; its element type, and its count in the upper bits. */
  long listHeader() throws ParquetFormatException {
    int header = unsignedByte();
    int count = header >>> 4;
    if (count == 15) {
      count = count();
    } else if (count > end - at) {
      throw error("%d elements where %d bytes are left".formatted(count, end - at));
    }
    return ((long) count << 4) | (header & 0xf);
  }

  void skip(int type) throws ParquetFormatException {
    skip(type, 0);
  }

  private void skip(int type, int level) throws ParquetFormatException {
    if (level > MOST_LEVELS) {
      throw error("more than %d levels in its Thrift structure".formatted(MOST_LEVELS));
    }
    switch (type) {
      case TRUE, FALSE -> {}
      case BYTE -> move(1);
      case I16, I32, I64 -> varint();
      case DOUBLE -> move(8);
      case BINARY -> move(count());
      case LIST, SET -> {
        long header = listHeader();
        for (long i = header >>> 4; i > 0; i--) {
          skipElement((int) header & 0xf, level + 1);
        }
      }
      case MAP -> {
        int count = count();
        int types = count == 0 ? 0 : unsignedByte();
        for (; count > 0; count--) {
          skipElement(types >>> 4, level + 1);
          skipElement(types & 0xf, level + 1);
        }
      }
      case STRUCT -> {
        for (int header = unsignedByte(); header != STOP; header = unsignedByte()) {
          if (header >>> 4 == 0) {
            varint();
          }
          skip(header & 0xf, level + 1);
        }
      }
      case UUID -> move(16);
      default -> throw error("an unknown type %d in its Thrift structure".formatted(type));
    }
  }

  /** A truth value takes a byte in a list, and none in a struct. */
  private void skipElement(int type, int level) throws ParquetFormatException {
    if (type == TRUE || type == FALSE) {
      move(1);
    } else {
      skip(type, level);
    }
  }

  private void move(int length) throws ParquetFormatException {
    if (length > end - at) {
      throw error("%d bytes where %d are left".formatted(length, end - at));
    }
    at += length;
  }
}
