package dev.bellows.mapped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.MappedFilter;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files beyond 2 GiB and 16 GiB, with a few keys: sparse, so that they cost little. */
class LargeMappedFilterTest {
  private static final int PIECE = 1 << 20;
  private static final int KEYS = 40;

  @TempDir Path folder;

  /** A sparse file of a filter with the longs from 0 on. */
  private Path write(Shape shape, int keys) throws IOException {
    Positions positions = shape.positions();
    Map<Long, Long> words = new TreeMap<>();
    for (long key = 0; key < keys; key++) {
      long hash = shape.scheme().hash(key);
      long value = positions.begin(hash);
      for (int probe = 0; probe < positions.hashes(); probe++) {
        value = positions.step(value, probe);
        long at = positions.at(hash, value, probe);
        words.merge(at >>> 6, 1L << at, (a, b) -> a | b);
      }
    }
    return write(shape, words);
  }

  private Path write(Shape shape, Map<Long, Long> words) throws IOException {
    long payload = shape.bits() / 8;
    FilterHeader header = ShapeCodec.header(FilterKind.BLOOM, shape, List.of(), List.of(payload));
    ByteArrayOutputStream start = new ByteArrayOutputStream();
    FilterWriter.begin(start, header);
    Map<Long, ByteBuffer> pieces = new TreeMap<>();
    words.forEach(
        (index, word) -> {
          ByteBuffer piece =
              pieces.computeIfAbsent(
                  8 * index / PIECE,
                  i -> ByteBuffer.allocate(PIECE).order(ByteOrder.LITTLE_ENDIAN));
          piece.putLong((int) (8 * index % PIECE), word);
        });
    int count = (int) ((payload - 1) / PIECE + 1);
    int[] checksums = new int[count];
    Arrays.fill(checksums, crc(new byte[PIECE], PIECE));
    int lastBytes = (int) (payload - (count - 1L) * PIECE);
    checksums[count - 1] = crc(new byte[PIECE], lastBytes);
    Path path = folder.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(header.fileBytes());
      file.write(start.toByteArray());
      for (Map.Entry<Long, ByteBuffer> piece : pieces.entrySet()) {
        int index = (int) (long) piece.getKey();
        int length = index == count - 1 ? lastBytes : PIECE;
        checksums[index] = crc(piece.getValue().array(), length);
        file.seek(start.size() + piece.getKey() * PIECE);
        file.write(piece.getValue().array(), 0, length);
      }
      long ending = start.size() + payload;
      ByteBuffer table =
          ByteBuffer.allocate((int) (header.fileBytes() - ending)).order(ByteOrder.LITTLE_ENDIAN);
      table.asIntBuffer().put(checksums);
      table.putInt(table.capacity() - 4, crc(table.array(), table.capacity() - 4));
      file.seek(ending);
      file.write(table.array());
    }
    return path;
  }

  private static int crc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  private static Shape shape(Layout.Family layout, long bits) {
    return new Shape(layout.withHashes(8), bits, HashScheme.DEFAULT);
  }

  /** Beyond the 2 GiB of a buffer and the 16 GiB of an array. */
  @ParameterizedTest
  @CsvSource({
    "BLOCKED, 2200",
    "CLASSIC, 2200",
    "BLOCKED, 17000",
    "CLASSIC, 17000",
    "BLOCKED, 70000"
  })
  void largeFilesAnswer(Layout.Family layout, long mebibytes) throws IOException {
    long bits = (mebibytes << 23) + 512 * 7;
    try (MappedFilter<BloomFilter> file = BloomFilter.map(write(shape(layout, bits), KEYS))) {
      BloomFilter mapped = file.filter();
      assertThat(mapped.bits()).isEqualTo(bits);
      for (long key = 0; key < KEYS; key++) {
        assertThat(mapped.mightContain(key)).isTrue();
      }
      long[] keys = LongStream.range(0, KEYS + 20).toArray();
      assertThat(mapped.countMightContain(keys, new boolean[keys.length])).isEqualTo(KEYS);
    }
  }

  @Test
  void bitsNextToTheBordersOfSegmentsAreFound() throws IOException {
    long bits = 1100L << 23;
    long segment = 1L << 27;
    Map<Long, Long> words = new TreeMap<>();
    for (long index : new long[] {0, segment - 1, segment, bits / 64 - 1}) {
      words.put(index, ~index);
    }
    Shape shape = shape(Layout.Family.CLASSIC, bits);
    try (MappedFilter<BloomFilter> file = BloomFilter.map(write(shape, words))) {
      BloomFilter mapped = file.filter();
      assertThat(mapped.stats().ones())
          .isEqualTo(words.values().stream().mapToLong(Long::bitCount).sum());
      byte[] bytes = mapped.foldBy(1100).toBytes();
      ByteBuffer folded = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      int count = PIECE / 8;
      long[] or = new long[count];
      words.forEach((index, word) -> or[(int) (index % count)] |= word);
      for (int i = 0; i < count; i++) {
        assertThat(folded.getLong(128 + 8 * i) == or[i]).as("word %d", i).isTrue();
      }
    }
  }

  @Test
  void filtersLargerThanTheHeapAreNotReadOntoIt() throws IOException {
    long bits = 17_000L << 23;
    Path path = write(shape(Layout.Family.BLOCKED, bits), 1);
    assertThatThrownBy(() -> BloomFilter.FORMAT.readFrom(path, ReadOptions.UNLIMITED))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("bits " + bits);
    try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
      BloomFilter mapped = file.filter();
      assertThatThrownBy(mapped::copy)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("more than one filter can hold");
    }
    assertThatThrownBy(() -> BloomFilter.builder().bits(bits).hashes(8).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than one filter can hold");
  }
}
