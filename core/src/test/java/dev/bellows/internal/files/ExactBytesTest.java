package dev.bellows.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory for a written filter: exactly its size, or a clear exception if it does not fit. */
class ExactBytesTest {
  @Test
  void filtersTooLargeForAnArrayAreRefusedBeforeWriting() {
    for (long bytes : new long[] {3L << 30, Integer.MAX_VALUE - 7L, 1L << 40}) {
      assertThatThrownBy(() -> new ExactBytes().reserve(bytes))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "a filter of %d bytes does not fit into one array: write it to a stream or a file"
                  .formatted(bytes));
    }
  }

  @Test
  void theHeaderOfALargeFilterSaysSo() {
    FilterHeader large =
        new FilterHeader(
            FilterKind.BLOOM, 1, 0, 0, 0, 0, List.of(0L, 24L << 30, 1L), List.of(3L << 30));
    assertThat(large.fileBytes()).isGreaterThan(3L << 30);
    assertThatThrownBy(() -> FilterWriter.toBytes(out -> FilterWriter.begin(out, large)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(large.fileBytes() + " bytes")
        .hasMessageContaining("write it to a stream or a file");
  }

  /** A part fits and the whole does not. */
  @Test
  void allPartsTogetherMustFit() {
    ExactBytes bytes = new ExactBytes();
    bytes.write(new byte[100], 0, 100);
    assertThatThrownBy(() -> bytes.reserve(Integer.MAX_VALUE - 100L))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("2147483647 bytes");
    assertThat(bytes.toBytes()).hasSize(100);
  }

  @Test
  void bytesAreThoseWritten() throws IOException {
    ExactBytes bytes = new ExactBytes();
    bytes.reserve(2);
    bytes.write(1);
    bytes.write(new byte[] {9, 2, 3, 9}, 1, 2);
    bytes.reserve(1);
    bytes.write(4);
    assertThat(bytes.toBytes()).containsExactly(1, 2, 3, 4);
    assertThatThrownBy(() -> bytes.write(new byte[3], 2, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
