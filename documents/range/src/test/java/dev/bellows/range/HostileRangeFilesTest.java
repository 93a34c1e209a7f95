package dev.bellows.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellows.HashScheme;
import dev.bellows.fuzz.Forgery;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** A file whose checksums are right but whose schema is not is refused. */
class HostileRangeFilesTest {
  private static final int HEADER = 128;
  private static final int SCHEMA_HASH = 96;
  private static final int SCHEMA_LENGTH = 104;

  private static final RangeSchema SCHEMA =
      RangeSchema.of(
              100,
              4,
              Attribute.divisionOverlapping("age", Domain.of(1, 120), 8, 2, 3),
              Attribute.division("b", Domain.of(0, 1000), 5, 10))
          .withTexts("name");

  private static RangeBloomFilter filter() {
    RangeBloomFilter filter = RangeBloomFilter.create(SCHEMA);
    filter.putRange("age", 10, 20);
    filter.put("name", "Ada");
    return filter;
  }

  @Test
  void everyTruncationAndEveryFlippedBitIsRefused() {
    byte[] bytes = filter().toBytes();
    for (int length = 0; length < bytes.length; length++) {
      assertRefused(Arrays.copyOf(bytes, length));
    }
    for (int i = 0; i < bytes.length * 8; i++) {
      byte[] flipped = bytes.clone();
      flipped[i / 8] ^= (byte) (1 << i % 8);
      assertRefused(flipped);
    }
  }

  /** The file with other schema bytes, all checksums and the schema's hash right. */
  private static byte[] forged(byte[] schema) {
    byte[] bytes = Forgery.full(filter().toBytes());
    byte[] body = Arrays.copyOfRange(bytes, bytes.length - 64, bytes.length);
    int section = (schema.length + 4 + 63) / 64 * 64;
    ByteBuffer out =
        ByteBuffer.allocate(HEADER + section + body.length).order(ByteOrder.LITTLE_ENDIAN);
    out.put(bytes, 0, HEADER).put(schema).position(HEADER + section).put(body);
    out.putLong(SCHEMA_HASH, HashScheme.DEFAULT.hash(schema));
    out.putLong(SCHEMA_LENGTH, schema.length);
    out.putInt(HEADER - 4, crc(out.array(), 0, HEADER - 4));
    out.putInt(HEADER + section - 4, crc(out.array(), HEADER, section - 4));
    return out.array();
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  @Test
  void theForgeryHelperProducesReadableFiles() throws Exception {
    assertThat(Filters.fromBytes(forged(SCHEMA.toBytes()))).isEqualTo(filter());
  }

  @Test
  void noOtherByteOfTheSchemaGivesAnotherReadingOfTheSameFile() throws Exception {
    byte[] schema = SCHEMA.toBytes();
    for (int i = 0; i < schema.length * 8; i++) {
      byte[] other = schema.clone();
      other[i / 8] ^= (byte) (1 << i % 8);
      byte[] bytes = forged(other);
      Throwable thrown = catchThrowable(() -> Filters.fromBytes(bytes));
      if (thrown == null) {
        // another schema, declared as it is: it writes the same bytes again
        assertThat(Forgery.full(Filters.fromBytes(bytes).toBytes())).isEqualTo(bytes);
      } else {
        assertThat(thrown).isInstanceOf(FilterFormatException.class);
      }
    }
  }

  @Test
  void forgedSchemasAreRefused() {
    byte[] schema = SCHEMA.toBytes();
    assertForged(Arrays.copyOf(schema, 5), "truncated schema");
    assertForged(Arrays.copyOf(schema, schema.length - 1), "truncated schema");
    assertForged(Arrays.copyOf(schema, schema.length + 1), "not canonical");
    assertForged(with(0, 101), "101 bits and 4 hashes in a filter of");
    assertForged(with(8, 5), "100 bits and 5 hashes in a filter of");
    assertForged(with(12, -1), "attributes");
    assertForged(with(15, 127), "attributes in");
    assertForged(with(16, 2), "truncated schema");
    assertForged(with(16, 0), "not canonical");
    assertForged(with(19, 0x80), "texts in");
    assertForged(with(19, 0x01), "texts in");
    assertForged(with(schema.length - 5, 3), "not canonical");
    assertForged(with(schema.length - 5, 0), "1 to 255 bytes");
    assertForged(with(20, 9), "unknown range scheme 9");
    assertForged(with(20, 4), "dyadic");
    assertForged(with(63, 4), "dyadic");
    assertForged(with(21, 2), "open domain");
    assertForged(with(22, -1), "scale");
    assertForged(with(23, 0), "1 to 255 bytes");
    assertForged(with(24, 0), "hashes of age");
    assertForged(with(28, 9), "shift of age");
    assertForged(with(32, 1), "not canonical");
    assertForged(with(36, 0), "divide of age");
    assertForged(with(60, 'c'), "not canonical");
    assertForged(with(60, -1), "not canonical");
    assertForged(new byte[0], "truncated schema");
  }

  @Test
  void aHashThatIsNotTheSchemasIsRefused() {
    byte[] bytes = forged(SCHEMA.toBytes());
    bytes[SCHEMA_HASH]++;
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(HEADER - 4, crc(bytes, 0, HEADER - 4));
    Throwable thrown = catchThrowable(() -> Filters.fromBytes(bytes));
    assertThat(thrown)
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("but the header has");
    assertThat(((FilterFormatException) thrown).offset()).isEqualTo(SCHEMA_HASH);
  }

  private static byte[] with(int offset, int value) {
    byte[] schema = SCHEMA.toBytes();
    schema[offset] = (byte) value;
    return schema;
  }

  private static void assertForged(byte[] schema, String what) {
    byte[] bytes = forged(schema);
    assertThat(catchThrowable(() -> Filters.fromBytes(bytes)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(what);
  }

  private static void assertRefused(byte[] bytes) {
    assertThat(catchThrowable(() -> Filters.fromBytes(bytes)))
        .isInstanceOf(FilterFormatException.class);
  }
}
