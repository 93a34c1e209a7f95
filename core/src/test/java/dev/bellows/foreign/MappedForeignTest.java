package dev.bellows.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.MappedFilter;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.foreign.ForeignSamples.Sample;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A mapped filter of another library equals the one that is read. */
class MappedForeignTest {
  @TempDir Path folder;

  static List<Sample> samples() throws IOException {
    return ForeignSamples.all().stream()
        .filter(sample -> sample.format() != Format.HADOOP)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aMappedFilterEqualsTheReadOne(Sample sample) throws IOException {
    Path path = Files.write(folder.resolve("foreign"), sample.bytes());
    ForeignFilter read = ForeignFilter.readFrom(path, sample.format());
    ForeignFilter closed;
    try (MappedFilter<ForeignFilter> file = ForeignFilter.map(path, sample.format())) {
      ForeignFilter mapped = file.filter();
      assertThat(mapped).isEqualTo(read).hasSameHashCodeAs(read);
      assertThat(mapped.toBytes()).isEqualTo(sample.bytes());
      assertThat(mapped.stats()).isEqualTo(read.stats());
      assertThat(mapped.ladder()).isEqualTo(read.ladder());
      assertThat(mapped.explain()).isEqualTo(read.explain());
      for (long key = 0; key < 2000; key++) {
        assertThat(mapped.mightContain(key)).isEqualTo(read.mightContain(key));
      }
      long factor = read.ladder().get(0).factor();
      assertThat(mapped.foldBy(factor)).isEqualTo(read.foldBy(factor));
      assertThat(file.isStale()).isFalse();
      read.foldBy(factor).writeTo(path);
      assertThat(file.isStale()).isTrue();
      assertThat(mapped).isEqualTo(read);
      closed = mapped;
    }
    assertThatThrownBy(() -> closed.mightContain(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was closed");
  }

  /** Whatever the header and the length, mapping refuses what reading refuses. */
  @ParameterizedTest
  @MethodSource("samples")
  void filesRefusedWhenReadAreRefusedWhenMapped(Sample sample) throws IOException {
    for (int length = 0; length <= sample.bytes().length + 32; length += 1) {
      assertSame(Arrays.copyOf(sample.bytes(), length), sample.format());
    }
    for (int bit = 0; bit < 8 * sample.headerBytes(); bit++) {
      byte[] flipped = sample.bytes().clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      assertSame(flipped, sample.format());
    }
  }

  private void assertSame(byte[] bytes, Format format) throws IOException {
    Path path = Files.write(folder.resolve("foreign"), bytes);
    Optional<ForeignFilter> read =
        refusable(() -> ForeignFilter.fromBytes(bytes, format, ReadOptions.UNLIMITED));
    Optional<ForeignFilter> mapped = refusable(() -> ForeignFilter.map(path, format).filter());
    assertThat(mapped).isEqualTo(read);
  }

  private interface Opening {
    ForeignFilter open() throws IOException;
  }

  private static Optional<ForeignFilter> refusable(Opening opening) throws IOException {
    try {
      return Optional.of(opening.open());
    } catch (FilterFormatException e) {
      return Optional.empty();
    }
  }

  @Test
  void aFilterOfHadoopIsRead() {
    assertThatThrownBy(() -> ForeignFilter.map(folder, Format.HADOOP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("read it");
  }
}
