package dev.bellows.range;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of range filters: the schema and then the bits, as specified in spec/FORMAT.md, or the
 * bits alone.
 */
final class RangeFormat {
  private RangeFormat() {}

  /** What a file holds. */
  record Content(RangeSchema schema, Shape shape, HeapBits store) {
    long fileBytes() {
      return header(schema.toBytes()).fileBytes();
    }

    private FilterHeader header(byte[] schemaBytes) {
      return ShapeCodec.header(
          FilterKind.RANGE,
          shape,
          List.of(schema.schemaHash()),
          List.of((long) schemaBytes.length, 8 * store.wordCount()));
    }

    void writeTo(OutputStream out) throws IOException {
      byte[] schemaBytes = schema.toBytes();
      FilterWriter writer = FilterWriter.begin(out, header(schemaBytes));
      writer.bytes(schemaBytes);
      writer.bits(store);
      writer.end();
    }
  }

  static Content read(FilterReader reader) throws IOException {
    Shape shape = reader.classicShape(1, 2);
    long schemaHash =
        reader.parameter(ShapeCodec.PARAMETERS, "schema", Long.MIN_VALUE, Long.MAX_VALUE);
    byte[] schemaBytes = reader.bytes();
    RangeSchema schema =
        reader.checked(ShapeCodec.PARAMETERS, () -> agreed(schemaBytes, schemaHash, shape));
    return new Content(schema, shape, reader.bits(schema.bits()));
  }

  /** The schema of a file, if it is the one that the header names. */
  private static RangeSchema agreed(byte[] bytes, long hash, Shape shape) {
    RangeSchema schema = RangeSchemaCodec.decode(bytes);
    if (schema.schemaHash() != hash) {
      throw new IllegalArgumentException(
          "schema %016x where the header says %016x".formatted(schema.schemaHash(), hash));
    }
    if (schema.bits() != shape.bits() || schema.hashes() != shape.hashes()) {
      throw new IllegalArgumentException(
          "a schema of %d bits and %d hashes in a filter of %s"
              .formatted(schema.bits(), schema.hashes(), shape));
    }
    return schema;
  }

  /** The bits alone, 8 in a byte, lowest first. */
  static byte[] bare(HeapBits store) {
    int length = bareBytes(store.bits());
    int words = (int) store.wordCount();
    ByteBuffer out = ByteBuffer.allocate(8 * words).order(ByteOrder.LITTLE_ENDIAN);
    out.asLongBuffer().put(store.array(), store.first(), words);
    return Arrays.copyOf(out.array(), length);
  }

  /** The store of {@link #bare} bytes. */
  static HeapBits ofBare(long bits, byte[] bytes) {
    if (bytes.length != bareBytes(bits)) {
      throw new IllegalArgumentException(
          "%d bytes where a filter of %d bits has %d"
              .formatted(bytes.length, bits, bareBytes(bits)));
    }
    HeapBits store = HeapBits.aligned(bits);
    int words = (int) store.wordCount();
    ByteBuffer.wrap(Arrays.copyOf(bytes, 8 * words))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(store.array(), store.first(), words);
    store.requireClearTail();
    return store;
  }

  private static int bareBytes(long bits) {
    return (int) Checks.inRange(1, Integer.MAX_VALUE - 8, (bits + 7) / 8, "bytes");
  }
}
