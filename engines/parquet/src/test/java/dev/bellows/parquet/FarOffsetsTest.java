package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of more than 2 GiB, most of which is a hole. */
class FarOffsetsTest {
  @TempDir Path folder;

  @Test
  void offsetsBeyondTwoGibibytesAreRight() throws IOException {
    long hole = (1L << 31) + (1 << 20);
    Path big = ParquetJava.write(folder.resolve("big.parquet"), ParquetJava.Shape.of(6_000));
    Path far =
        Rearranged.of(big, folder.resolve("far.parquet"), hole, Rearranged.Filters.AS_THEY_ARE);
    assertThat(Files.size(far)).isGreaterThan(hole);
    ParquetRewrite rewrite = ParquetFilters.planFold(far, FoldRequest.toFpp(0.01));
    Path folded = folder.resolve("folded.parquet");
    try (OutputStream out = new SparseOutput(folded)) {
      rewrite.writeTo(out, done -> {});
    }
    assertThat(Files.size(folded)).isEqualTo(rewrite.bytesAfter()).isGreaterThan(hole);
    List<ParquetFilter> filters = ParquetFilters.read(folded).filters();
    assertThat(filters).isNotEmpty().allMatch(filter -> filter.offset() > hole);
    assertThat(ParquetJava.rows(folded)).isEqualTo(ParquetJava.rows(big));
    MovedPagesTest.requireFound(folded);
  }

  /** A sparse file, whose zeros take no space on disk. */
  private static final class SparseOutput extends OutputStream {
    private static final byte[] ZEROS = new byte[1 << 20];

    private final FileChannel file;
    private long at;

    SparseOutput(Path path) throws IOException {
      this.file =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.WRITE,
              StandardOpenOption.SPARSE);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      boolean isZero =
          length == ZEROS.length && Arrays.equals(bytes, from, from + length, ZEROS, 0, length);
      if (!isZero) {
        file.write(ByteBuffer.wrap(bytes, from, length), at);
      }
      at += length;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
