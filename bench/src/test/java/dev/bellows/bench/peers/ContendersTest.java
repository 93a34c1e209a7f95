package dev.bellows.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.math.BinomialInterval;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every contender works as intended: it finds all keys and has about the requested rate. */
class ContendersTest {
  private static final int KEYS = 100_000;

  static List<Arguments> overLongs() {
    return contenders(Role::overLongs);
  }

  static List<Arguments> overObjects() {
    return contenders(Role::overObjects);
  }

  static List<Arguments> whole() {
    return contenders(role -> !role.overLongs() && !role.overObjects());
  }

  private static List<Arguments> contenders(java.util.function.Predicate<Role> some) {
    List<Arguments> list = new ArrayList<>();
    for (Peer peer : Peer.values()) {
      for (Role role : Role.values()) {
        if (peer.plays(role) && some.test(role)) {
          list.add(Arguments.of(peer, role));
        }
      }
    }
    return list;
  }

  @ParameterizedTest
  @MethodSource
  void overLongs(Peer peer, Role role) {
    int count = role == Role.RANGES ? 1 : role == Role.THRESHOLDS ? KEYS / 10 : KEYS;
    long[] keys = BenchKeys.longs(count);
    List<Contender> filters = new ArrayList<>();
    Contender one = peer.make(role, count);
    for (long key : keys) {
      one.put(key);
    }
    one.loaded();
    filters.add(one);
    if (role != Role.THRESHOLDS) {
      Contender loaded = peer.make(role, count);
      loaded.load(keys);
      loaded.loaded();
      filters.add(loaded);
    }
    if (peer.batches()) {
      Contender batched = peer.make(role, count);
      batched.putBatch(keys);
      filters.add(batched);
    }
    if (peer.floor()) {
      return;
    }
    for (Contender filter : filters) {
      if (role != Role.RANGES) {
        assertThat(found(filter, 0, count)).isEqualTo(count);
      }
      if (role == Role.STATIC) {
        BinomialInterval rate = BinomialInterval.of(found(filter, count, KEYS), KEYS, 1e-9);
        assertThat(rate.low()).isLessThan(1.1 * Peer.STATIC_FPP);
      } else if (role.hasRate()) {
        assertRate(found(filter, count, KEYS), KEYS);
      }
      assertThat(filter.bits()).isPositive();
    }
    boolean[] hits = new boolean[count];
    assertThat(one.count(keys, hits)).isEqualTo(found(one, 0, count));
  }

  @ParameterizedTest
  @MethodSource
  void overObjects(Peer peer, Role role) {
    Contender filter = peer.make(role, KEYS);
    for (long i = 0; i < KEYS; i++) {
      filter.putObject(BenchKeys.object(role, i));
    }
    if (peer.floor()) {
      return;
    }
    int present = 0;
    int absent = 0;
    for (long i = 0; i < KEYS; i++) {
      present += filter.mightContainObject(BenchKeys.object(role, i)) ? 1 : 0;
      absent += filter.mightContainObject(BenchKeys.object(role, KEYS + i)) ? 1 : 0;
    }
    assertThat(present).isEqualTo(KEYS);
    assertRate(absent, KEYS);
  }

  @ParameterizedTest
  @MethodSource
  void whole(Peer peer, Role role) throws Exception {
    Contender filter = peer.make(role, KEYS);
    Contender other = peer.make(role, KEYS);
    filter.fillWith(other, KEYS);
    MemoryStream memory = new MemoryStream(filter.bits());
    assertThat(filter.bits()).isGreaterThan(9L * KEYS);
    Object result =
        switch (role) {
          case UNION -> filter.union(other);
          case INTERSECTION -> filter.intersection(other);
          case FOLD -> filter.fold();
          case WRITE -> filter.write(memory);
          case READ ->
              filter.read(filter.write(memory) instanceof byte[] bytes ? bytes : memory.bytes());
          default -> filter.copy();
        };
    assertThat(result).isNotNull();
  }

  static List<Arguments> counting() {
    return contenders(role -> role == Role.COUNTING);
  }

  @ParameterizedTest
  @MethodSource("counting")
  void removableKeysAreRemoved(Peer peer, Role role) {
    Contender filter = peer.make(role, KEYS);
    long[] keys = BenchKeys.longs(KEYS);
    filter.load(keys);
    filter.loaded();
    for (int i = 0; i < KEYS / 2; i++) {
      filter.remove(keys[i]);
    }
    assertThat(found(filter, KEYS / 2, KEYS / 2)).isEqualTo(KEYS / 2);
    assertThat(found(filter, 0, KEYS / 2)).isLessThan(KEYS / 50);
  }

  @Test
  void textsHave20To40CharactersAndAllKeysDiffer() {
    assertThat(java.util.stream.LongStream.range(0, 10_000).mapToObj(BenchKeys::text))
        .allMatch(text -> text.length() >= 20 && text.length() <= 40)
        .anyMatch(text -> text.length() == 20)
        .anyMatch(text -> text.length() == 40)
        .doesNotHaveDuplicates();
    assertThat(BenchKeys.longs(10_000)).doesNotHaveDuplicates();
  }

  private static int found(Contender filter, long from, int count) {
    int found = 0;
    for (long i = from; i < from + count; i++) {
      found += filter.mightContain(BenchKeys.mix(i)) ? 1 : 0;
    }
    return found;
  }

  /** Between a third of 1 % and 1.2 %, depending on the size steps of the contender. */
  private static void assertRate(int found, int asked) {
    BinomialInterval interval = BinomialInterval.of(found, asked, 1e-9);
    assertThat(interval.high()).as("%d of %d", found, asked).isGreaterThan(Peer.FPP / 3);
    assertThat(interval.low()).as("%d of %d", found, asked).isLessThan(Peer.FPP * 1.2);
  }
}
