package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields of future format versions. */
class UnknownFieldsTest {
  private static final int ROW_GROUPS = 4;
  private static final int COLUMNS = 1;
  private static final int META_DATA = 3;

  @TempDir Path folder;

  private static ThriftStruct footer(byte[] file) throws IOException {
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    int start = file.length - 8 - length;
    return ThriftStruct.read(new ThriftInput(file, start, file.length - 8, 0));
  }

  private static ThriftStruct column(ThriftStruct footer, int number) throws IOException {
    ThriftStruct group = footer.structs(ROW_GROUPS, COLUMNS).get(0);
    return group.structs(COLUMNS, META_DATA).get(number).struct(META_DATA);
  }

  private byte[] sample() throws IOException {
    Path file = ParquetJava.write(folder.resolve("file.parquet"), ParquetJava.Shape.of(3_000));
    return Files.readAllBytes(Rearranged.of(file, folder.resolve("between.parquet")));
  }

  @Test
  void unknownFieldsSurviveFoldingAndTheRowsToo() throws IOException {
    byte[] bytes = sample();
    ThriftStruct footer = footer(bytes);
    footer.set(200, ThriftInput.I64, Long.MIN_VALUE);
    column(footer, 0).set(77, ThriftInput.I32, 7);
    column(footer, 1).set(13_000, ThriftInput.I64, 1L << 40);
    Path strange = folder.resolve("strange.parquet");
    Files.write(strange, Footers.with(bytes, footer.toBytes()));
    Path folded = folder.resolve("folded.parquet");
    ParquetFilters.fold(strange, folded, FoldRequest.toFpp(0.01));
    ThriftStruct after = footer(Files.readAllBytes(folded));
    assertThat(after.number(200)).hasValue(Long.MIN_VALUE);
    assertThat(column(after, 0).number(77)).hasValue(7);
    assertThat(column(after, 1).number(13_000)).hasValue(1L << 40);
    assertThat(ParquetJava.rows(folded)).hasSize(3_000).isEqualTo(ParquetJava.rows(strange));
  }

  @Test
  void anExtensionThatMayRepeatOffsetsIsRefused() throws IOException {
    byte[] bytes = sample();
    ThriftStruct footer = footer(bytes);
    footer.set(32_767, ThriftInput.I64, 1);
    Path extended = folder.resolve("extended.parquet");
    Files.write(extended, Footers.with(bytes, footer.toBytes()));
    assertThatThrownBy(() -> ParquetFilters.planFold(extended, FoldRequest.toFpp(0.01)))
        .isInstanceOf(ParquetFormatException.class)
        .hasMessageContaining("extension (field 32767)");
  }
}
