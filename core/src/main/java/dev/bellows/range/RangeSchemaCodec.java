package dev.bellows.range;

import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The canonical bytes of a schema, as specified in spec/FORMAT.md. */
final class RangeSchemaCodec {
  private static final int MAX_NAME_BYTES = 255;

  /** Written instead of a number of texts: any other name holds text. */
  private static final int OPEN = -1;

  private static final int FIXED_BYTES = 8 + 4 + 4 + 4;
  private static final int ATTRIBUTE_BYTES = 4 * 1 + 3 * 4 + 3 * 8;

  private RangeSchemaCodec() {}

  static byte[] encode(RangeSchema schema) {
    int size = FIXED_BYTES;
    for (Attribute attribute : schema.attributes()) {
      size += ATTRIBUTE_BYTES + utf8(attribute.name()).length;
    }
    for (String text : schema.texts()) {
      size += 1 + utf8(text).length;
    }
    ByteBuffer out = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(schema.bits()).putInt(schema.hashes()).putInt(schema.attributes().size());
    out.putInt(schema.isOpen() ? OPEN : schema.texts().size());
    for (Attribute attribute : schema.attributes()) {
      byte[] name = utf8(attribute.name());
      Domain domain = attribute.domain();
      out.put((byte) attribute.scheme().id());
      out.put((byte) (domain.open() ? 1 : 0));
      out.put((byte) domain.scale());
      out.put((byte) name.length);
      out.putInt(attribute.hashes()).putInt(attribute.shift()).putInt(attribute.marks());
      out.putLong(attribute.divide()).putLong(domain.low()).putLong(domain.high());
      out.put(name);
    }
    for (String text : schema.texts()) {
      byte[] name = utf8(text);
      out.put((byte) name.length).put(name);
    }
    return out.array();
  }

  /** The schema of canonical bytes; any other bytes are refused. */
  static RangeSchema decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    RangeSchema schema;
    try {
      long bits = in.getLong();
      int hashes = in.getInt();
      int count = in.getInt();
      int texts = in.getInt();
      if (texts < OPEN || texts > in.remaining()) {
        throw new IllegalArgumentException(
            "a schema of %d texts in %d bytes".formatted(texts, bytes.length));
      }
      if (count < 0 || count > in.remaining() / ATTRIBUTE_BYTES) {
        throw new IllegalArgumentException(
            "a schema of %d attributes in %d bytes".formatted(count, bytes.length));
      }
      List<Attribute> attributes = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        attributes.add(attribute(in));
      }
      List<String> names = new ArrayList<>();
      for (int i = 0; i < texts; i++) {
        names.add(name(in, Byte.toUnsignedInt(in.get())));
      }
      schema = new RangeSchema(bits, hashes, attributes, names, texts == OPEN);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a schema that ends early", e);
    }
    if (!Arrays.equals(encode(schema), bytes)) {
      throw new IllegalArgumentException("a schema whose bytes are not the canonical ones");
    }
    return schema;
  }

  private static Attribute attribute(ByteBuffer in) {
    RangePlan.Scheme scheme = scheme(in.get());
    boolean open = in.get() != 0;
    int scale = in.get();
    int nameLength = Byte.toUnsignedInt(in.get());
    int hashes = in.getInt();
    int shift = in.getInt();
    int marks = in.getInt();
    long divide = in.getLong();
    Domain domain = new Domain(in.getLong(), in.getLong(), scale, open);
    return new Attribute(name(in, nameLength), domain, scheme, hashes, divide, shift, marks);
  }

  private static String name(ByteBuffer in, int length) {
    byte[] name = new byte[length];
    in.get(name);
    return new String(name, StandardCharsets.UTF_8);
  }

  private static RangePlan.Scheme scheme(int id) {
    for (RangePlan.Scheme scheme : RangePlan.Scheme.values()) {
      if (scheme.id() == id) {
        return scheme;
      }
    }
    throw new IllegalArgumentException("unknown range scheme " + id);
  }

  /** Refuses a name that UTF-8 cannot encode or that is too long for a file. */
  static void checkName(String name) {
    byte[] bytes = utf8(name);
    if (bytes.length < 1 || bytes.length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "an attribute's name takes 1 to %d bytes of UTF-8, not %d: '%s'"
              .formatted(MAX_NAME_BYTES, bytes.length, name));
    }
    if (!new String(bytes, StandardCharsets.UTF_8).equals(name)) {
      throw new IllegalArgumentException("'" + name + "' holds half a surrogate pair");
    }
  }

  static int compareNames(String a, String b) {
    return Arrays.compareUnsigned(utf8(a), utf8(b));
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
