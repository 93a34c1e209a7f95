package dev.bellows.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.rates.BinomialInterval;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No contender is crippled: each finds all keys put and errs about as often as it was asked to. */
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
    long[] keys = Keys.longs(count);
    List<LongsFilter> filters = new ArrayList<>();
    LongsFilter one = peer.longs(role, count);
    for (long key : keys) {
      one.put(key);
    }
    one.loaded();
    filters.add(one);
    if (role != Role.THRESHOLDS) {
      LongsFilter loaded = peer.longs(role, count);
      loaded.load(keys);
      loaded.loaded();
      filters.add(loaded);
    }
    if (peer.batches()) {
      LongsFilter batched = peer.longs(role, count);
      batched.putBatch(keys);
      filters.add(batched);
    }
    if (peer.floor()) {
      return;
    }
    for (LongsFilter filter : filters) {
      if (role != Role.RANGES) {
        assertThat(found(filter, 0, count)).isEqualTo(count);
      }
      if (role.hasRate()) {
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
    KeyedFilter<Object> filter = peer.keyed(role, KEYS);
    for (long i = 0; i < KEYS; i++) {
      filter.put(key(role, i));
    }
    if (peer.floor()) {
      return;
    }
    int present = 0;
    int absent = 0;
    for (long i = 0; i < KEYS; i++) {
      present += filter.mightContain(key(role, i)) ? 1 : 0;
      absent += filter.mightContain(key(role, KEYS + i)) ? 1 : 0;
    }
    assertThat(present).isEqualTo(KEYS);
    assertRate(absent, KEYS);
  }

  @ParameterizedTest
  @MethodSource
  void whole(Peer peer, Role role) throws IOException {
    WholeFilter filter = peer.whole(role, KEYS);
    assertThat(filter.bits()).isGreaterThan(9L * KEYS);
    Object result =
        switch (role) {
          case UNION -> filter.union();
          case INTERSECTION -> filter.intersection();
          case FOLD -> filter.fold();
          case WRITE -> filter.write();
          case READ -> filter.read();
          default -> filter.copy();
        };
    assertThat(result).isNotNull();
  }

  static List<Arguments> counting() {
    return contenders(role -> role == Role.COUNTING);
  }

  @ParameterizedTest
  @MethodSource("counting")
  void whatCanBeTakenBackIsTakenBack(Peer peer, Role role) {
    LongsFilter filter = peer.longs(role, KEYS);
    long[] keys = Keys.longs(KEYS);
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
    assertThat(java.util.stream.LongStream.range(0, 10_000).mapToObj(Keys::text))
        .allMatch(text -> text.length() >= 20 && text.length() <= 40)
        .anyMatch(text -> text.length() == 20)
        .anyMatch(text -> text.length() == 40)
        .doesNotHaveDuplicates();
    assertThat(Keys.longs(10_000)).doesNotHaveDuplicates();
  }

  private static Object key(Role role, long number) {
    return role == Role.TEXTS ? Keys.text(number) : Keys.bytes(number);
  }

  private static int found(LongsFilter filter, long from, int count) {
    int found = 0;
    for (long i = from; i < from + count; i++) {
      found += filter.mightContain(Keys.mix(i)) ? 1 : 0;
    }
    return found;
  }

  /** Between a third of 1 % and 1.2 %, where a contender's own size steps leave it. */
  private static void assertRate(int found, int asked) {
    BinomialInterval interval = BinomialInterval.of(found, asked, 1e-9);
    assertThat(interval.high()).as("%d of %d", found, asked).isGreaterThan(Peer.FPP / 3);
    assertThat(interval.low()).as("%d of %d", found, asked).isLessThan(Peer.FPP * 1.2);
  }
}
