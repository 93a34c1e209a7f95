package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ThriftStructTest {
  /**
   * Field 1 = i32 5; field 3 (long form, though short would do) = binary "ab"; field 40 = map of
   * one text to a list of truth values; field 41 = true; field -2 (backwards) = double; field 42 =
   * struct with field 1 = i64 300.
   */
  private static final String ODD =
      "150a"
          + "0806"
          + "026162"
          + "0b50"
          + "0189"
          + "016b"
          + "21"
          + "0102"
          + "11"
          + "0703"
          + "0102030405060708"
          + "0c54"
          + "16d804"
          + "00"
          + "00";

  private static ThriftStruct read(String hex) throws ParquetFormatException {
    byte[] bytes = HexFormat.of().parseHex(hex);
    return ThriftStruct.read(new ThriftInput(bytes, 0, bytes.length, 0));
  }

  private static String hex(ThriftStruct struct) {
    return HexFormat.of().formatHex(struct.toBytes());
  }

  @Test
  void unchangedPartsAreWrittenByteForByte() throws ParquetFormatException {
    ThriftStruct struct = read(ODD);
    assertThat(struct.number(1)).hasValue(5);
    assertThat(struct.text(3)).hasValue("ab");
    assertThat(struct.isTrue(41)).isTrue();
    assertThat(struct.struct(42).number(1)).hasValue(300);
    assertThat(hex(struct)).isEqualTo(ODD);
  }

  @Test
  void onlyTheChangedNumberDiffers() throws ParquetFormatException {
    ThriftStruct struct = read(ODD);
    struct.struct(42).set(1, ThriftInput.I64, -1);
    assertThat(hex(struct)).isEqualTo(ODD.replace("16d804", "1601"));
    assertThat(struct.struct(42).number(1)).hasValue(-1);
  }

  @Test
  void aHeaderFollowsTheFieldBeforeIt() throws ParquetFormatException {
    ThriftStruct struct = read("150a" + "150c" + "150e" + "00");
    struct.remove(2);
    assertThat(hex(struct)).isEqualTo("150a" + "250e" + "00");
    struct.set(2, ThriftInput.I64, 6);
    assertThat(hex(struct)).isEqualTo("150a" + "160c" + "150e" + "00");
    struct.set(100, ThriftInput.I32, 1);
    assertThat(hex(struct)).isEqualTo("150a" + "160c" + "150e" + "05c80102" + "00");
    assertThat(read(hex(struct)).number(100)).hasValue(1);
  }

  @Test
  void impossibleBytesAreRefusedWithTheirPlace() {
    assertThatThrownBy(() -> read("15")).hasMessageContaining("ends too early");
    assertThatThrownBy(() -> read("18ff01")).hasMessageContaining("255 elements");
    assertThatThrownBy(() -> read("19fcffffff0f")).hasMessageContaining("elements where");
    assertThatThrownBy(() -> read("1e00")).hasMessageContaining("unknown type 14");
    assertThatThrownBy(() -> read("15ffffffffffffffffffff0100"))
        .hasMessageContaining("more than ten bytes");
    assertThatThrownBy(() -> read("1c".repeat(100) + "00".repeat(101)))
        .hasMessageContaining("levels");
    assertThatThrownBy(() -> read("150a0502" + "0c" + "00").number(1))
        .isInstanceOf(ParquetFormatException.class)
        .hasMessageContaining("field 1 appears twice");
  }
}
