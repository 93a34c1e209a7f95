package dev.bellows.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyBufferTest {
  private static final FilterSize SIZE = FilterSize.of(0.01, 1_000_000, 0);

  private static long[] random(int count) {
    return new SplittableRandom(count).longs(count).toArray();
  }

  private static KeyBuffer bufferOf(FilterSize size, long... hashes) {
    KeyBuffer buffer = KeyBuffer.empty(size);
    for (long hash : hashes) {
      buffer.putHash(hash);
    }
    return buffer;
  }

  private static KeyBuffer bufferOf(long... hashes) {
    return bufferOf(SIZE, hashes);
  }

  private static BloomFilter filterOf(long bits, long... hashes) {
    var loader = SIZE.loader(bits);
    loader.putHashes(hashes, 0, hashes.length);
    return loader.build();
  }

  private static KeyBuffer throughTheShuffle(FilterSize size, KeyBuffer buffer) {
    return KeyBuffer.deserialize(size, buffer.serialize());
  }

  /** Below and above the number of hashes at which a table is packed. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 384, 385, 5000, 300_000})
  void theResultHoldsEveryKeyAtTheRateAndAFoldingOfItDoesNot(int keys) {
    long[] hashes = random(keys);
    BloomFilter result = bufferOf(hashes).result();
    assertThat(result).isEqualTo(filterOf(result.bits(), hashes));
    assertThat(result.expectedFpp()).isLessThanOrEqualTo(0.01);
    assertThat(result.ladder())
        .filteredOn(step -> step.factor() > 1)
        .allSatisfy(
            step -> assertThat(result.foldTo(step.bits()).expectedFpp()).isGreaterThan(0.01));
    assertThat(throughTheShuffle(SIZE, bufferOf(hashes)).result()).isEqualTo(result);
  }

  /** 10.1 bits per key at one percent, from ten thousand keys to the largest filters. */
  @ParameterizedTest
  @CsvSource({"10000, 0.05", "300000, 0.03", "4000000, 0.02", "50000000, 0.02", "268435456, 0.04"})
  void sizesAreWithinAFewPerCentOfTheNeed(long keys, double slack) {
    FilterSize size = FilterSize.of(0.01, FilterSize.MOST_KEYS, 0);
    double need = size.layout().bitsFor(keys, 0.01);
    assertThat(size.sizeFor(keys) / need).isBetween(1.0, 1 + slack);
  }

  /** The limit on keys does not affect the size. */
  @Test
  void aLimitNearTheTruthMakesNoLargerFilter() {
    long[] hashes = random(30_000);
    BloomFilter result = bufferOf(hashes).result();
    assertThat(bufferOf(FilterSize.of(0.01, 30_000, 0), hashes).result()).isEqualTo(result);
    assertThat(bufferOf(FilterSize.of(0.01, FilterSize.MOST_KEYS, 0), hashes).result())
        .isEqualTo(result);
  }

  @Test
  void sizeAndOrderOfPartsDoNotMatter() {
    long[] hashes = random(60_000);
    List<KeyBuffer> parts = new ArrayList<>();
    Random random = new Random(3);
    int from = 0;
    for (int length : new int[] {10, 45_000, 0, 1, 3000, 400, 90, 11_499}) {
      int start = Math.max(0, from - random.nextInt(50)); // parts overlap
      parts.add(bufferOf(Arrays.copyOfRange(hashes, start, from + length)));
      from += length;
    }
    assertThat(from).isEqualTo(hashes.length);
    BloomFilter expected = bufferOf(hashes).result();
    for (int order = 0; order < 10; order++) {
      Collections.shuffle(parts, random);
      KeyBuffer merged = KeyBuffer.empty(SIZE);
      KeyBuffer first = throughTheShuffle(SIZE, parts.get(0));
      parts.forEach(part -> merged.merge(throughTheShuffle(SIZE, part)));
      parts.forEach(part -> first.merge(throughTheShuffle(SIZE, part)));
      first.putHash(hashes[7]);
      assertThat(merged.result()).isEqualTo(expected);
      assertThat(throughTheShuffle(SIZE, first).result()).isEqualTo(expected);
    }
  }

  /** As long as it lasts, and when it is used up. */
  @ParameterizedTest
  @ValueSource(longs = {64 << 10, 1 << 20, 32 << 20})
  void roomLeavesNoTraceEither(long room) {
    long[] hashes = random(90_000);
    BloomFilter expected = bufferOf(hashes).result();
    KeyBuffer whole = KeyBuffer.empty(SIZE, room);
    Arrays.stream(hashes).forEach(whole::putHash);
    assertThat(throughTheShuffle(SIZE, whole).result()).isEqualTo(expected);
    KeyBuffer merged = KeyBuffer.empty(SIZE, room);
    for (int from = 0; from < hashes.length; from += 9000) {
      int to = Math.min(hashes.length, from + 12_000); // parts overlap
      merged.merge(throughTheShuffle(SIZE, bufferOf(Arrays.copyOfRange(hashes, from, to))));
      merged.putHash(hashes[from]);
    }
    assertThat(merged.result()).isEqualTo(expected);
    assertThat(merged.frozen(0.01).toBytes()).isEqualTo(whole.frozen(0.01).toBytes());
    assertThat(throughTheShuffle(SIZE, merged).result()).isEqualTo(expected);
  }

  @Test
  void roomBoundsWhatIsNotPacked() {
    long room = 1 << 20;
    KeyBuffer buffer = KeyBuffer.empty(SIZE, room);
    KeyBuffer part = throughTheShuffle(SIZE, bufferOf(random(10_000)));
    for (int i = 0; i < 100; i++) {
      buffer.merge(part);
      assertThat(buffer.bytes()).isLessThan(room + 2 * part.bytes() + 8192);
    }
    SplittableRandom random = new SplittableRandom(2);
    for (int keys = 1; keys <= 100_000; keys++) {
      buffer.putHash(random.nextLong());
      assertThat(buffer.bytes()).isLessThan(room + 13L * (10_000 + keys) + 8192);
    }
  }

  @Test
  void tooManyKeysThatWaitAreRefused() {
    FilterSize tight = FilterSize.of(0.01, 20_000, 0);
    KeyBuffer merged = KeyBuffer.empty(tight, 1 << 20);
    long[] hashes = random(30_000);
    merged.merge(bufferOf(tight, Arrays.copyOf(hashes, 15_000)));
    merged.merge(bufferOf(tight, Arrays.copyOf(hashes, 15_000)));
    assertThat(merged.result()).isEqualTo(bufferOf(Arrays.copyOf(hashes, 15_000)).result());
    merged.merge(bufferOf(tight, Arrays.copyOfRange(hashes, 15_000, 30_000)));
    assertThatThrownBy(merged::result)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("spark.bellows.maxKeys = 20000");
  }

  /** Packed, a hash takes 66 - log2 n bits; the table is at most as large as they are. */
  @Test
  void aKeyTakesAtMostThirteenBytesAndInTheShuffleSix() {
    KeyBuffer buffer = KeyBuffer.empty(SIZE);
    SplittableRandom random = new SplittableRandom(1);
    for (int keys = 1; keys <= 400_000; keys++) {
      buffer.putHash(random.nextLong());
      if (keys % 1000 == 0) {
        assertThat(buffer.bytes()).isLessThanOrEqualTo(13L * keys + 8192);
      }
    }
    assertThat(buffer.serialize().length).isLessThan(6 * 400_000);
  }

  /** The message names a sufficient limit, however far the keys exceed the current one. */
  @ParameterizedTest
  @CsvSource({"1, 50000", "1000, 1001", "1000, 50000", "20000, 60000"})
  void tooManyKeysAreRefusedWithASufficientLimit(int limit, int keys) {
    FilterSize tight = FilterSize.of(0.01, limit, 0);
    long[] hashes = random(keys);
    KeyBuffer merged = bufferOf(tight, Arrays.copyOf(hashes, keys / 3));
    KeyBuffer rest = bufferOf(tight, Arrays.copyOfRange(hashes, keys / 3, keys));
    merged.merge(throughTheShuffle(tight, rest));
    assertThat(merged.bytes()).isLessThan(10L * limit + 8192);
    assertThatThrownBy(merged::result)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("spark.bellows.maxKeys = " + limit)
        .satisfies(
            e -> {
              Matcher named = Pattern.compile("set it to (\\d+)").matcher(e.getMessage());
              assertThat(named.find()).isTrue();
              long enough = Long.parseLong(named.group(1));
              assertThat(enough).isGreaterThanOrEqualTo(keys);
              bufferOf(FilterSize.of(0.01, enough, 0), hashes).result();
            });
  }

  /** The size is known more than the limit of the room: a buffer is never much larger than it. */
  @ParameterizedTest
  @CsvSource({
    "1000, 0.01",
    "1000, 0.001",
    "10000, 0.01",
    "10000, 0.001",
    "400000, 0.01",
    "400000, 0.001",
    "400000, 0.0001",
    "1000000, 0.01",
    "1000000, 0.001"
  })
  void aBufferOfKnownSizeIsAtMostTwiceTheFilter(int keys, double fpp) {
    FilterSize known = FilterSize.of(fpp, keys, keys);
    FilterSize unknown = FilterSize.of(fpp, FilterSize.DEFAULT_MAX_KEYS, keys);
    KeyBuffer buffer = KeyBuffer.empty(known);
    KeyBuffer hashes = KeyBuffer.empty(unknown);
    SplittableRandom random = new SplittableRandom(keys);
    long most = 0;
    for (int i = 0; i < keys; i++) {
      long hash = random.nextLong();
      buffer.putHash(hash);
      hashes.putHash(hash);
      most = Math.max(most, buffer.bytes() - 8192);
    }
    byte[] sent = buffer.serialize();
    BloomFilter result = buffer.result();
    assertThat(result.toBytes()).isEqualTo(hashes.result().toBytes());
    assertThat(most).isLessThanOrEqualTo(result.sizeInBytes());
    assertThat(sent.length).isLessThanOrEqualTo((int) result.sizeInBytes());
    assertThat(result.expectedFpp()).isLessThanOrEqualTo(fpp);
  }

  @Test
  void bitsAndHashesMergeInAnyOrder() {
    FilterSize known = FilterSize.of(0.01, 60_000, 60_000);
    long[] hashes = random(60_000);
    List<long[]> parts = new ArrayList<>();
    int from = 0;
    for (int length : new int[] {10, 30_000, 0, 1, 9000, 400, 90, 20_499}) {
      parts.add(Arrays.copyOfRange(hashes, Math.max(0, from - 20), from + length));
      from += length;
    }
    BloomFilter expected = bufferOf(FilterSize.of(0.01, 1_000_000, 60_000), hashes).result();
    Random random = new Random(5);
    for (int order = 0; order < 20; order++) {
      Collections.shuffle(parts, random);
      KeyBuffer merged = order % 2 == 0 ? KeyBuffer.empty(known) : bufferOf(known, parts.get(3));
      for (long[] part : parts) {
        KeyBuffer more = bufferOf(known, part);
        merged.merge(random.nextBoolean() ? more : throughTheShuffle(known, more));
        merged = random.nextBoolean() ? merged : throughTheShuffle(known, merged);
      }
      assertThat(merged.result().toBytes()).isEqualTo(expected.toBytes());
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, 1500", "1000, 3000", "20000, 21000", "20000, 60000"})
  void tooManyKeysForAKnownSizeAreRefusedWithASufficientLimit(int limit, int keys) {
    FilterSize known = FilterSize.of(0.01, limit, limit);
    long[] hashes = random(keys);
    assertThatThrownBy(bufferOf(known, hashes)::result)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("spark.bellows.maxKeys = " + limit)
        .satisfies(
            e -> {
              Matcher named = Pattern.compile("set it to (\\d+)").matcher(e.getMessage());
              assertThat(named.find()).isTrue();
              long enough = Long.parseLong(named.group(1));
              assertThat(enough).isGreaterThanOrEqualTo(keys);
              bufferOf(FilterSize.of(0.01, enough, limit), hashes).result();
            });
    assertThatThrownBy(bufferOf(known, random(100 * limit))::result)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("many more distinct keys than spark.bellows.maxKeys = " + limit);
  }

  /** Also those with as many keys as there is room for, whose fill varies. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.01, 0.001})
  void partsThatUseAllTheirRoomHaveOneSize(double fpp) {
    for (int room : new int[] {1, 10, 30, 100, 300, 1000, 5000, 20_000}) {
      FilterSize roomy = FilterSize.of(fpp, FilterSize.DEFAULT_MAX_KEYS, room);
      SplittableRandom random = new SplittableRandom(room);
      for (int part = 0; part < 100; part++) {
        assertThat(bufferOf(roomy, random.longs(room).toArray()).result().bits())
            .isEqualTo(roomy.sizeFor(room));
      }
    }
  }

  @Test
  void roomKeepsResultsOfOneSize() {
    FilterSize roomy = FilterSize.of(0.01, 20_000, 5000);
    long bits = KeyBuffer.empty(roomy).result().bits();
    for (int keys : new int[] {1, 100, 4500}) {
      assertThat(bufferOf(roomy, random(keys)).result().bits()).isEqualTo(bits);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0.01  | 1099511627776 | 0         | spark.bellows.maxKeys = 1099511627776 must be between 1 and 268435456
          0.01  | 0             | 0         | spark.bellows.maxKeys = 0
          0.01  | 10            | 11        | must be between 0 and spark.bellows.maxKeys = 10: 11
          1e-20 | 100           | 0         | fpp 1.0E-20 cannot be reached
          1e-12 | 100000000     | 100000000 | fpp 1.0E-12 cannot be reached: an absent key has the 64-bit hash of one of 100000000 keys
          2     | 100           | 0         | fpp must be in (0, 1): 2.0
          """)
  void impossibleRequestsAreRefused(double fpp, long maxKeys, long room, String sentence) {
    assertThatThrownBy(() -> FilterSize.of(fpp, maxKeys, room))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }
}
