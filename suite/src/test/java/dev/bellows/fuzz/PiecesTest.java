package dev.bellows.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.Layout;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections larger than a piece of 1 MiB: a checksum of each piece, and one of the checksums. */
class PiecesTest {
  private static final int HEADER = 128;

  /** A filter whose payload has this many bytes, with a few ones in each 64 KiB. */
  private static BloomFilter filter(long bytes) {
    BloomFilter filter =
        BloomFilter.builder().bits(8 * bytes).hashes(4).layout(Layout.Family.CLASSIC).build();
    for (long key = 0; key < bytes / 4096; key++) {
      filter.put(key);
    }
    return filter;
  }

  @ParameterizedTest
  @ValueSource(longs = {-8, 0, 8, 64, 1 << 20, (1 << 20) + 8, (3 << 20) + 1000})
  void sizesAroundAPieceAreReadAsTheyWereWritten(long more) throws IOException {
    long payload = Forgery.PIECE + more;
    BloomFilter filter = filter(payload);
    byte[] bytes = filter.toBytes();
    assertThat(bytes.length)
        .isEqualTo((int) (HEADER + Forgery.sectionBytes(payload)))
        .isEqualTo((int) filter.sizeInBytes());
    assertThat(BloomFilter.fromBytes(bytes)).isEqualTo(filter);
    assertThat(Arrays.mismatch(Forgery.sign(bytes.clone()), bytes)).isEqualTo(-1);
  }

  @Test
  void theChecksumsFollowThePayloadInOrder() {
    int payload = 2 * Forgery.PIECE + 4096;
    byte[] bytes = filter(payload).toBytes();
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int table = HEADER + payload;
    for (int piece = 0; piece < 3; piece++) {
      int from = HEADER + piece * Forgery.PIECE;
      assertThat(in.getInt(table + 4 * piece))
          .isEqualTo(crc(bytes, from, Math.min(Forgery.PIECE, table - from)));
    }
    assertThat(bytes.length).isEqualTo(table + 64);
    assertThat(Arrays.copyOfRange(bytes, table + 12, table + 60)).containsOnly(0);
    assertThat(in.getInt(table + 60)).isEqualTo(crc(bytes, table, 60));
  }

  private static int crc(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  @Test
  void aFlipAnywhereIsRefused() {
    int payload = 2 * Forgery.PIECE + 4096;
    byte[] bytes = filter(payload).toBytes();
    SplittableRandom random = new SplittableRandom(17);
    for (int piece = 0; piece < 3; piece++) {
      int from = HEADER + piece * Forgery.PIECE;
      int length = Math.min(Forgery.PIECE, HEADER + payload - from);
      for (int place : new int[] {0, length - 1, random.nextInt(length)}) {
        int wrong = HEADER + payload + 4 * piece;
        assertFlipRefused(bytes, 8 * (from + place) + random.nextInt(8), wrong);
      }
    }
    for (int bit = 8 * (HEADER + payload); bit < 8 * bytes.length; bit++) {
      assertFlipRefused(bytes, bit, -1);
    }
  }

  private static void assertFlipRefused(byte[] bytes, int bit, int offset) {
    bytes[bit / 8] ^= (byte) (1 << bit % 8);
    assertThatThrownBy(() -> Filters.fromBytes(bytes))
        .isInstanceOf(FilterFormatException.class)
        .satisfies(
            e -> {
              long at = ((FilterFormatException) e).offset();
              assertThat(at).isBetween((long) HEADER, (long) bytes.length);
              assertThat(offset < 0 || at == offset).as("offset %d", at).isTrue();
            });
    bytes[bit / 8] ^= (byte) (1 << bit % 8);
  }

  /** With correct checksums, only the zeros reveal it. */
  @Test
  void onesBetweenTheChecksumsAreRefused() {
    int payload = Forgery.PIECE + 64;
    byte[] bytes = filter(payload).toBytes();
    int padding = HEADER + payload + 8;
    assertThatThrownBy(() -> Filters.fromBytes(Forgery.with(bytes, padding, 1, 1)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("a padding byte is not 0 (at byte " + padding + ")");
  }

  @Test
  void everyTruncationAtABorderIsRefused() {
    int payload = 2 * Forgery.PIECE + 4096;
    byte[] bytes = filter(payload).toBytes();
    int table = HEADER + payload;
    int second = HEADER + Forgery.PIECE;
    for (int length : new int[] {HEADER, second - 1, second, second + 1, table - 1, table}) {
      assertRefused(Arrays.copyOf(bytes, length));
    }
    for (int length = table; length < bytes.length; length++) {
      assertRefused(Arrays.copyOf(bytes, length));
    }
    assertRefused(Arrays.copyOf(bytes, bytes.length + 1));
  }

  private static void assertRefused(byte[] bytes) {
    assertThatThrownBy(() -> Filters.fromBytes(bytes))
        .isInstanceOf(FilterFormatException.class)
        .satisfies(
            e ->
                assertThat(((FilterFormatException) e).offset())
                    .isBetween((long) HEADER, (long) bytes.length));
  }

  /** Counters, and several stores in a section that end inside pieces. */
  @Test
  void otherKindsHavePiecesToo() throws IOException {
    CountingBloomFilter counting = CountingBloomFilter.builder().keys(400_000).fpp(0.01).build();
    ScalableBloomFilter scalable =
        ScalableBloomFilter.builder().initialKeys(1000).fpp(0.001).build();
    for (long key = 0; key < 400_000; key++) {
      counting.put(key);
      scalable.put(key);
    }
    for (Filter filter : new Filter[] {counting, scalable}) {
      byte[] bytes = filter.toBytes();
      assertThat(bytes.length).as("%s", filter).isGreaterThan(Forgery.PIECE + 1000);
      assertThat(filter.sizeInBytes()).isEqualTo(bytes.length);
      assertThat(Filters.fromBytes(bytes)).isEqualTo(filter);
      assertThat(Arrays.mismatch(Forgery.sign(bytes.clone()), bytes)).isEqualTo(-1);
      bytes[bytes.length / 2] ^= 1;
      assertRefused(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 3, 63, 1 << 20, (1 << 20) + 1})
  void sectionsOfBytesNeedNotBeWholeWords(int more) throws IOException {
    byte[] payload = new byte[Forgery.PIECE + more];
    new SplittableRandom(more).nextBytes(payload);
    List<Long> lengths = List.of((long) payload.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterWriter writer =
        FilterWriter.begin(
            out, new FilterHeader(FilterKind.PARTITION, 1, 0, 0, 0, 0, List.of(), lengths));
    writer.bytes(payload);
    writer.end();
    byte[] bytes = out.toByteArray();
    assertThat(bytes.length).isEqualTo((int) (HEADER + Forgery.sectionBytes(payload.length)));
    assertThat(Arrays.mismatch(read(bytes), payload)).isEqualTo(-1);
    for (int place : new int[] {0, payload.length - 1, bytes.length - HEADER - 1}) {
      byte[] flipped = bytes.clone();
      flipped[HEADER + place] ^= 4;
      assertThatThrownBy(() -> read(flipped)).isInstanceOf(FilterFormatException.class);
    }
  }

  private static byte[] read(byte[] bytes) throws IOException {
    return FilterReader.open(new ByteArrayInputStream(bytes), ReadOptions.DEFAULT).bytes();
  }
}
