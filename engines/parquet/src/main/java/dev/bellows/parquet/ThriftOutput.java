package dev.bellows.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A new struct of Thrift's compact protocol; fields come in the order of their ids. */
final class ThriftOutput {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int before;

  private ThriftOutput header(int id, int type) {
    out.write((id - before) << 4 | type); // no struct of Parquet has gaps of 16
    before = id;
    return this;
  }

  /** Adds a number of 32 or 64 bits. */
  ThriftOutput number(int id, int type, long value) {
    header(id, type);
    writeVarint(out, zigzag(value));
    return this;
  }

  ThriftOutput bytes(int id, byte[] value) {
    header(id, ThriftInput.BINARY);
    return counted(value);
  }

  ThriftOutput text(int id, String value) {
    return bytes(id, value.getBytes(StandardCharsets.UTF_8));
  }

  ThriftOutput texts(int id, List<String> values) {
    header(id, ThriftInput.LIST);
    writeListHeader(out, values.size(), ThriftInput.BINARY);
    values.forEach(value -> counted(value.getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  private ThriftOutput counted(byte[] value) {
    writeVarint(out, value.length);
    out.writeBytes(value);
    return this;
  }

  /** Adds a list of numbers of 32 bits. */
  ThriftOutput numbers(int id, int... values) {
    header(id, ThriftInput.LIST);
    writeListHeader(out, values.length, ThriftInput.I32);
    for (int value : values) {
      writeVarint(out, zigzag(value));
    }
    return this;
  }

  ThriftOutput struct(int id, ThriftOutput value) {
    header(id, ThriftInput.STRUCT);
    out.writeBytes(value.toBytes());
    return this;
  }

  ThriftOutput structs(int id, List<ThriftOutput> values) {
    header(id, ThriftInput.LIST);
    writeListHeader(out, values.size(), ThriftInput.STRUCT);
    values.forEach(value -> out.writeBytes(value.toBytes()));
    return this;
  }

  /** Returns the struct with its end. */
  byte[] toBytes() {
    byte[] fields = out.toByteArray();
    return Arrays.copyOf(fields, fields.length + 1); // STOP is 0
  }

  static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  static void writeVarint(ByteArrayOutputStream out, long value) {
    long rest = value;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      out.write((int) rest | 0x80);
    }
    out.write((int) rest);
  }

  static void writeListHeader(ByteArrayOutputStream out, int size, int type) {
    if (size < 15) {
      out.write(size << 4 | type);
    } else {
      out.write(0xf0 | type);
      writeVarint(out, size);
    }
  }
}
