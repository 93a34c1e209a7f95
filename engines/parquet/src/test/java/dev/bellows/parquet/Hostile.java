package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Properties that must hold for any bytes that are read as a Parquet file. */
final class Hostile {
  private static final FoldRequest REQUEST = FoldRequest.toFpp(0.5);

  private Hostile() {}

  /** A small file with two row groups and filters of a few blocks, between the row groups. */
  static byte[] sample(Path folder) throws IOException {
    Path plain =
        ParquetJava.write(
            folder.resolve("plain.parquet"),
            new ParquetJava.Shape(CompressionCodecName.UNCOMPRESSED, false, 200, 1_000, 200));
    return Files.readAllBytes(Rearranged.of(plain, folder.resolve("sample.parquet")));
  }

  /**
   * Folds and drops: either the file is refused, or the new one has the same pages, and filters
   * with the same keys.
   *
   * @return whether it was folded
   */
  static boolean foldsOrRefuses(Path file) throws IOException {
    ParquetRewrite rewrite;
    try {
      rewrite = ParquetFilters.planFold(file, REQUEST);
    } catch (ParquetFormatException refused) {
      assertThat(refused.offset()).isBetween(0L, Files.size(file));
      return false;
    }
    Path folded = file.resolveSibling("folded.parquet");
    write(rewrite, folded);
    assertThat(Files.size(folded)).isEqualTo(rewrite.bytesAfter());
    requireSame(file, folded);
    assertThat(ParquetFilters.planFold(folded, REQUEST).changes()).isEmpty();
    Path bare = file.resolveSibling("bare.parquet");
    write(ParquetFilters.planDrop(file, Set.of()), bare);
    assertThat(ParquetFilters.read(bare).filters()).isEmpty();
    return true;
  }

  private static void write(ParquetRewrite rewrite, Path path) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    rewrite.writeTo(out, done -> {});
    rewrite(path, out.toByteArray());
  }

  /**
   * Rewrites a file. Truncating a file that was just written may wait for the disk; deleting it
   * does not.
   */
  static Path rewrite(Path path, byte[] bytes) throws IOException {
    Files.deleteIfExists(path);
    return Files.write(path, bytes);
  }

  private static void requireSame(Path before, Path after) throws IOException {
    try (FileChannel old = FileChannel.open(before, StandardOpenOption.READ);
        FileChannel now = FileChannel.open(after, StandardOpenOption.READ)) {
      Footer oldFooter = Footer.read(old);
      Footer newFooter = Footer.read(now);
      List<Chunk> chunks = newFooter.chunks();
      assertThat(chunks).hasSameSizeAs(oldFooter.chunks());
      for (int i = 0; i < chunks.size(); i++) {
        Chunk was = oldFooter.chunks().get(i);
        Chunk is = chunks.get(i);
        assertThat(is.pageBytes()).isEqualTo(was.pageBytes());
        if (is.pageBytes() > 0) {
          assertThat(Regions.read(now, is.firstPage(), (int) is.pageBytes()))
              .isEqualTo(Regions.read(old, was.firstPage(), (int) was.pageBytes()));
        }
        assertThat(is.hasFilter()).isEqualTo(was.hasFilter());
        if (is.hasFilter()) {
          HeapBits filter = ChunkFilter.of(now, newFooter, is).bits(now);
          HeapBits unfolded = ChunkFilter.of(old, oldFooter, was).bits(old);
          assertThat(filter).isEqualTo(SplitBlocks.resize(unfolded, SplitBlocks.blocks(filter)));
        }
      }
    }
  }

  /** Footers that claim far more than they contain, in an otherwise valid file. */
  static List<byte[]> claims(byte[] file) {
    byte[] stops = new byte[100_000];
    stops[0] = 0x49; // field 4, a list
    stops[1] = (byte) 0xfc; // of structs
    stops[2] = (byte) 0x90; // 99,984 of them, all empty
    stops[3] = (byte) 0x8d;
    stops[4] = 0x06;
    byte[] deep = new byte[5_000];
    Arrays.fill(deep, 0, 2_500, (byte) 0x1c);
    return List.of(
        Footers.with(file, new byte[] {0x49, (byte) 0xfc, -1, -1, -1, -1, 0x07}),
        Footers.with(file, new byte[] {0x48, -1, -1, -1, -1, 0x07}),
        Footers.with(file, new byte[] {0x15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}),
        Footers.with(file, new byte[] {0x4b, -1, -1, -1, -1, 0x07, (byte) 0xcc}),
        Footers.with(file, new byte[] {0}),
        Footers.with(file, stops),
        Footers.with(file, deep),
        ByteBuffer.allocate(12)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(Footer.MAGIC)
            .putInt(Integer.MIN_VALUE)
            .put(Footer.MAGIC)
            .array());
  }
}
