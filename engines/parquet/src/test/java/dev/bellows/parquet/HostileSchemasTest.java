package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.io.FilterFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small files that once took far more memory or time than their size justifies. */
class HostileSchemasTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = ParquetJava.write(folder.resolve("file.parquet"), ParquetJava.Shape.of(300).told(50));
  }

  private static SchemaElement group(String name, int children) {
    return new SchemaElement(name).setNum_children(children);
  }

  private static SchemaElement leaf(String name) {
    return new SchemaElement(name).setType(Type.INT32);
  }

  /** The columns of the file, and others that no row group has. */
  private Path withMore(List<SchemaElement> more, int rootChildren) throws IOException {
    return Footers.change(
        file,
        folder.resolve("more.parquet"),
        footer -> {
          List<SchemaElement> schema = new ArrayList<>(footer.getSchema());
          schema.get(0).setNum_children(schema.get(0).getNum_children() + rootChildren);
          schema.addAll(more);
          footer.setSchema(schema);
        });
  }

  /** 30,000 levels: joined prefixes would have 450 million names. */
  @Test
  void deepSchemasTakeMemoryLikeTheirBytes() throws IOException {
    List<SchemaElement> deep = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      deep.add(group("abcdefgh", 2));
      deep.add(leaf("x"));
    }
    deep.add(leaf("y"));
    assertThat(ParquetFilters.read(withMore(deep, 1)).filters()).isNotEmpty();
  }

  /** A name of a megabyte over 20,000 columns: joined, 20 GB. */
  @Test
  void longNamesOfGroupsAreKeptOnce() throws IOException {
    List<SchemaElement> wide = new ArrayList<>();
    wide.add(group("g".repeat(1 << 20), 20_000));
    for (int i = 0; i < 20_000; i++) {
      wide.add(leaf("c" + i));
    }
    assertThat(ParquetFilters.read(withMore(wide, 1)).filters()).isNotEmpty();
  }

  @Test
  void millionsOfElementsAreRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int count = 4_000_000;
    ByteBuffer footer = ByteBuffer.allocate(5 * count + 100);
    footer.put(new byte[] {0x15, 2, 0x19, (byte) 0xfc}); // version; the list of schema elements
    varint(footer, count);
    for (int i = 0; i < count; i++) {
      footer.put(new byte[] {0x15, 2, 0x38, 0, 0}); // type INT32, an empty name
    }
    footer.put(new byte[] {0x16, 2, 0x19, 0x0c, 0}); // one row, no row groups
    Path many = write(bytes, footer);
    assertThatThrownBy(() -> ParquetFilters.read(many))
        .isInstanceOf(ParquetFormatException.class)
        .hasMessageContainingAll("a schema of 4000000 elements", "at most 1048576");
  }

  @Test
  void millionsOfFieldsAreRefused() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int count = 8_000_000;
    ByteBuffer footer = ByteBuffer.allocate(count + count / 1000 + 100);
    for (int i = 0; i < count; i++) {
      footer.put((byte) (i % 30_000 == 0 ? 0x01 : 0x11)); // a truth value takes one byte
      if (i % 30_000 == 0) {
        footer.put((byte) 0x64); // field 50
      }
    }
    footer.put((byte) 0);
    Path many = write(bytes, footer);
    assertThatThrownBy(() -> ParquetFilters.read(many))
        .isInstanceOf(ParquetFormatException.class)
        .hasMessageContaining("more than its bytes justify");
  }

  /** Many chunks that name the same filter would cause it to be read repeatedly. */
  @Test
  void filtersThatOverlapAreRefusedBeforeTheyAreRead() throws IOException {
    Path shared =
        Footers.change(
            file,
            folder.resolve("shared.parquet"),
            footer -> {
              for (int i = 0; i < 2; i++) {
                var column = footer.getRow_groups().get(0).getColumns().get(i).getMeta_data();
                var first = footer.getRow_groups().get(0).getColumns().get(0).getMeta_data();
                column.setBloom_filter_offset(first.getBloom_filter_offset());
                column.setBloom_filter_length(first.getBloom_filter_length());
              }
            });
    assertThatThrownBy(() -> ParquetFilters.read(shared))
        .isInstanceOf(ParquetFormatException.class)
        .hasMessageContaining("overlaps");
  }

  /** The bytes of such a decimal are not allocated: its filter is not queried. */
  @Test
  void aDecimalOfTwoGigabytesIsNotMade() {
    ColumnType type =
        new ColumnType(
            ColumnType.Physical.FIXED_LEN_BYTE_ARRAY,
            ColumnType.Meaning.DECIMAL,
            Integer.MAX_VALUE,
            2);
    assertThat(
            ValueHashes.of(type, "12.50").mayBeIn(dev.bellows.internal.bits.HeapBits.aligned(512)))
        .isTrue();
  }

  @Test
  void anIndexWithAnImpossibleTypeOrCountIsRefused() throws IOException {
    Path index = folder.resolve("x.index");
    index(index, 1, 0, Integer.MAX_VALUE);
    assertThatThrownBy(() -> ParquetIndex.readFrom(index))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("cannot have length 0 and scale 2147483647");
    index(index, 1, -5, 2);
    assertThatThrownBy(() -> ParquetIndex.readFrom(index))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("cannot have length -5");
    index(index, 100_000_000, 0, 2);
    assertThatThrownBy(() -> ParquetIndex.readFrom(index))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("it claims 100000000 entries");
    index(index, 1, 0, 2);
    assertThat(ParquetIndex.readFrom(index).files()).hasSize(1);
  }

  /** An index of one file with a right checksum. */
  private static void index(Path path, int files, int length, int scale) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
    out.put(new byte[] {(byte) 0x89, 'B', 'L', 'P', 'Q', '\r', '\n', 0x1A}).putInt(1);
    text(out, "price");
    out.putDouble(0.01).putInt(1);
    text(out, "data");
    out.putInt(files);
    text(out, "data/a.parquet");
    out.putLong(1).putLong(1).put((byte) 1);
    text(out, "BYTE_ARRAY");
    text(out, "DECIMAL");
    out.putInt(length).putInt(scale).putInt(2).put(new byte[64]);
    CRC32C checksum = new CRC32C();
    checksum.update(out.array(), 0, out.position());
    out.putInt((int) checksum.getValue());
    Files.write(path, Arrays.copyOf(out.array(), out.position()));
  }

  private static void text(ByteBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length).put(bytes);
  }

  private static void varint(ByteBuffer out, int value) {
    int rest = value;
    for (; rest >= 0x80; rest >>>= 7) {
      out.put((byte) (rest | 0x80));
    }
    out.put((byte) rest);
  }

  private Path write(byte[] bytes, ByteBuffer footer) throws IOException {
    byte[] thrift = Arrays.copyOf(footer.array(), footer.position());
    return Files.write(folder.resolve("many.parquet"), Footers.with(bytes, thrift));
  }

  /** A column whose name has a dot, next to a group: both are written a.b. */
  @Test
  void columnsWithTheSamePathWithDotsAreToldApart() throws IOException {
    MessageType schema =
        new MessageType(
            "m",
            Types.required(PrimitiveType.PrimitiveTypeName.INT64).named("a.b"),
            Types.requiredGroup()
                .addField(Types.required(PrimitiveType.PrimitiveTypeName.INT32).named("b"))
                .named("a"));
    Path both =
        ParquetJava.write(
            folder.resolve("both.parquet"),
            schema,
            List.of(),
            1_000,
            (group, row) -> {
              group.append("a.b", (long) row);
              group.addGroup("a").append("b", -row);
            });
    assertThatThrownBy(() -> ParquetFilterAdder.plan(both, Set.of("a.b"), 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two columns are named a.b");
    try (var channel = java.nio.channels.FileChannel.open(both)) {
      assertThat(Footer.read(channel).chunks())
          .extracting(chunk -> chunk.type().physical())
          .containsExactly(ColumnType.Physical.INT64, ColumnType.Physical.INT32);
    }
    assertThat(IndexedFile.read(both, "a.b", 0.01).filter()).isNull();
  }
}
