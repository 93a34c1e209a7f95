package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every fast path gives the same result as the plain path. */
class FastPathTest {
  private static final int KEYS = 3001;

  static Stream<Arguments> shapes() {
    return Stream.of(Layout.Family.values())
        .flatMap(
            layout ->
                Stream.of(0.3, 0.01, 0.00001).map(fpp -> Arguments.of(layout, fpp, KEYS / 2)));
  }

  private static BloomFilter.Builder builder(Layout.Family layout, double fpp, int keys) {
    return BloomFilter.builder().keys(keys).fpp(fpp).layout(layout);
  }

  @Test
  void longsHashLikeTheReference() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      long seed = i < 10 ? i - 5 : random.nextLong();
      long key = i % 3 == 0 ? i : random.nextLong();
      assertThat(HashScheme.xxh3(seed).hash(key))
          .isEqualTo(Hashing.xxh3_64(seed).hashLongToLong(key));
    }
  }

  @Test
  void uuidsHashLikeTheirBytes() {
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    byte[] bytes =
        ByteBuffer.allocate(16).putLong(0x0011223344556677L).putLong(0x8899aabbccddeeffL).array();
    for (HashScheme scheme : new HashScheme[] {HashScheme.xxh3(9), HashScheme.sipHash(bytes)}) {
      assertThat(scheme.hash(uuid)).isEqualTo(scheme.hash(bytes));
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aLoadedFilterHasTheBitsOfPuts(Layout.Family layout, double fpp, int size) {
    long[] keys = new SplittableRandom(2).longs(KEYS).toArray();
    String[] texts = Arrays.stream(keys).mapToObj(Long::toString).toArray(String[]::new);
    BloomFilter put = builder(layout, fpp, size).build();
    BloomFilter.Loader loader = builder(layout, fpp, size).loader();
    for (int i = 0; i < 100; i++) {
      byte[] bytes = {(byte) i, 1, 2};
      put.put(-i);
      put.put(bytes);
      put.put(ByteBuffer.wrap(bytes, 1, 2), KeyHasher.BUFFERS);
      put.put(texts[i]);
      put.put(Character.toString('a' + i));
      put.put(texts[200 + i]);
      put.putHash(keys[i]);
      loader.put(-i);
      loader.put(bytes);
      loader.put(ByteBuffer.wrap(bytes, 1, 2), KeyHasher.BUFFERS);
      loader.put(texts[i]);
      loader.put((char) ('a' + i));
      loader.put(texts[200 + i], (text, scheme) -> scheme.hash(text));
      loader.putHash(keys[i]);
    }
    for (long key : keys) {
      put.put(key);
    }
    put.putHashes(keys, 7, 1500);
    put.putAll(texts, (text, scheme) -> scheme.hash(text));
    loader.putAll(keys);
    loader.putHashes(keys, 7, 1500);
    loader.putAll(texts, (text, scheme) -> scheme.hash(text));
    assertThat(loader.build()).isEqualTo(put);
    assertThat(builder(layout, fpp, size).buildFrom(keys))
        .isEqualTo(built(builder(layout, fpp, size).build(), keys));
  }

  @Test
  void aStoreLargerThanTheCachesIsLoadedCorrectly() {
    long[] keys = new SplittableRandom(4).longs(KEYS).toArray();
    for (int hashes : new int[] {8, 16}) {
      BloomFilter.Builder builder = BloomFilter.builder().bits(512 * 70_000).hashes(hashes);
      assertThat(builder.buildFrom(keys)).isEqualTo(built(builder.build(), keys));
    }
  }

  private static BloomFilter built(BloomFilter filter, long[] keys) {
    int changed = 0;
    for (long key : keys) {
      changed += filter.put(key) ? 1 : 0;
    }
    BloomFilter batch = filter.copy();
    batch.clear();
    assertThat(batch.putAll(keys)).isEqualTo(changed);
    assertThat(batch).isEqualTo(filter);
    return filter;
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void batchesAnswerLikeSingleQueries(Layout.Family layout, double fpp, int size) {
    SplittableRandom random = new SplittableRandom(3);
    BloomFilter filter = builder(layout, fpp, size).buildFrom(random.longs(KEYS).toArray());
    long[] asked = new SplittableRandom(3).longs(2 * KEYS).toArray();
    boolean[] hits = new boolean[asked.length];
    int count = filter.countMightContain(asked, hits);
    assertThat(count).isGreaterThanOrEqualTo(KEYS).isEqualTo(hits(filter, asked, hits));
    boolean[] hashed = new boolean[asked.length];
    filter.countMightContainHashes(asked, 5, asked.length - 3, hashed);
    for (int i = 0; i < asked.length; i++) {
      boolean expected = i >= 5 && i < asked.length - 3 && filter.mightContainHash(asked[i]);
      assertThat(hashed[i]).isEqualTo(expected);
    }
  }

  private static int hits(BloomFilter filter, long[] asked, boolean[] hits) {
    int count = 0;
    for (int i = 0; i < asked.length; i++) {
      assertThat(hits[i]).isEqualTo(filter.mightContain(asked[i]));
      count += hits[i] ? 1 : 0;
    }
    return count;
  }

  @Test
  void aLoaderIsUnusableAfterBuild() {
    BloomFilter.Loader loader = BloomFilter.builder().keys(10).fpp(0.01).id(5).loader();
    loader.put(1);
    BloomFilter filter = loader.build();
    assertThat(filter.filterId()).isEqualTo(5);
    assertThat(filter.mightContain(1)).isTrue();
    assertThatThrownBy(() -> loader.put(2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("create a new loader");
    assertThatThrownBy(loader::build).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> loader.putAll(new long[1])).isInstanceOf(IllegalStateException.class);
  }
}
