package dev.bellows.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellows.AutoscalingBloomFilter;
import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.ElasticBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.KeyFilter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadLimits;
import dev.bellows.plan.Layout;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every wrong byte gives a clear exception, and a claim never costs memory. */
class HostileBytesTest {
  private static final int BITS_OFFSET = 72;
  private static final int SECTION_OFFSET = 88;

  private static List<KeyFilter> filters() {
    BloomFilter blocked = BloomFilter.create(100, 0.01);
    BloomFilter classic = BloomFilter.builder().bits(840).hashes(4).layout(Layout.CLASSIC).build();
    CountingBloomFilter counting =
        CountingBloomFilter.builder().bits(840).hashes(4).layout(Layout.CLASSIC).build();
    ElasticBloomFilter elastic = ElasticBloomFilter.builder().capacity(4096).fpp(0.1).build();
    List<KeyFilter> filters = List.of(blocked, classic, counting, elastic);
    for (KeyFilter filter : filters) {
      for (long i = 0; i < 60; i++) {
        filter.put(i);
      }
    }
    return filters;
  }

  /** Small files of every kind. */
  private static List<Filter> everyKind() {
    BloomFilter origin = BloomFilter.builder().bits(3072).hashes(8).id(1).build();
    origin.put(1L);
    List<Filter> all = new ArrayList<>(filters());
    all.add(FoldedFilters.of(origin.foldBy(2)).with(origin.foldBy(3)));
    AutoscalingBloomFilter autoscaling = HostileThresholdsTest.autoscaling();
    all.add(autoscaling);
    all.add(autoscaling.binarize());
    return all;
  }

  @Test
  void everyTruncationIsRefused() {
    for (Filter filter : everyKind()) {
      byte[] bytes = filter.toBytes();
      for (int length = 0; length < bytes.length; length++) {
        assertRefused(Arrays.copyOf(bytes, length), length);
      }
    }
  }

  @Test
  void everyFlippedBitIsRefused() {
    for (Filter filter : everyKind()) {
      byte[] bytes = filter.toBytes();
      for (int i = 0; i < bytes.length; i++) {
        for (int bit = 0; bit < 8; bit++) {
          byte[] flipped = bytes.clone();
          flipped[i] ^= (byte) (1 << bit);
          assertRefused(flipped, bytes.length);
        }
      }
    }
  }

  @Test
  void bytesAfterTheEndAreRefused() {
    byte[] bytes = filters().get(0).toBytes();
    assertThatThrownBy(() -> Filter.fromBytes(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("bytes follow its end (at byte " + bytes.length + ")");
  }

  private static void assertRefused(byte[] bytes, long length) {
    Throwable thrown = catchThrowable(() -> Filter.fromBytes(bytes));
    assertThat(thrown).isInstanceOf(FilterFormatException.class);
    assertThat(((FilterFormatException) thrown).offset()).isBetween(0L, length);
  }

  /** A header whose checksum is right, so that only its content can give it away. */
  private static byte[] forge(int offset, int width, long value) {
    return forge(filters().get(0), offset, width, value);
  }

  private static byte[] forge(Filter filter, int offset, int width, long value) {
    byte[] bytes = filter.toBytes();
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    switch (width) {
      case 2 -> header.putShort(offset, (short) value);
      case 4 -> header.putInt(offset, (int) value);
      default -> header.putLong(offset, value);
    }
    int length = header.getInt(16);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length - 4);
    header.putInt(length - 4, (int) crc.getValue());
    return bytes;
  }

  @Test
  void forgedHeadersAreRefusedAtTheFieldThatIsWrong() {
    assertForged(forge(8, 2, 2), 8, "format version 2");
    assertForged(forge(10, 2, 999), 10, "unknown kind 999");
    assertForged(forge(12, 2, 9), 12, "unknown hash scheme 9");
    assertForged(forge(14, 2, 1), 14, "reserved byte");
    assertForged(forge(20, 2, 2), SECTION_OFFSET, "reserved byte");
    assertForged(forge(20, 2, 4), 20, "4 parameters where the kind has 3");
    assertForged(forge(20, 2, 60_000), 16, "where its counts need");
    assertForged(forge(48, 8, 1), 48, "reserved byte");
    assertForged(forge(64, 8, 7), 64, "layout 7");
    assertForged(forge(BITS_OFFSET, 8, 0), BITS_OFFSET, "bits 0");
    assertForged(forge(BITS_OFFSET, 8, -512), BITS_OFFSET, "bits -512");
    assertForged(forge(BITS_OFFSET, 8, 513), BITS_OFFSET, "multiples of 512");
    assertForged(forge(BITS_OFFSET, 8, Long.MAX_VALUE), BITS_OFFSET, "bits");
    assertForged(forge(80, 8, 0), 80, "hashes 0");
    assertForged(forge(80, 8, 7), BITS_OFFSET, "8 or 16");
    assertForged(forge(SECTION_OFFSET, 8, -1), SECTION_OFFSET, "impossible");
    assertForged(forge(SECTION_OFFSET, 8, 8), SECTION_OFFSET, "where the parameters need");
    assertForged(forge(SECTION_OFFSET, 8, Long.MAX_VALUE / 8), SECTION_OFFSET, "where");
    assertForged(forge(BITS_OFFSET, 8, 512), SECTION_OFFSET, "where the parameters need 64");
  }

  @Test
  void forgedParametersOfEveryKindAreRefused() {
    KeyFilter counting = filters().get(2);
    assertForged(forge(counting, 88, 8, 5), 88, "4, 8, 16 or 32");
    assertForged(forge(counting, 88, 8, 64), 88, "counter bits 64");
    assertForged(forge(counting, 96, 8, 2), 96, "widening 2");
    Filter folded = everyKind().get(4);
    assertForged(forge(folded, 32, 8, 0), 64, "without an id");
    assertForged(forge(folded, 88, 8, 1536), 88, "bits 1536");
    assertForged(forge(folded, 88, 8, 100), 88, "multiples of 512");
    KeyFilter elastic = filters().get(3);
    assertForged(forge(elastic, 88, 8, 3), 88, "4, 8, 16 or 32");
    assertForged(forge(elastic, 104, 8, 0), 104, "view bits 0");
    assertForged(forge(elastic, 104, 8, 4000), 104, "cannot fold 4096 bits to 4000");
    assertForged(forge(elastic, 112, 8, -1), 112, "keys -1");
    assertForged(forge(elastic, 120, 8, Double.doubleToLongBits(Double.NaN)), 120, "NaN");
    assertForged(forge(elastic, 120, 8, Double.doubleToLongBits(2)), 120, "fpp");
    assertForged(forge(elastic, 128, 8, Double.doubleToLongBits(-1)), 120, "tolerance");
    assertForged(forge(elastic, 136, 8, 3), 136, "policy 3");
    assertForged(forge(elastic, 144, 8, 7), 144, "frozen 7");
  }

  private static void assertForged(byte[] bytes, long offset, String what) {
    Throwable thrown = catchThrowable(() -> Filter.fromBytes(bytes));
    assertThat(thrown).isInstanceOf(FilterFormatException.class).hasMessageContaining(what);
    assertThat(((FilterFormatException) thrown).offset()).isEqualTo(offset);
  }

  @Test
  void onesBehindTheLastBitAreRefused() {
    byte[] bytes = filters().get(1).toBytes();
    bytes[128 + 111] |= (byte) 0x80; // the last byte of 14 words; only 840 of 896 bits are real
    ByteBuffer body = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 128, 128 - 4);
    body.putInt(252, (int) crc.getValue());
    assertThatThrownBy(() -> Filter.fromBytes(bytes))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("behind the last of 840 bits");
  }

  @Test
  void aClaimOfManyGigabytesCostsNoMemory() {
    byte[] bytes = forge(BITS_OFFSET, 8, 64L * 2_000_000_000);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(SECTION_OFFSET, 16_000_000_000L);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, 124);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(124, (int) crc.getValue());
    assertThatThrownBy(() -> Filter.fromBytes(bytes))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("ends inside a section");
  }

  @Test
  void theCallersLimitIsRespected() {
    byte[] bytes = BloomFilter.create(100_000, 0.01).toBytes();
    assertThatThrownBy(
            () -> BloomFilter.readFrom(new ByteArrayInputStream(bytes), new ReadLimits(1000)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("limit is 1000");
  }

  @Test
  void anotherKindIsRefusedByName(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("counting");
    filters().get(2).writeTo(path);
    assertThatThrownBy(() -> BloomFilter.readFrom(path))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("kind counting where bloom was asked for");
  }

  @Test
  void aStreamThatGivesOneByteAtATimeIsReadWhole() throws IOException {
    Filter filter = filters().get(0);
    InputStream slow =
        new FilterInputStream(new ByteArrayInputStream(filter.toBytes())) {
          @Override
          public int read(byte[] b, int off, int len) throws IOException {
            return super.read(b, off, Math.min(len, 1));
          }
        };
    assertThat(BloomFilter.readFrom(slow, ReadLimits.NONE)).isEqualTo(filter);
  }
}
