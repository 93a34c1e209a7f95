package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Layout;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionView;
import dev.bellows.scalable.ScalableBloomFilter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Growing filters that several threads fill, query, copy, merge and write. */
class GrowthThreadsTest {
  private static final int KEYS = 20_000;
  private static final int FEW = 4000;

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void aScalableFilterLosesNoPutWhileItGrows(Layout.Family layout) throws Exception {
    ScalableBloomFilter shared =
        ScalableBloomFilter.builder().initialKeys(64).fpp(0.01).layout(layout).build();
    ScalableBloomFilter empty = shared.copy();
    AtomicLong news = new AtomicLong();
    new Stress()
        .concurrently(shared::mightContain)
        .concurrently(shared::mightContain)
        .besideMade(() -> shared.copy()::mightContain)
        .besideMade(() -> shared.compact()::mightContain)
        .besideMade(() -> empty.union(shared)::mightContain)
        .besideMade(() -> shared.intersection(shared)::mightContain)
        .besideMade(() -> ScalableBloomFilter.fromBytes(shared.toBytes())::mightContain)
        .concurrently(() -> requireCounted(shared, news))
        .put(
            KEYS,
            (writer, key) -> {
              if (shared.put(key)) {
                news.incrementAndGet();
              }
            },
            shared::mightContain);
    assertThat(shared.approximateElementCount()).isEqualTo(news.get());
    assertThat(shared.levels()).allSatisfy(level -> assertThat(level.keys()).isPositive());
    assertThat(shared.expectedFpp()).isLessThanOrEqualTo(0.01);
  }

  /** A copy contains every new key, and no level exceeds its capacity. */
  private static void requireCounted(ScalableBloomFilter shared, AtomicLong news) {
    long before = news.get();
    ScalableBloomFilter copy = shared.copy();
    long sum = 0;
    for (ScalableBloomFilter.Level level : copy.levels()) {
      sum += level.keys();
      if (level.keys() > level.capacity()) {
        throw new AssertionError("too full: " + level);
      }
    }
    if (sum < before || sum != copy.approximateElementCount()) {
      throw new AssertionError("counts " + sum + " of " + before);
    }
  }

  /** Copies and files of a scalable filter are snapshots: its levels count exactly their keys. */
  @Test
  void copiesAndFilesOfAScalableFilterCountItsKeys() throws Exception {
    for (int round = 0; round < 8; round++) {
      // one large level, so that a copy takes long compared with a put
      ScalableBloomFilter shared =
          ScalableBloomFilter.builder().initialKeys(100_000).fpp(1e-9).seed(round).build();
      ScalableBloomFilter empty = shared.copy();
      new Stress()
          .besideCounted(FEW, () -> counted(shared.copy()))
          .besideCounted(FEW, () -> counted(shared.compact()))
          .besideCounted(FEW, () -> counted(empty.union(shared)))
          .besideCounted(FEW, () -> counted(ScalableBloomFilter.fromBytes(shared.toBytes())))
          .put(FEW, (writer, key) -> shared.put(key), shared::mightContain);
      assertThat(shared.approximateElementCount()).isEqualTo((long) FEW * Stress.WRITERS);
    }
  }

  private static Stress.Counted counted(ScalableBloomFilter made) {
    return new Stress.Counted(made::mightContain, made.approximateElementCount());
  }

  /** The same keys from all threads: each is new once. */
  @Test
  void aKeyOfSeveralThreadsIsNewOnceInAScalableFilter() throws Exception {
    ScalableBloomFilter shared = ScalableBloomFilter.builder().initialKeys(64).fpp(1e-9).build();
    AtomicLong news = new AtomicLong();
    Stress.inStep(
        FEW,
        (writer, key) -> {
          if (shared.put(key)) {
            news.incrementAndGet();
          }
          if (!shared.mightContain(key)) {
            throw new AssertionError("lost key " + key);
          }
        });
    assertThat(news.get()).isEqualTo(FEW);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aPartitionFilterLosesNoIdWhileItsTreeChanges(Mode mode) throws Exception {
    DynamicPartitionBloomFilter shared = partition(mode);
    DynamicPartitionBloomFilter empty = partition(mode);
    int ids = mode == Mode.PUBLISHED ? KEYS / 8 : KEYS;
    Stress stress =
        new Stress()
            .concurrently(key -> shared.mightContainId(id(key)))
            .besideMade(() -> asked(shared.copy()))
            .besideMade(() -> asked(empty.union(shared)))
            .besideMade(() -> asked(DynamicPartitionBloomFilter.fromBytes(shared.toBytes())))
            .besideMade(
                () -> {
                  PartitionView view = shared.view();
                  return key -> view.mightContainId(id(key));
                });
    if (mode == Mode.EXACT_LEAVES) {
      stress.concurrently(key -> shared.containsId(id(key)));
    }
    stress.put(ids, (writer, key) -> shared.putId(id(key)), key -> shared.mightContainId(id(key)));
    DynamicPartitionBloomFilter alone = partition(mode);
    LongStream.range(0, (long) ids * Stress.WRITERS).forEach(key -> alone.putId(id(key)));
    assertThat(shared.populatedUnits()).isEqualTo(alone.populatedUnits());
    if (mode == Mode.EXACT_LEAVES) {
      assertThat(shared).isEqualTo(alone);
    }
  }

  /** Copies and files of a partition filter are snapshots: its leaves count exactly their ids. */
  @Test
  void copiesAndFilesOfAPartitionFilterCountItsIds() throws Exception {
    DynamicPartitionBloomFilter shared = partition(Mode.EXACT_LEAVES, 1e-9);
    DynamicPartitionBloomFilter empty = partition(Mode.EXACT_LEAVES, 1e-9);
    new Stress()
        .besideCounted(FEW, () -> counted(shared.view()))
        .besideCounted(FEW, () -> counted(shared.copy().view()))
        .besideCounted(FEW, () -> counted(empty.union(shared).view()))
        .besideCounted(
            FEW, () -> counted(DynamicPartitionBloomFilter.fromBytes(shared.toBytes()).view()))
        .put(FEW, (writer, key) -> shared.putId(id(key)));
    assertThat(shared.approximateElementCount()).isEqualTo((long) FEW * Stress.WRITERS);
  }

  private static Stress.Counted counted(PartitionView made) {
    return new Stress.Counted(key -> made.mightContainId(id(key)), made.approximateElementCount());
  }

  /** Ids come and go, and leaves split and join, while other ids stay. */
  @Test
  void permanentIdsAreNeverMissedWhileOthersChange() throws Exception {
    DynamicPartitionBloomFilter shared = partition(Mode.EXACT_LEAVES);
    long[] staying = LongStream.range(-300, 0).map(GrowthThreadsTest::id).toArray();
    shared.putIds(staying);
    Stress.Task ask =
        () -> {
          for (long id : staying) {
            if (!shared.mightContainId(id) || !shared.containsId(id)) {
              throw new AssertionError("lost id " + id);
            }
          }
        };
    new Stress()
        .concurrently(ask)
        .concurrently(ask)
        .write(
            writer -> {
              for (int round = 0; round < 40; round++) {
                for (int i = 0; i < 400; i++) {
                  shared.putId(id(Stress.key(writer, i)));
                }
                for (int i = 0; i < 400; i++) {
                  if (!shared.removeId(id(Stress.key(writer, i)))) {
                    throw new AssertionError("lost key " + i);
                  }
                }
              }
            });
    assertThat(shared.ids()).containsExactly(LongStream.of(staying).sorted().toArray());
    assertThat(shared.approximateElementCount()).isEqualTo(staying.length);
  }

  private static DynamicPartitionBloomFilter partition(Mode mode) {
    return partition(mode, 0.01);
  }

  private static DynamicPartitionBloomFilter partition(Mode mode, double fpp) {
    return DynamicPartitionBloomFilter.builder()
        .universe(1 << 20)
        .unitKeys(64)
        .fpp(fpp)
        .mode(mode)
        .build();
  }

  /** Scatters keys over the universe without collisions, because the factor is odd. */
  private static long id(long key) {
    return key * 0x9e3779b1L & ((1 << 20) - 1);
  }

  private static LongPredicate asked(DynamicPartitionBloomFilter made) {
    return key -> made.mightContainId(id(key));
  }
}
