package dev.bellows.window;

import static dev.bellows.window.Windows.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.io.Filters;
import dev.bellows.window.WindowFilter.Generation;
import dev.bellows.window.WindowFilter.Seen;
import dev.bellows.window.Windows.Form;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WindowFilterTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long T = HOUR.toMillis();

  private static List<Form> forms() {
    return Windows.forms().toList();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aKeyIsFoundForAWindowAndExpiresAGenerationLater(Form form) {
    SplittableRandom random = new SplittableRandom(form.hashCode());
    for (int round = 0; round < 40; round++) {
      WindowFilter filter = form.builder(HOUR, 100, 1e-6).build();
      long put = random.nextLong(3 * T);
      filter.put(7, at(put));
      for (int step = 1; step <= 8; step++) {
        filter.advanceTo(at(put + step * (T / 8) - 1));
        assertThat(filter.mightContain(7)).isTrue();
      }
      filter.advanceTo(at(put + T + (T + form.generations() - 1) / form.generations()));
      assertThat(filter.mightContain(7)).isFalse();
    }
  }

  /**
   * Every answer but EDGE is exact: WITHIN for keys of the window, ABSENT for those that are not.
   */
  @ParameterizedTest
  @MethodSource("forms")
  void onlyTheOldestGenerationIsTheEdge(Form form) {
    WindowFilter filter = form.builder(HOUR, 20_000, 1e-9).build();
    int generations = form.generations();
    for (int generation = 0; generation < 4 * generations; generation++) {
      long from = TimeGrid.of(HOUR, generations).from(100_000 + generation);
      filter.advanceTo(Instant.ofEpochMilli(from));
      for (int key = 0; key < generation; key++) {
        Seen expected =
            generation - key < generations
                ? Seen.WITHIN
                : generation - key == generations ? Seen.EDGE : Seen.ABSENT;
        assertThat(filter.seeHash(hash(key))).isEqualTo(expected);
      }
      assertThat(filter.putAndSeeHash(hash(generation), from)).isEqualTo(Seen.ABSENT);
      assertThat(filter.putAndSeeHash(hash(generation), from)).isEqualTo(Seen.WITHIN);
      if (generation >= generations) {
        // at the edge: it is refreshed, and comes again as the next one
        assertThat(filter.copy().putAndSeeHash(hash(generation - generations), from))
            .isEqualTo(Seen.EDGE);
      }
    }
    WindowFilter dropping = form.builder(HOUR, 100, 0.01).dropLate().build();
    dropping.advanceTo(at(2 * T));
    assertThat(dropping.putAndSeeHash(1, at(0).toEpochMilli())).isEqualTo(Seen.LATE);
    assertThat(dropping.lateKeys()).isEqualTo(1);
    WindowFilter keeping = form.builder(HOUR, 100, 1e-9).keepFirst().build();
    keeping.putHash(1, at(0).toEpochMilli());
    keeping.advanceTo(at(T));
    assertThat(keeping.putAndSeeHash(1, at(T).toEpochMilli())).isEqualTo(Seen.EDGE);
    assertThat(keeping.seeHash(1)).isEqualTo(Seen.EDGE);
  }

  private static long hash(long key) {
    return HashScheme.DEFAULT.hash(key);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void theExpiryOfAPutIsWhenItStopsCounting(Form form) {
    SplittableRandom random = new SplittableRandom(form.hashCode());
    for (int round = 0; round < 40; round++) {
      WindowFilter filter = form.builder(HOUR, 100, 1e-6).build();
      long put = at(random.nextLong(3 * T)).toEpochMilli();
      filter.put(7, Instant.ofEpochMilli(put));
      long expiry = filter.expiry(put);
      assertThat(filter.expiry(expiry - T - T / form.generations() - 2)).isLessThan(expiry);
      filter.advanceTo(Instant.ofEpochMilli(put + T / 2)); // a jump by a window would empty it
      filter.advanceTo(Instant.ofEpochMilli(expiry - 1));
      assertThat(filter.mightContain(7)).isTrue();
      filter.advanceTo(Instant.ofEpochMilli(expiry));
      assertThat(filter.mightContain(7)).isFalse();
    }
  }

  /**
   * Compared with an exact model: random puts, some of them late, refreshes and jumps. No key is
   * missed inside its window, and of the keys that have expired no more are found than the stated
   * rates allow.
   */
  @ParameterizedTest
  @MethodSource("forms")
  void anExactModelAgrees(Form form) {
    SplittableRandom random = new SplittableRandom(41 + form.hashCode());
    WindowFilter filter = form.builder(HOUR, 3000, 0.02).dropLate().build();
    Map<Long, Long> times = new HashMap<>();
    long clock = 0;
    long late = 0;
    long absent = 0;
    long falsePositives = 0;
    double expected = 0;
    for (int i = 0; i < 30_000; i++) {
      clock += random.nextLong(T / 1500);
      if (random.nextInt(10_000) == 0) {
        clock += random.nextLong(2 * T);
      }
      filter.advanceTo(at(clock));
      long key = random.nextInt(6000);
      long time = clock - (random.nextInt(4) == 0 ? random.nextLong(T + T / 20) : 0);
      Long last = times.get(key);
      boolean wasLive = last != null && clock < last + T;
      boolean wasGone = last == null || clock >= last + T + T / form.generations() + 1;
      boolean fresh = filter.putIfAbsent(key, at(time));
      if (time < clock - T) {
        late++;
        assertThat(fresh).isFalse();
      } else {
        assertThat(fresh && wasLive).isFalse();
        if (wasGone) {
          absent++;
          falsePositives += fresh ? 0 : 1;
        }
        times.merge(key, time, Math::max);
      }
      if (i % 1000 == 999) {
        long now = clock;
        times.forEach((k, t) -> assertThat(now >= t + T || filter.mightContain((long) k)).isTrue());
        expected = Math.max(expected, filter.expectedFpp());
      }
    }
    assertThat(filter.lateKeys()).isEqualTo(late).isPositive();
    assertThat(BinomialInterval.of(falsePositives, absent, 1e-9).low()).isLessThan(expected * 1.3);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void theRateIsTheOneThatIsStated(Form form) {
    WindowFilter filter = form.builder(HOUR, 20_000, 0.02).build();
    int perGeneration = 20_000 / form.generations();
    long key = 0;
    for (int generation = 0; generation < 3 * form.generations(); generation++) {
      long from = generation * T / form.generations();
      filter.advanceTo(at(from));
      for (int i = 0; i < perGeneration; i++) {
        filter.put(key++, at(from));
        // every third is refreshed, so that generations overlap
        filter.put(Math.max(0, key - 2L * perGeneration) / 3 * 3, at(from));
      }
    }
    long trials = 200_000;
    long found = 0;
    for (long i = 0; i < trials; i++) {
      found += filter.mightContain(-1 - i) ? 1 : 0;
    }
    double stated = filter.expectedFpp();
    assertThat(BinomialInterval.of(found, trials, 1e-9).low()).isLessThanOrEqualTo(stated);
    if (!form.name().equals("prefixes")) {
      assertThat(BinomialInterval.of(found, trials, 1e-9).high()).isGreaterThanOrEqualTo(stated);
    } else {
      assertThat(stated).isLessThanOrEqualTo(0.02);
    }
    assertThat(filter.generations()).hasSize(form.generations() + 1);
    double sum = filter.generations().stream().mapToDouble(Generation::expectedFpp).sum();
    assertThat(sum).isGreaterThanOrEqualTo(stated * 0.999);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void generationsHaveTheirBordersAndKeys(Form form) {
    WindowFilter filter = form.builder(HOUR, 1000L * form.generations(), 0.01).build();
    assertThat(filter.generations()).isEmpty();
    for (int i = 0; i < 5000; i++) {
      filter.put(i, at(i < 2000 ? 0 : T / form.generations() + 1));
    }
    List<Generation> all = filter.generations();
    assertThat(all).hasSize(form.generations() + 1);
    for (int i = 1; i < all.size(); i++) {
      assertThat(all.get(i).from()).isEqualTo(all.get(i - 1).to());
      assertThat(Duration.between(all.get(i).from(), all.get(i).to()).toMillis())
          .isBetween(T / form.generations(), T / form.generations() + 1);
    }
    Generation last = all.get(all.size() - 1);
    assertThat(filter.now().orElseThrow()).isBetween(last.from(), last.to());
    assertThat(all.stream().filter(generation -> generation.keys() > 0)).hasSize(2);
    assertThat(last.keys()).isBetween(2850.0, 3150.0);
    assertThat(filter.approximateElementCount()).isBetween(4800L, 5200L);
    filter.put(0, filter.now().orElseThrow());
    assertThat(filter.approximateElementCount()).isBetween(4800L, 5200L);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aPutBeforeTheWindowIsLate(Form form) {
    WindowFilter strict = form.builder(HOUR, 100, 0.01).build();
    strict.advanceTo(at(T + 5000));
    strict.put(1, at(5000));
    assertThat(strict.mightContain(1)).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> strict.put(2, at(4999)))
        .withMessageContaining(at(4999).toString())
        .withMessageContaining(at(T + 5000).toString())
        .withMessageContaining("dropLate");
    assertThat(strict.mightContain(2)).isFalse();
    WindowFilter dropping = form.builder(HOUR, 100, 0.01).dropLate().build();
    dropping.advanceTo(at(2 * T));
    assertThat(dropping.put(2, at(0))).isFalse();
    assertThat(dropping.putIfAbsent(2, at(1))).isFalse();
    assertThat(dropping.lateKeys()).isEqualTo(2);
    assertThat(dropping.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aPutAheadMovesTheClockOrIsRefused(Form form) {
    long part = T / form.generations();
    WindowFilter free = form.builder(HOUR, 100, 1e-4).build();
    free.put(1, at(0));
    free.put(2, at(T / 2));
    assertThat(free.now()).contains(at(T / 2));
    free.put(3, at(T / 3));
    assertThat(free.now()).contains(at(T / 2));
    assertThat(List.of(free.mightContain(1), free.mightContain(2), free.mightContain(3)))
        .containsOnly(true);
    WindowFilter strict = form.builder(HOUR, 100, 1e-4).refuseAhead().build();
    strict.put(1, at(0));
    strict.put(2, at(part));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> strict.put(3, at(2 * part + 2)))
        .withMessageContaining(at(part).toString())
        .withMessageContaining(at(2 * part + 2).toString());
    assertThat(strict.mightContain(3)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aJumpByMoreThanAWindowEmptiesIt(Form form) {
    WindowFilter filter = form.builder(HOUR, 1000, 1e-4).build();
    assertThat(filter.advanceTo(at(0))).isFalse();
    for (int i = 0; i < 500; i++) {
      filter.put(i, at(i));
    }
    assertThat(filter.advanceTo(at(T - 1))).isFalse();
    assertThat(filter.mightContain(499)).isTrue();
    assertThat(filter.advanceTo(at(2 * T))).isTrue();
    assertThat(filter.isEmpty()).isTrue();
    assertThat(filter.mightContain(499)).isFalse();
    assertThat(filter.expectedFpp()).isZero();
    filter.put(5, at(2 * T));
    assertThat(filter.approximateElementCount()).isEqualTo(1);
    assertThat(filter.advanceTo(at(T))).isFalse();
    assertThat(filter.now()).contains(at(2 * T));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aPresentKeyIsRefreshedOrKept(Form form) {
    WindowFilter refreshing = form.builder(HOUR, 100, 1e-6).build();
    WindowFilter keeping = form.builder(HOUR, 100, 1e-6).keepFirst().build();
    for (WindowFilter filter : List.of(refreshing, keeping)) {
      assertThat(filter.putIfAbsent("key", at(0))).isTrue();
      assertThat(filter.putIfAbsent("key", at(T * 2 / 3))).isFalse();
      filter.advanceTo(at(T + T / form.generations() + 1));
    }
    assertThat(refreshing.mightContain("key")).isTrue();
    assertThat(keeping.mightContain("key")).isFalse();
    assertThat(keeping.putIfAbsent("key", keeping.now().orElseThrow())).isTrue();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void keysOfTheNewestGenerationAreNotWrittenAgain(Form form) {
    WindowFilter filter = form.builder(HOUR, 100, 1e-6).build();
    assertThat(filter.put(1, at(0))).isTrue();
    byte[] before = filter.toBytes();
    assertThat(filter.put(1, at(0))).isFalse();
    assertThat(filter.putIfAbsent(1, at(0))).isFalse();
    assertThat(filter.toBytes()).isEqualTo(before);
    // an older event of a key that came since does not make it older
    filter.put(2, at(T / 2));
    filter.put(2, at(T / 4));
    filter.advanceTo(at(T / 2 + T - 1));
    assertThat(filter.mightContain(2)).isTrue();
  }

  /** A query that answers for a later clock: now() returns that clock. */
  @ParameterizedTest
  @MethodSource("forms")
  void theClockIsNotBehindTheAnswers(Form form) throws Exception {
    WindowFilter filter = form.builder(HOUR, 100, 1e-6).build();
    filter.put(7, at(0));
    boolean[] found = {true};
    Instant[] now = new Instant[1];
    Thread querying =
        new Thread(
            () -> {
              found[0] = filter.mightContain(7);
              now[0] = filter.now().orElseThrow();
            });
    filter.whenRotating(
        () -> {
          querying.start();
          while (querying.isAlive() && querying.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
          }
        });
    filter.advanceTo(at(3 * T));
    querying.join();
    assertThat(found[0]).isFalse();
    assertThat(now[0]).isEqualTo(at(3 * T));
  }

  @Test
  void keysOfAllTypesTakeATime() {
    WindowFilter filter = WindowFilter.builder().window(HOUR).keys(100).build();
    UUID id = new UUID(1, 2);
    assertThat(filter.put("text", at(0))).isTrue();
    assertThat(filter.put('c', at(0))).isTrue();
    assertThat(filter.mightContain("c")).isTrue();
    assertThat(filter.mightContain((long) 'c')).isFalse();
    assertThat(filter.put(new byte[] {1, 2}, at(0))).isTrue();
    assertThat(filter.put(id, KeyHasher.UUIDS, at(0))).isTrue();
    assertThat(filter.putIfAbsent(new byte[] {1, 2}, at(1))).isFalse();
    assertThat(filter.putIfAbsent(id, KeyHasher.UUIDS, at(1))).isFalse();
    assertThat(filter.putIfAbsent("c", at(1))).isFalse();
    assertThat(filter.putIfAbsent('d', at(1))).isTrue();
    assertThat(filter.mightContain("d")).isTrue();
    assertThat(filter.putIfAbsent("other", at(1))).isTrue();
    assertThat(filter.typed(KeyHasher.UUIDS).mightContain(id)).isTrue();
    assertThat(filter.advanceTo(InstantSource.fixed(at(T / 2)))).isFalse();
    assertThat(filter.now()).contains(at(T / 2));
    assertThat(filter.put(17)).isTrue();
    assertThat(filter.mightContain(17)).isTrue();
  }

  @Test
  void aPutWithoutATimeNeedsAClock() {
    WindowFilter filter = WindowFilter.builder().window(HOUR).build();
    assertThat(filter.now()).isEmpty();
    assertThat(filter.mightContain(1)).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(() -> filter.put(1))
        .withMessageContaining("advanceTo");
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowFilter.builder().keys(5).build())
        .withMessageContaining("window(Duration)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowFilter.builder().generations(8))
        .withMessageContaining("3, 7, 15, 31 or 47");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowFilter.builder().window(HOUR).generations(47).keys(5).build())
        .withMessageContaining("3, 7, 15 or 31");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowFilter.builder().window(Duration.ofNanos(1_500_000)).build())
        .withMessageContaining("PT0.0015S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowFilter.builder().window(Duration.ofMillis(6)).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowFilter.builder().window(Duration.ofDays(1L << 40)).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowFilter.builder().window(HOUR).elastic().build())
        .withMessageContaining("keys()");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowFilter.builder().window(HOUR).keysPerGeneration(9).build())
        .withMessageContaining("keys()");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WindowFilter.builder().window(HOUR).fpp(1e-13).build())
        .withMessageContaining("keys()");
    assertThatIllegalArgumentException().isThrownBy(() -> WindowFilter.builder().elastic(1));
    WindowFilter filter = WindowFilter.builder().window(HOUR).build();
    assertThatIllegalArgumentException().isThrownBy(() -> filter.put(1, Instant.MAX));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> filter.advanceTo(Instant.ofEpochMilli(1L << 52)));
    assertThatIllegalArgumentException().isThrownBy(() -> filter.putHash(1, Long.MIN_VALUE));
    filter.put(1, Instant.ofEpochMilli(-1L << 51));
    assertThat(filter.mightContain(1)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aFileKeepsAbsoluteTimes(Form form) throws Exception {
    WindowFilter filter = form.builder(HOUR, 1000, 1e-4).dropLate().keepFirst().build();
    for (int i = 0; i < 900; i++) {
      filter.put(i, at(i * (T / 900)));
    }
    filter.put(1, at(-2 * T));
    WindowFilter read = (WindowFilter) Filters.fromBytes(filter.toBytes());
    assertThat(read.toBytes()).isEqualTo(filter.toBytes());
    assertThat(filter.sizeInBytes()).isEqualTo(filter.toBytes().length);
    assertThat(read.now()).isEqualTo(filter.now());
    assertThat(read.lateKeys()).isEqualTo(1);
    assertThat(read.putIfAbsent(850, at(T))).isFalse();
    // half an hour of downtime
    read.advanceTo(at(T + T / 2));
    for (int i = 451; i < 900; i++) {
      assertThat(read.mightContain(i)).isTrue();
    }
    int gone = 450 - 900 / form.generations() - 1;
    for (int i = 0; i < gone; i++) {
      assertThat(read.mightContain(i)).isFalse();
    }
    read.advanceTo(at(3 * T));
    assertThat(read.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void anEmptyWindowIsWrittenAndRead(Form form) throws Exception {
    WindowFilter filter = form.builder(HOUR, 10, 0.01).build();
    WindowFilter read = WindowFilter.fromBytes(filter.toBytes());
    assertThat(read.now()).isEmpty();
    assertThat(read.isEmpty()).isTrue();
    assertThat(read.put(1, at(0))).isTrue();
    assertThat(read.mightContain(1)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aUnionIsByAbsoluteTime(Form form) {
    WindowFilter one = form.builder(HOUR, 2000, 1e-4).build();
    WindowFilter other = form.builder(HOUR, 2000, 1e-4).build();
    for (int i = 0; i < 1000; i++) {
      one.put(i, at(i * (T / 1000)));
      other.put(-1 - i, at(T / 2 + i * (T / 1000)));
    }
    WindowFilter both = one.union(other);
    assertThat(both.now()).isEqualTo(other.now());
    for (int i = 0; i < 1000; i++) {
      assertThat(both.mightContain(-1 - i)).isTrue();
      if (i > 500) {
        assertThat(both.mightContain(i)).isTrue();
      }
    }
    assertThat(both.mightContain(0)).isFalse();
    assertThat(other.union(one).toBytes()).isEqualTo(both.toBytes());
    assertThat(both.expectedFpp()).isLessThan(5e-4);
    both.advanceTo(at(T / 2 + T - 1 + 2 * T));
    assertThat(both.isEmpty()).isTrue();
  }

  @Test
  void anotherClockGridIsRefusedWithBoth() {
    WindowFilter hour = WindowFilter.builder().window(HOUR).build();
    WindowFilter day = WindowFilter.builder().window(Duration.ofDays(1)).build();
    WindowFilter fine = WindowFilter.builder().window(HOUR).generations(15).build();
    WindowFilter ring = WindowFilter.builder().window(HOUR).keys(1000).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hour.union(day))
        .withMessageContaining("PT1H")
        .withMessageContaining("PT24H");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hour.union(fine))
        .withMessageContaining("7 generations")
        .withMessageContaining("15 generations");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hour.union(ring))
        .withMessageContaining("prefixes")
        .withMessageContaining("ring");
  }

  @Test
  void prefixesOfAnySizeMerge() {
    WindowFilter few = WindowFilter.builder().window(HOUR).fpp(0.01).build();
    WindowFilter many = WindowFilter.builder().window(HOUR).fpp(0.001).build();
    for (int i = 0; i < 50_000; i++) {
      many.put(i, at(i));
    }
    for (int i = 0; i < 50; i++) {
      few.put(-1 - i, at(i));
    }
    WindowFilter both = few.union(many);
    for (int i = -50; i < 50_000; i++) {
      assertThat(both.mightContain(i)).isTrue();
    }
    assertThat(both.expectedFpp()).isLessThan(1.001 * (few.expectedFpp() + many.expectedFpp()));
    assertThat(both.targetFpp()).isEqualTo(0.001);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void foldingToARateKeepsEveryKey(Form form) {
    WindowFilter filter = form.builder(HOUR, 20_000, 1e-4).build();
    for (int i = 0; i < 10_000; i++) {
      filter.put(i, at(i * (T / 10_000)));
    }
    WindowFilter folded = filter.foldToFpp(0.05);
    assertThat(folded.expectedFpp()).isBetween(filter.expectedFpp(), 0.05);
    assertThat(folded.sizeInBytes()).isLessThan(filter.sizeInBytes());
    for (int i = 0; i < 10_000; i++) {
      assertThat(folded.mightContain(i)).isTrue();
    }
    folded.advanceTo(at(5 * T / 2));
    assertThat(folded.isEmpty()).isTrue();
    assertThat(filter.mightContain(0)).isTrue();
  }

  @Test
  void explainNamesEveryGeneration() {
    WindowFilter filter = WindowFilter.builder().window(Duration.ofHours(24)).keys(1000).build();
    filter.put(1, at(0));
    assertThat(filter.explain())
        .contains("within 24 hours, in 7 generations")
        .contains("clock              2026-03-01T00:00:00.123Z")
        .contains("late keys          0");
    assertThat(filter.explain().lines().filter(line -> line.startsWith("  from "))).hasSize(8);
  }

  /** Keys put within the last window before the final time are found, whatever the clock did. */
  @ParameterizedTest
  @MethodSource("forms")
  void threadsPutWhileTheClockJumps(Form form) throws Exception {
    WindowFilter filter = form.builder(HOUR, 5000, 1e-4).dropLate().build();
    filter.advanceTo(at(0));
    int threads = 3;
    int puts = 3000;
    long[][] stored = new long[threads][puts];
    List<Thread> all = new ArrayList<>();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int t = 0; t < threads; t++) {
      int id = t;
      all.add(
          new Thread(
              () -> {
                for (int i = 0; i < puts; i++) {
                  // behind the clock, at it, and ahead of it
                  long time = i * (T / 100) + (i % 3 - 1) * (T / 20);
                  boolean isStored = filter.put((long) id * puts + i, at(time));
                  stored[id][i] = isStored ? time : Long.MIN_VALUE;
                  if (i % 700 == 699) {
                    filter.advanceTo(at(i * (T / 100) + 3 * T));
                  }
                }
              }));
    }
    for (Thread thread : all) {
      thread.setUncaughtExceptionHandler((its, e) -> failure.set(e));
      thread.start();
    }
    for (Thread thread : all) {
      thread.join();
    }
    assertThat(failure.get()).isNull();
    long now = filter.now().orElseThrow().toEpochMilli() - Windows.START.toEpochMilli();
    long found = 0;
    for (int t = 0; t < threads; t++) {
      for (int i = 0; i < puts; i++) {
        if (stored[t][i] > now - T) {
          assertThat(filter.mightContain((long) t * puts + i)).isTrue();
          found++;
        }
      }
    }
    assertThat(found).isPositive();
    assertThat(filter.copy()).isEqualTo(filter);
    assertThat(filter.expectedFpp()).isLessThan(1);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void timesAtTheEndsOfTheCalendarAreRefusedAndChangeNothing(Form form) {
    WindowFilter filter = form.builder(HOUR, 100, 0.01).build();
    filter.put(1, at(0));
    for (Instant time : List.of(Instant.MIN, Instant.MAX)) {
      assertThatIllegalArgumentException().isThrownBy(() -> filter.put(2, time));
      assertThatIllegalArgumentException().isThrownBy(() -> filter.putIfAbsent(2, time));
      assertThatIllegalArgumentException().isThrownBy(() -> filter.advanceTo(time));
    }
    assertThat(filter.now()).contains(at(0));
    assertThat(filter.mightContain(1)).isTrue();
    long last = TimeGrid.MOST_MILLIS;
    assertThat(filter.advanceTo(Instant.ofEpochMilli(last))).isTrue();
    assertThat(filter.putIfAbsentHash(7, last)).isTrue();
    assertThat(filter.mightContainHash(7)).isTrue();
    assertThat(filter.generations()).hasSize(form.generations() + 1);
    WindowFilter longest = form.builder(Duration.ofMillis(TimeGrid.MOST_MILLIS), 100, 0.01).build();
    longest.putHash(1, -last);
    longest.putHash(2, 0);
    assertThat(longest.mightContainHash(1)).isTrue();
    // by a whole window and not by more: what was put at 0 is in the oldest live generation
    assertThat(longest.advanceTo(Instant.ofEpochMilli(last))).isFalse();
    assertThat(longest.mightContainHash(2)).isTrue();
    assertThat(longest.approximateElementCount()).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> form.builder(Duration.ZERO, 100, 0.01).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> form.builder(Duration.ofSeconds(Long.MAX_VALUE), 100, 0.01).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> form.builder(Duration.ofHours(-1), 100, 0.01).build());
  }
}
