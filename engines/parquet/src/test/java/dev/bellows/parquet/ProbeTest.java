package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values are hashed as parquet-java hashes them, in every type that has filters. */
class ProbeTest {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message types {
            required int32 int;
            required int64 long;
            required int32 uint (INTEGER(32, false));
            required int64 ulong (INTEGER(64, false));
            required float float;
            required double double;
            required float zero;
            required double nan;
            required binary text (STRING);
            required binary kind (ENUM);
            required binary bytes;
            required int32 date (DATE);
            required int64 millis (TIMESTAMP(MILLIS, true));
            required int64 micros (TIMESTAMP(MICROS, false));
            required int64 nanos (TIMESTAMP(NANOS, true));
            required int32 time (TIME(MILLIS, true));
            required int32 dec4 (DECIMAL(9, 2));
            required int64 dec8 (DECIMAL(18, 3));
            required fixed_len_byte_array(12) fixed (DECIMAL(25, 1));
            required binary dec (DECIMAL(30, 4));
            required fixed_len_byte_array(16) uuid (UUID);
            required int96 old;
          }
          """);

  private static final UUID ID = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
  private static final byte[] OLD = HexFormat.of().parseHex("000102030405060708090a0b");

  @TempDir static Path folder;
  private static Path file;

  @BeforeAll
  static void write() throws IOException {
    List<String> columns = SCHEMA.getFields().stream().map(field -> field.getName()).toList();
    file =
        ParquetJava.write(
            folder.resolve("types.parquet"), SCHEMA, columns, 1, (group, row) -> fill(group));
  }

  private static Binary padded(BigDecimal value, int length) {
    byte[] digits = value.unscaledValue().toByteArray();
    byte[] padded = new byte[length];
    Arrays.fill(padded, (byte) (value.signum() < 0 ? -1 : 0));
    System.arraycopy(digits, 0, padded, length - digits.length, digits.length);
    return Binary.fromConstantByteArray(padded);
  }

  private static void fill(Group group) {
    group
        .append("int", -7)
        .append("long", Long.MIN_VALUE)
        .append("uint", (int) 4_000_000_000L)
        .append("ulong", -1L)
        .append("float", 0.1f)
        .append("double", -1e300)
        .append("zero", -0.0f)
        .append("nan", Double.NaN)
        .append("text", "grüße")
        .append("kind", "RED")
        .append("bytes", Binary.fromConstantByteArray(new byte[] {0, -1, 7}))
        .append("date", (int) LocalDate.of(2026, 1, 31).toEpochDay())
        .append("millis", Instant.parse("2026-01-31T12:00:00.123Z").toEpochMilli())
        .append("micros", -1L)
        .append("nanos", 1_000_000_000L * 1_769_860_800L + 5)
        .append("time", 1_234)
        .append("dec4", -1250)
        .append("dec8", 1_000_000_000_001L)
        .append("fixed", padded(new BigDecimal("-12.5"), 12))
        .append("dec", Binary.fromConstantByteArray(new BigInteger("-129").toByteArray()))
        .append(
            "uuid",
            Binary.fromConstantByteArray(
                ByteBuffer.allocate(16)
                    .putLong(ID.getMostSignificantBits())
                    .putLong(ID.getLeastSignificantBits())
                    .array()))
        .append("old", Binary.fromConstantByteArray(OLD));
  }

  private static ParquetIndex index(String column) throws IOException {
    return ParquetIndex.of(List.of(file), column, 0.000_001);
  }

  @ParameterizedTest
  @CsvSource({
    "int, -7, 7",
    "long, -9223372036854775808, 1",
    "uint, 4000000000, 1",
    "ulong, 18446744073709551615, 1",
    "float, 0.1, 0.2",
    "double, -1e300, 1e300",
    "zero, 0, 1",
    "zero, -0.0, 1",
    "text, grüße, Grüße",
    "kind, RED, BLUE",
    "date, 2026-01-31, 2026-02-01",
    "date, 20484, 20485",
    "millis, 2026-01-31T12:00:00.123Z, 2026-01-31T12:00:00.124Z",
    "millis, 2026-01-31T13:00:00.123+01:00, 2026-01-31T13:00:00.123Z",
    "micros, 1969-12-31T23:59:59.999999, 1970-01-01T00:00:00",
    "micros, -1, 1",
    "nanos, 2026-01-31T12:00:00.000000005Z, 2026-01-31T12:00:00Z",
    "time, 1234, 1235",
    "dec4, -12.5, 12.50",
    "dec8, 1000000000.001, 1",
    "fixed, -12.5, 12.5",
    "dec, -0.0129, 0.0129",
    "uuid, 123e4567-e89b-12d3-a456-426614174000, 00000000-0000-0000-0000-000000000000",
  })
  void textsFindTheirValue(String column, String present, String absent) throws IOException {
    ParquetIndex index = index(column);
    assertThat(index.indexedCandidates(present)).containsExactly(file);
    assertThat(index.indexedCandidates(absent)).isEmpty();
  }

  @Test
  void objectsFindTheirValue() throws IOException {
    assertThat(index("int").indexedCandidates(-7)).hasSize(1);
    assertThat(index("long").indexedCandidates(Long.MIN_VALUE)).hasSize(1);
    assertThat(index("float").indexedCandidates(0.1f)).hasSize(1);
    assertThat(index("double").indexedCandidates(-1e300)).hasSize(1);
    assertThat(index("date").indexedCandidates(LocalDate.of(2026, 1, 31))).hasSize(1);
    assertThat(index("millis").indexedCandidates(Instant.parse("2026-01-31T12:00:00.123Z")))
        .hasSize(1);
    assertThat(index("dec8").indexedCandidates(new BigDecimal("1000000000.0010"))).hasSize(1);
    assertThat(index("uuid").indexedCandidates(ID)).hasSize(1);
    assertThat(index("old").indexedCandidates(OLD)).hasSize(1);
    assertThat(index("bytes").indexedCandidates(new byte[] {0, -1, 7})).hasSize(1);
    assertThat(index("bytes").indexedCandidates(new byte[] {0, -1, 8})).isEmpty();
    assertThat(index("text").indexedCandidates("grüße".getBytes(StandardCharsets.UTF_8)))
        .hasSize(1);
  }

  @Test
  void noFilterExcludesNaNBecauseItHasManyForms() throws IOException {
    assertThat(index("double").indexedCandidates(Double.NaN)).hasSize(1);
    assertThat(index("nan").indexedCandidates("NaN")).hasSize(1);
  }

  @Test
  void valuesThatATypeCannotHoldAreInNoFile() throws IOException {
    assertThat(index("int").indexedCandidates(1L << 40)).isEmpty();
    assertThat(index("ulong").indexedCandidates("18446744073709551616")).isEmpty();
    assertThat(index("fixed").indexedCandidates("9".repeat(40))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "int, seven, write a whole number",
    "uint, -1, not negative",
    "date, yesterday, 2026-01-31",
    "micros, 2026-01-31T12:00:00.000000001, 2026-01-31T12:00:00Z",
    "dec4, 12.505, at most 2 digits after the point",
    "uuid, 12, 123e4567",
    "old, 2026-01-31, plain-encoded bytes",
  })
  void textsOfOtherTypesAreRefusedWithTheRightForm(String column, String text, String hint)
      throws IOException {
    ParquetIndex index = index(column);
    assertThatThrownBy(() -> index.indexedCandidates(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(text, "is not a value of a column of type", hint);
  }
}
