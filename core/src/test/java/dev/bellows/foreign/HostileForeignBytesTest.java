package dev.bellows.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.foreign.ForeignSamples.Sample;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Foreign formats have no checksum, so a wrong bit may give another filter. Reading always ends in
 * a filter or a clear exception, and claimed sizes never allocate memory.
 */
class HostileForeignBytesTest {
  static List<Sample> samples() throws IOException {
    return ForeignSamples.all();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everyTruncationIsRefused(Sample sample) {
    boolean bareBitset = sample.format() == Format.PARQUET && sample.headerBytes() == 0;
    for (int length = 0; length < sample.bytes().length; length++) {
      if (!bareBitset
          || length == 0
          || length % 32 != 0) { // a bare bitset does not store its length
        assertRefused(Arrays.copyOf(sample.bytes(), length), sample.format());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everyFlippedBitGivesAFilterOrAnException(Sample sample) {
    for (int i = 0; i < 8 * sample.bytes().length; i++) {
      byte[] flipped = sample.bytes().clone();
      flipped[i / 8] ^= (byte) (1 << (i % 8));
      assertReadOrRefused(flipped, sample.format());
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everyByteOfTheHeaderTakesEveryValue(Sample sample) {
    for (int i = 0; i < sample.headerBytes(); i++) {
      for (int value = 0; value < 256; value++) {
        byte[] changed = sample.bytes().clone();
        changed[i] = (byte) value;
        assertReadOrRefused(changed, sample.format());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void bytesAfterTheEndAreRefused(Sample sample) {
    assertRefused(Arrays.copyOf(sample.bytes(), sample.bytes().length + 1), sample.format());
    if (sample.headerBytes() > 0) {
      assertRefused(Arrays.copyOf(sample.bytes(), sample.bytes().length + 32), sample.format());
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void theCallersLimitIsRespected(Sample sample) throws IOException {
    long body = sample.bytes().length - sample.headerBytes();
    InputStream in = new ByteArrayInputStream(sample.bytes());
    assertThat(ForeignFilter.readFrom(in, sample.format(), ReadOptions.DEFAULT.withMaxBytes(body)))
        .isNotNull();
    for (long limit : new long[] {1, body - 1}) {
      InputStream again = new ByteArrayInputStream(sample.bytes());
      assertThatThrownBy(
              () ->
                  ForeignFilter.readFrom(
                      again, sample.format(), ReadOptions.DEFAULT.withMaxBytes(limit)))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("bytes");
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aStreamOfSingleBytesIsReadCompletely(Sample sample) throws IOException {
    InputStream slow =
        new FilterInputStream(new ByteArrayInputStream(sample.bytes())) {
          @Override
          public int read(byte[] b, int off, int len) throws IOException {
            return super.read(b, off, Math.min(len, 1));
          }
        };
    assertThat(ForeignFilter.readFrom(slow, sample.format(), ReadOptions.UNLIMITED).toBytes())
        .isEqualTo(sample.bytes());
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void emptyInputIsNotAFilter(Format format) {
    assertRefused(new byte[0], format);
  }

  @Test
  void impossibleNumbersAreRefusedAtTheirField() {
    assertForged(Format.GUAVA, "02 05 00000001", 0, "strategy 2");
    assertForged(Format.GUAVA, "01 00 00000001", 1, "0 hashes");
    assertForged(Format.GUAVA, "01 05 00000000", 2, "0 words");
    assertForged(Format.GUAVA, "01 05 ffffffff", 2, "-1 words");
    assertForged(Format.GUAVA, "01 05 7fffffff", 2, "2147483647 words");
    assertForged(Format.GUAVA, "ff 05 00000001", 0, "strategy 255");
    assertForged(Format.SPARK, "00000003 00000005 00000001", 0, "version 3");
    assertForged(Format.SPARK, "00000001 00000000 00000001", 4, "0 hashes");
    assertForged(Format.SPARK, "00000001 80000000 00000001", 4, "hashes");
    assertForged(Format.SPARK, "00000002 00000005 00000000 ffffff00", 12, "-256 words");
    assertForged(Format.HADOOP, "fffffffe 00000005 01 00000008", 0, "version -2");
    assertForged(Format.HADOOP, "00000000 00000008 01", 0, "version 0");
    assertForged(Format.HADOOP, "ffffffff 00000000 01 00000008 00", 4, "0 hashes");
    assertForged(Format.HADOOP, "ffffffff 00000005 02 00000008 00", 8, "hash function 2");
    assertForged(Format.HADOOP, "ffffffff 00000005 01 00000000", 9, "0 bits");
    assertForged(Format.HADOOP, "ffffffff 00000005 01 80000000", 9, "bits");
    assertForged(Format.HADOOP, "ffffffff 00000005 01 00000007 80", 13, "after the last");
    assertForged(Format.PARQUET, "15 40 1c1c00001c1c00001c1c0000 00", 15, "claims");
    assertForged(Format.PARQUET, "15 3f 1c1c00001c1c00001c1c0000 00", 15, "claims");
    assertForged(Format.PARQUET, "15 00 1c1c00001c1c00001c1c0000 00", 15, "0 bytes");
    assertForged(
        Format.PARQUET, "15 40 1c1c00001c1c00001c1c0000 00" + "00".repeat(17), 32, "claims");
  }

  /** Six bytes that make Guava allocate 16 GB, and similar ones for the other libraries. */
  @Test
  void aClaimOfManyGigabytesCostsNoMemory() {
    assertForged(Format.GUAVA, "01 05 7ffffff7", 6, "ends inside its bits");
    assertForged(Format.SPARK, "00000001 00000005 7ffffff7", 12, "ends inside its bits");
    assertForged(Format.SPARK, "00000002 00000005 00000000 7ffffff7", 16, "ends inside its bits");
    assertForged(Format.HADOOP, "ffffffff 00000005 01 7fffffff", 13, "ends inside");
    assertForged(Format.PARQUET, "15 feffffff0f 1c1c00001c1c00001c1c0000 00", 19, "claims");
  }

  private static void assertForged(Format format, String hex, long offset, String what) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    Throwable thrown =
        catchThrowable(() -> ForeignFilter.fromBytes(bytes, format, ReadOptions.UNLIMITED));
    assertThat(thrown).isInstanceOf(FilterFormatException.class).hasMessageContaining(what);
    assertThat(((FilterFormatException) thrown).offset()).as(hex).isEqualTo(offset);
  }

  private static void assertRefused(byte[] bytes, Format format) {
    Throwable thrown = catchThrowable(() -> ForeignFilter.fromBytes(bytes, format));
    assertThat(thrown).isInstanceOf(FilterFormatException.class);
    assertThat(((FilterFormatException) thrown).offset()).isBetween(0L, (long) bytes.length);
  }

  /** Whatever can be read can also be queried, explained, folded and written unchanged. */
  static void assertReadOrRefused(byte[] bytes, Format format) {
    try {
      ForeignFilter filter = ForeignFilter.fromBytes(bytes, format);
      filter.mightContain(ByteBuffer.allocate(8).putLong(1).array());
      assertThat(filter.expectedFpp()).isBetween(0.0, 1.0);
      assertThat(filter.explain()).contains(format.library());
      assertThat(filter.foldBy(filter.ladder().get(0).factor()).bits()).isPositive();
      assertThat(filter.toBytes()).isEqualTo(bytes);
    } catch (FilterFormatException refused) {
      assertThat(refused.offset()).isBetween(0L, (long) bytes.length);
    }
  }
}
