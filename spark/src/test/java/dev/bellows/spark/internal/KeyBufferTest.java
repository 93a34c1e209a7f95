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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyBufferTest {
  private static final FilterSize SIZE = FilterSize.of(0.01, 20_000, 0);

  private static KeyBuffer bufferOf(long... hashes) {
    KeyBuffer buffer = KeyBuffer.empty(SIZE);
    for (long hash : hashes) {
      buffer.putHash(hash);
    }
    return buffer;
  }

  private static BloomFilter atCapacity(long... hashes) {
    BloomFilter filter = SIZE.empty(SIZE.capacity());
    for (long hash : hashes) {
      filter.putHash(hash);
    }
    return filter;
  }

  private static KeyBuffer throughTheShuffle(KeyBuffer buffer) {
    return KeyBuffer.deserialize(SIZE, buffer.serialize());
  }

  /** Below and above the number of hashes at which a buffer turns into bits. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 2000, 3073, 5000, 20_000})
  void theResultIsTheCapacitysSmallestFoldingThatHoldsTheRate(int keys) {
    long[] hashes = new SplittableRandom(keys).longs(keys).toArray();
    BloomFilter result = bufferOf(hashes).result();
    assertThat(result).isEqualTo(atCapacity(hashes).foldToFpp(0.01));
    assertThat(throughTheShuffle(bufferOf(hashes)).result()).isEqualTo(result);
  }

  @Test
  void formAndOrderOfMergesLeaveNoTrace() {
    assertThat(SIZE.mostHashes()).isBetween(2000, 4000);
    long[] hashes = new SplittableRandom(7).longs(12_000).toArray();
    List<KeyBuffer> parts = new ArrayList<>();
    Random random = new Random(3);
    int from = 0;
    for (int length : new int[] {10, 5000, 0, 1, 3000, 90, 3899}) { // some are bits, some hashes
      int start = Math.max(0, from - random.nextInt(50)); // parts overlap
      parts.add(bufferOf(Arrays.copyOfRange(hashes, start, from + length)));
      from += length;
    }
    assertThat(from).isEqualTo(hashes.length);
    BloomFilter expected = atCapacity(hashes).foldToFpp(0.01);
    for (int order = 0; order < 10; order++) {
      Collections.shuffle(parts, random);
      KeyBuffer merged = KeyBuffer.empty(SIZE);
      KeyBuffer first = throughTheShuffle(parts.get(0));
      parts.forEach(part -> merged.merge(throughTheShuffle(part)));
      parts.forEach(part -> first.merge(throughTheShuffle(part)));
      assertThat(merged.result()).isEqualTo(expected);
      assertThat(throughTheShuffle(first).result()).isEqualTo(expected);
    }
  }

  @Test
  void aBufferIsNeverLargerThanItsCapacity() {
    KeyBuffer buffer = KeyBuffer.empty(SIZE);
    SplittableRandom random = new SplittableRandom(1);
    for (int keys = 1; keys <= 20_000; keys++) {
      buffer.putHash(random.nextLong());
      if (keys % 500 == 0) {
        long most = keys <= SIZE.mostHashes() ? 8L * keys : SIZE.capacity() / 8 + 256;
        assertThat((long) buffer.serialize().length).isLessThanOrEqualTo(most);
      }
    }
  }

  @Test
  void tooManyKeysAreRefusedWithTheWayOut() {
    KeyBuffer buffer = bufferOf(new SplittableRandom(1).longs(60_000).toArray());
    assertThatThrownBy(buffer::result)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("spark.bellows.maxKeys = 20000")
        .hasMessageContaining("set it to more than");
  }

  @Test
  void roomKeepsResultsOfOneSize() {
    FilterSize roomy = FilterSize.of(0.01, 20_000, 5000);
    long bits = KeyBuffer.empty(roomy).result().bits();
    for (int keys : new int[] {1, 100, 4500}) {
      KeyBuffer buffer = KeyBuffer.empty(roomy);
      new SplittableRandom(keys).longs(keys).forEach(buffer::putHash);
      assertThat(buffer.result().bits()).isEqualTo(bits);
    }
  }

  @Test
  void sizesBeyondOneValueAreRefused() {
    assertThatThrownBy(() -> FilterSize.of(0.01, 1L << 40, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spark.bellows.maxKeys");
    assertThatThrownBy(() -> FilterSize.of(0.01, 10, 11))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(FilterSize.of(1e-6, FilterSize.DEFAULT_MAX_KEYS, 0).capacity()).isPositive();
  }
}
