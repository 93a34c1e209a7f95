package dev.bellows.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One struct of Thrift's compact protocol. Fields are spans of the bytes they were read from;
 * unchanged ones, known or not, are written byte for byte.
 */
final class ThriftStruct {
  /** Far more names than the path of a column has. */
  private static final int MOST_TEXTS = 10_000;

  private final ThriftInput source;
  private final List<Field> fields = new ArrayList<>(4);
  private final int from;
  private final int end;

  /** A field: a span, and once it was looked into or changed, what to write instead of it. */
  private static final class Field {
    final int id;
    final int type;

    /** The id of the field before it, on which its header depends. */
    final int before;

    final int header;
    final int from;
    final int to;
    byte @Nullable [] changed;
    @Nullable ThriftStruct struct;
    @Nullable List<ThriftStruct> structs;

    /** A struct that follows those of a list, where they begin, and how many they are with it. */
    byte @Nullable [] appended;

    int body;
    int count;

    Field(int id, int type, int before, int header, int from, int to) {
      this.id = id;
      this.type = type;
      this.before = before;
      this.header = header;
      this.from = from;
      this.to = to;
    }
  }

  /** Receives the structs of a list. */
  @FunctionalInterface
  interface Visitor {
    void visit(ThriftStruct struct) throws ParquetFormatException;
  }

  private ThriftStruct(ThriftInput source) throws ParquetFormatException {
    this.source = source;
    this.from = source.at();
    source.keep();
    int before = 0;
    while (true) {
      int start = source.at();
      int header = source.unsignedByte();
      if (header == ThriftInput.STOP) {
        break;
      }
      int delta = header >>> 4;
      long id = delta == 0 ? source.zigzag() : before + delta;
      if (id < Short.MIN_VALUE || id > Short.MAX_VALUE) {
        throw source.error("field id %d in its Thrift structure".formatted(id));
      }
      int value = source.at();
      source.skip(header & 0xf);
      source.keep();
      fields.add(new Field((int) id, header & 0xf, before, start, value, source.at()));
      before = (int) id;
    }
    this.end = source.at();
  }

  /** Reads the struct at the cursor and leaves the cursor after it. */
  static ThriftStruct read(ThriftInput source) throws ParquetFormatException {
    return new ThriftStruct(source);
  }

  /** Returns the index of the byte after it. */
  int end() {
    return end;
  }

  /** Returns the offset of its first byte in the file. */
  long offset() {
    return source.base() + from;
  }

  ParquetFormatException error(String what) {
    return new ParquetFormatException(offset(), what);
  }

  private @Nullable Field field(int id) throws ParquetFormatException {
    Field found = null;
    for (Field field : fields) {
      if (field.id == id) {
        if (found != null) {
          throw error("field %d appears twice in one Thrift structure".formatted(id));
        }
        found = field;
      }
    }
    return found;
  }

  private @Nullable Field field(int id, int type) throws ParquetFormatException {
    Field field = field(id);
    if (field != null && field.type != type) {
      throw error("field %d has type %d where %d is right".formatted(id, field.type, type));
    }
    return field;
  }

  boolean has(int id) throws ParquetFormatException {
    return field(id) != null;
  }

  /** Returns a whole number of any width; empty if the field is missing. */
  OptionalLong number(int id) throws ParquetFormatException {
    Field field = field(id);
    if (field == null) {
      return OptionalLong.empty();
    }
    if (field.type < ThriftInput.BYTE || field.type > ThriftInput.I64) {
      throw error("field %d has type %d where a number is right".formatted(id, field.type));
    }
    ThriftInput in =
        field.changed == null
            ? source.part(field.from, field.to)
            : new ThriftInput(field.changed, 0, field.changed.length, offset());
    return OptionalLong.of(field.type == ThriftInput.BYTE ? in.unsignedByte() : in.zigzag());
  }

  /** Returns a number that must be there. */
  long number(int id, String name) throws ParquetFormatException {
    return number(id).orElseThrow(() -> error("its " + name + " is missing"));
  }

  /** Returns a boolean; false if the field is missing. */
  boolean isTrue(int id) throws ParquetFormatException {
    Field field = field(id);
    return field != null && field.type == ThriftInput.TRUE;
  }

  /** Returns a text; empty if the field is missing. */
  Optional<String> text(int id) throws ParquetFormatException {
    Field field = field(id, ThriftInput.BINARY);
    return field == null ? Optional.empty() : Optional.of(text(source.part(field.from, field.to)));
  }

  private String text(ThriftInput in) throws ParquetFormatException {
    int length = in.count();
    return new String(source.bytes(), in.at(), length, StandardCharsets.UTF_8);
  }

  /** Returns the texts of a list; none if the field is missing. */
  List<String> texts(int id) throws ParquetFormatException {
    Field field = field(id, ThriftInput.LIST);
    List<String> texts = new ArrayList<>();
    if (field != null) {
      ThriftInput in = list(field, ThriftInput.BINARY);
      if (count(field) > MOST_TEXTS) {
        throw error("a list of %d texts; at most %d are read".formatted(count(field), MOST_TEXTS));
      }
      for (int left = count(field); left > 0; left--) {
        int start = in.at();
        in.skip(ThriftInput.BINARY);
        texts.add(text(source.part(start, in.at())));
      }
    }
    return texts;
  }

  /** Returns the number of elements of a list; 0 if the field is missing. */
  int count(int id) throws ParquetFormatException {
    Field field = field(id, ThriftInput.LIST);
    return field == null ? 0 : count(field);
  }

  /** Reads the structs of a list one after the other, without keeping them. */
  void forEach(int id, Visitor visitor) throws ParquetFormatException {
    Field field = field(id, ThriftInput.LIST);
    if (field != null) {
      ThriftInput in = list(field, ThriftInput.STRUCT);
      for (int left = count(field); left > 0; left--) {
        int start = in.at();
        in.skip(ThriftInput.STRUCT);
        visitor.visit(read(source.apart(start, in.at())));
      }
    }
  }

  private int count(Field field) throws ParquetFormatException {
    return (int) (source.part(field.from, field.to).listHeader() >>> 4);
  }

  /** Returns a cursor at the first element of a list of this type. */
  private ThriftInput list(Field field, int type) throws ParquetFormatException {
    ThriftInput in = source.part(field.from, field.to);
    long header = in.listHeader();
    if (header >>> 4 != 0 && (header & 0xf) != type) {
      throw error("field %d lists type %d, not %d".formatted(field.id, header & 0xf, type));
    }
    return in;
  }

  /**
   * Returns a struct inside; null if the field is missing. Changes of it are changes of this one.
   */
  @Nullable ThriftStruct struct(int id) throws ParquetFormatException {
    Field field = field(id, ThriftInput.STRUCT);
    if (field == null) {
      return null;
    }
    if (field.struct == null) {
      field.struct = read(source.part(field.from, field.to));
    }
    return field.struct;
  }

  /**
   * Returns the structs of a list; none if the field is missing. Changes of them are changes of
   * this one.
   *
   * @param required a field that each must have: without it, a list of empty structs, which take a
   *     byte each, would take far more memory than its bytes
   */
  List<ThriftStruct> structs(int id, int required) throws ParquetFormatException {
    Field field = field(id, ThriftInput.LIST);
    if (field == null) {
      return List.of();
    }
    if (field.structs == null) {
      List<ThriftStruct> structs = new ArrayList<>();
      ThriftInput in = list(field, ThriftInput.STRUCT);
      for (int left = count(field); left > 0; left--) {
        ThriftStruct struct = read(in);
        if (!struct.has(required)) {
          throw struct.error("field %d is missing in its Thrift structure".formatted(required));
        }
        structs.add(struct);
      }
      field.structs = structs;
    }
    return field.structs;
  }

  /** Adds a struct to the end of a list that is there, once. */
  void append(int id, byte[] struct) throws ParquetFormatException {
    Field field = field(id, ThriftInput.LIST);
    if (field == null) {
      throw error("field %d is missing in its Thrift structure".formatted(id));
    }
    field.body = list(field, ThriftInput.STRUCT).at();
    field.count = count(field) + 1;
    field.appended = struct;
  }

  /** Changes a number, or adds it with the given type. */
  void set(int id, int type, long value) throws ParquetFormatException {
    Field field = field(id);
    if (field == null) {
      int index = 0;
      while (index < fields.size() && fields.get(index).id < id) {
        index++;
      }
      field = new Field(id, type, Integer.MIN_VALUE, 0, 0, 0);
      fields.add(index, field);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ThriftOutput.writeVarint(out, ThriftOutput.zigzag(value));
    field.changed = out.toByteArray();
  }

  /** Removes a field, if it is there. */
  void remove(int id) {
    fields.removeIf(field -> field.id == id);
  }

  /** Returns its bytes. */
  byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(end - from);
    writeTo(out);
    return out.toByteArray();
  }

  private void writeTo(ByteArrayOutputStream out) {
    int before = 0;
    for (Field field : fields) {
      if (field.before == before) {
        out.write(source.bytes(), field.header, field.from - field.header);
      } else {
        writeHeader(out, field, before);
      }
      writeValue(out, field);
      before = field.id;
    }
    out.write(ThriftInput.STOP);
  }

  private static void writeHeader(ByteArrayOutputStream out, Field field, int before) {
    int delta = field.id - before;
    if (delta > 0 && delta < 16) {
      out.write(delta << 4 | field.type);
    } else {
      out.write(field.type);
      ThriftOutput.writeVarint(out, Integer.toUnsignedLong((field.id << 1) ^ (field.id >> 31)));
    }
  }

  private void writeValue(ByteArrayOutputStream out, Field field) {
    if (field.changed != null) {
      out.writeBytes(field.changed);
    } else if (field.struct != null) {
      field.struct.writeTo(out);
    } else if (field.appended != null) {
      ThriftOutput.writeListHeader(out, field.count, ThriftInput.STRUCT);
      if (field.structs == null) {
        out.write(source.bytes(), field.body, field.to - field.body);
      } else {
        field.structs.forEach(struct -> struct.writeTo(out));
      }
      out.writeBytes(field.appended);
    } else if (field.structs != null && !field.structs.isEmpty()) {
      out.write(source.bytes(), field.from, field.structs.get(0).from - field.from);
      field.structs.forEach(struct -> struct.writeTo(out));
    } else {
      out.write(source.bytes(), field.from, field.to - field.from);
    }
  }
}
