package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.Layout;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Hashers of small types, of fields and of constants, and the ways to put many keys. */
class KeyHashersTest {
  private record User(long id, String name) {}

  private record Cell(int row, int column) {}

  @Test
  void narrowIntegersHashLikeLongs() {
    HashScheme scheme = HashScheme.xxh3(3);
    for (int key : new int[] {0, 5, -5, Short.MAX_VALUE, Short.MIN_VALUE}) {
      long hash = scheme.hash((long) key);
      assertThat(KeyHasher.INTS.hash(key, scheme)).isEqualTo(hash);
      assertThat(KeyHasher.SHORTS.hash((short) key, scheme)).isEqualTo(hash);
    }
  }

  @Test
  void enumConstantsHashLikeTheirNames() {
    BloomFilter filter = BloomFilter.create(10, 1e-6);
    filter.put(Layout.Family.BLOCKED, KeyHasher.ENUMS);
    assertThat(filter.mightContain("BLOCKED")).isTrue();
    assertThat(filter.mightContain(Layout.Family.CLASSIC, KeyHasher.ENUMS)).isFalse();
  }

  @Test
  void aKeyCanBeAFieldOfAnObject() {
    KeyHasher<User> users = KeyHasher.by(User::id, KeyHasher.LONGS);
    BloomFilter filter = BloomFilter.create(10, 1e-6);
    filter.put(new User(7, "Ada"), users);
    assertThat(filter.mightContain(new User(7, "renamed"), users)).isTrue();
    assertThat(filter.mightContain(7)).isTrue();
    KeyHasher<User> names = KeyHasher.by(User::name, KeyHasher.TEXT);
    assertThat(names.hash(new User(1, "Ada"), HashScheme.DEFAULT))
        .isEqualTo(HashScheme.DEFAULT.hash("Ada"));
  }

  @Test
  void anIntFieldHasTheBytesOfALong() {
    KeyHasher<Cell> ints = KeyHasher.of((c, sink) -> sink.putInt(c.row()).putInt(c.column()));
    KeyHasher<Cell> longs = KeyHasher.of((c, sink) -> sink.putLong(c.row()).putLong(c.column()));
    Cell cell = new Cell(-1, 2);
    assertThat(ints.hash(cell, HashScheme.DEFAULT)).isEqualTo(longs.hash(cell, HashScheme.DEFAULT));
  }

  @Test
  void manyKeysCanBeAnIterableOrAStream() {
    List<Integer> keys = IntStream.range(0, 1000).boxed().toList();
    BloomFilter one = BloomFilter.create(1000, 0.01);
    BloomFilter other = BloomFilter.create(1000, 0.01);
    long changed = one.putAll(keys, KeyHasher.INTS);
    assertThat(other.putAll(keys.parallelStream(), KeyHasher.INTS)).isEqualTo(changed);
    assertThat(other).isEqualTo(one);
    BloomFilter.Loader loader = BloomFilter.builder().keys(1000).fpp(0.01).loader();
    loader.putAll(keys.stream(), KeyHasher.INTS);
    assertThat(loader.build()).isEqualTo(one);
    CountingBloomFilter counting = CountingBloomFilter.create(1000, 0.01);
    assertThat(counting.putAll(Stream.of("a", "b"), KeyHasher.TEXT)).isEqualTo(2);
    assertThat(counting.remove("a", KeyHasher.TEXT)).isTrue();
  }
}
