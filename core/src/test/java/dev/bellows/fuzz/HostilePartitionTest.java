package dev.bellows.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellows.DynamicPartitionBloomFilter;
import dev.bellows.Filter;
import dev.bellows.PartitionMode;
import dev.bellows.ScalableBloomFilter;
import dev.bellows.io.FilterFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Growing filters whose checksums are right and whose content is not. */
class HostilePartitionTest {
  private static final int PARAMETERS = 64;

  private static DynamicPartitionBloomFilter partition(PartitionMode mode) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder().universe(1000).depth(6).mode(mode).build();
    for (long i = 0; i < 30; i++) {
      filter.put(i * i);
    }
    return filter;
  }

  /** Writes right checksums behind the header and every section. */
  private static byte[] sign(byte[] bytes) {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int header = file.getInt(16);
    int parameters = file.getShort(20);
    int sections = file.getShort(22);
    sign(file, 0, header);
    int from = header;
    for (int i = 0; i < sections && from < bytes.length; i++) {
      long payload = file.getLong(PARAMETERS + 8 * (parameters + i));
      int length = (int) ((payload + 4 + 63) / 64 * 64);
      if (payload < 0 || payload > bytes.length || from + length > bytes.length) {
        return bytes;
      }
      sign(file, from, length);
      from += length;
    }
    return bytes;
  }

  private static void sign(ByteBuffer file, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(file.array(), from, length - 4);
    file.putInt(from + length - 4, (int) crc.getValue());
  }

  private static byte[] again(byte[] bytes) throws IOException {
    return Filter.fromBytes(bytes).toBytes();
  }

  /** Whatever is forged, reading ends in a filter that writes the same bytes or in a refusal. */
  @Test
  void signedForgeriesAreReadAsTheyAreOrRefused() {
    SplittableRandom random = new SplittableRandom(17);
    ScalableBloomFilter scalable = ScalableBloomFilter.builder().initialKeys(10).build();
    for (long i = 0; i < 60; i++) {
      scalable.put(i);
    }
    Filter[] originals = {
      partition(PartitionMode.PUBLISHED),
      partition(PartitionMode.EXACT_LEAVES),
      partition(PartitionMode.PUBLISHED).view(),
      partition(PartitionMode.EXACT_LEAVES).view(),
      scalable,
      scalable.intersection(scalable)
    };
    int refused = 0;
    for (Filter original : originals) {
      for (int round = 0; round < 1000; round++) {
        byte[] bytes = original.toBytes();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
          int place = 24 + random.nextInt(bytes.length - 24);
          bytes[place] = (byte) (random.nextBoolean() ? random.nextInt() : 1 << random.nextInt(8));
        }
        sign(bytes);
        Throwable thrown =
            catchThrowable(() -> assertThat(Arrays.equals(again(bytes), bytes)).isTrue());
        if (thrown != null) {
          assertThat(thrown).isInstanceOf(FilterFormatException.class);
          assertThat(((FilterFormatException) thrown).offset()).isBetween(0L, (long) bytes.length);
          refused++;
        }
      }
    }
    assertThat(refused).isGreaterThan(2000);
  }

  private static void assertForged(Filter filter, int parameter, long value, String what) {
    byte[] bytes = filter.toBytes();
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(PARAMETERS + 8 * parameter, value);
    assertThat(catchThrowable(() -> Filter.fromBytes(sign(bytes))))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(what);
  }

  @Test
  void forgedParametersAreRefusedByName() {
    for (PartitionMode mode : PartitionMode.values()) {
      for (Filter filter : new Filter[] {partition(mode), partition(mode).view()}) {
        assertForged(filter, 0, 1, "BLOCKED");
        assertForged(filter, 1, 1, "bits of a unit 1");
        assertForged(filter, 2, 300, "at most 256 hashes");
        assertForged(filter, 3, 2, "mode 2");
        assertForged(filter, 4, 0, "universe");
        assertForged(filter, 4, -5, "universe");
        assertForged(filter, 4, 1L << 62, "take depth");
        assertForged(filter, 5, 63, "depth 63");
        assertForged(filter, 5, 30, "depth 30 makes");
        assertForged(filter, 6, 0, "fpp 0");
        assertForged(filter, 6, Double.doubleToLongBits(Double.NaN), "fpp");
      }
    }
    ScalableBloomFilter scalable = ScalableBloomFilter.builder().initialKeys(10).build();
    assertForged(scalable, 3, 0, "initial keys 0");
    assertForged(scalable, 4, Double.doubleToLongBits(1.5), "fpp");
    assertForged(scalable, 5, 0, "horizon 0");
    assertForged(scalable, 6, 2, "series 2");
    assertForged(scalable, 7, 1, "series of a level 1");
    assertForged(scalable, 8, -1, "index of a level -1");
    assertForged(scalable, 9, 513, "multiples of 512");
    assertForged(scalable, 9, 1024, "a section of");
    assertForged(scalable, 10, 0, "capacity of a level 0");
    assertForged(scalable, 11, 1L << 40, "keys of a level");
  }
}
