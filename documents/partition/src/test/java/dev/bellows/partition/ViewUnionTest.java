package dev.bellows.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.io.FilterKind;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Views merge without their ids: leaves that fit together become one, the others a list. */
class ViewUnionTest {
  private static final long UNIVERSE = 1 << 20;
  private static final double FPP = 0.01;

  /** Units of 64 ids. */
  private static PartitionView view(Mode mode, LongStream ids) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(UNIVERSE)
            .depth(14)
            .fpp(FPP)
            .mode(mode)
            .build();
    ids.forEach(filter::putId);
    return filter.view();
  }

  private static long[] random(SplittableRandom random, int count) {
    return random.longs(count, 0, UNIVERSE).toArray();
  }

  /** The guide's example: units of 1024 ids at 1e-4. */
  @Test
  void fortySetsOfTwentyIdsShareOneLeafWithinTheRate() {
    List<long[]> sets = new ArrayList<>();
    PartitionView union = null;
    SplittableRandom random = new SplittableRandom(40);
    for (int i = 0; i < 40; i++) {
      DynamicPartitionBloomFilter filter =
          DynamicPartitionBloomFilter.builder()
              .universe(1L << 30)
              .depth(20)
              .fpp(1e-4)
              .mode(Mode.PUBLISHED)
              .build();
      sets.add(random.longs(20, 0, 1L << 30).toArray());
      filter.putIds(sets.get(i));
      union = union == null ? filter.view() : union.union(filter.view());
    }
    assertThat(union.leaves()).isEqualTo(1);
    assertThat(union.approximateElementCount()).isEqualTo(800);
    assertThat(union.expectedFpp()).isLessThanOrEqualTo(1e-4);
    assertThat(all(sets)).allMatch(union::mightContainId);
  }

  @Test
  void aSmallSetIsMergedIntoEveryLeafOfALargeOne() {
    long[] few = {5, 500_000, 999_999};
    // 40 ids in every 2^-8 of the universe
    LongStream many = LongStream.range(0, 256 * 40).map(i -> i / 40 * 4096 + i % 40 * 100);
    PartitionView large = view(Mode.PUBLISHED, many);
    PartitionView union = large.union(view(Mode.PUBLISHED, LongStream.of(few)));
    assertThat(union.leaves()).isEqualTo(large.leaves()).isEqualTo(256);
    assertThat(union.expectedFpp()).isBetween(large.expectedFpp(), FPP);
    assertThat(LongStream.of(few)).allMatch(union::mightContainId);
    assertThat(LongStream.range(0, 256 * 40).map(i -> i / 40 * 4096 + i % 40 * 100))
        .allMatch(union::mightContainId);
  }

  @Test
  void fullLeavesStayAListWhoseRatesAddUp() {
    PartitionView a = view(Mode.PUBLISHED, LongStream.range(0, 60).map(i -> 17 * i));
    PartitionView b = view(Mode.PUBLISHED, LongStream.range(0, 60).map(i -> 500_000 + 19 * i));
    PartitionView union = a.union(b);
    assertThat(union.leaves()).isEqualTo(2);
    assertThat(union.expectedFpp()).isEqualTo(a.expectedFpp() + b.expectedFpp());
    for (long id = 0; id < UNIVERSE; id += 7) {
      assertThat(union.mightContainId(id)).isEqualTo(a.mightContainId(id) || b.mightContainId(id));
    }
  }

  @Test
  void leavesThatDoNotOverlapShareATreeAndTheirRatesDoNotAddUp() {
    for (Mode mode : Mode.values()) {
      // more than a unit in each half, so that neither tree has a leaf in the other half
      PartitionView low = view(mode, LongStream.range(0, 500));
      PartitionView high = view(mode, LongStream.range(UNIVERSE - 500, UNIVERSE));
      PartitionView union = low.union(high);
      assertThat(union.leaves()).isEqualTo(low.leaves() + high.leaves());
      assertThat(union.expectedFpp()).isEqualTo(Math.max(low.expectedFpp(), high.expectedFpp()));
    }
  }

  @Test
  void mergingTheSameViewAddsNothing() {
    PartitionView all = view(Mode.PUBLISHED, LongStream.range(0, 3000).map(i -> 300 * i));
    assertThat(all.union(all)).isEqualTo(all);
    PartitionView few = view(Mode.PUBLISHED, LongStream.of(0, 300, 600));
    PartitionView more = view(Mode.PUBLISHED, LongStream.of(0, 300, 600, 900));
    assertThat(more.union(few)).isEqualTo(more);
    assertThat(few.union(more)).isEqualTo(more);
  }

  @Test
  void filtersOfAnIntersectionAreNotMerged() {
    PartitionView a = view(Mode.PUBLISHED, LongStream.range(0, 10));
    PartitionView b = view(Mode.PUBLISHED, LongStream.range(5, 15));
    PartitionView c = view(Mode.PUBLISHED, LongStream.range(900, 910));
    PartitionView union = a.intersection(b).union(c);
    assertThat(union.leaves()).isEqualTo(2);
    assertThat(LongStream.range(5, 10)).allMatch(union::mightContainId);
    assertThat(LongStream.range(900, 910)).allMatch(union::mightContainId);
  }

  @Test
  void randomUnionsLoseNothingAndNoIdExceedsTheStatedBound() throws IOException {
    SplittableRandom random = new SplittableRandom(16);
    long merged = 0;
    long listed = 0;
    for (int round = 0; round < 60; round++) {
      Mode mode = round % 3 == 0 ? Mode.EXACT_LEAVES : Mode.PUBLISHED;
      PartitionView union = view(mode, LongStream.empty());
      List<long[]> sets = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        long[] ids = random(random, 1 << random.nextInt(12));
        PartitionView next = view(mode, LongStream.of(ids));
        PartitionView before = union;
        union = union.union(next, 1);
        sets.add(ids);
        assertThat(union.expectedFpp())
            .isLessThanOrEqualTo(
                Math.max(FPP / 2, before.expectedFpp() + next.expectedFpp()) * (1 + 1e-12));
        boolean isList = union.leaves() >= before.leaves() + next.leaves();
        merged += isList ? 0 : 1;
        listed += isList ? 1 : 0;
      }
      for (long[] ids : sets) {
        assertThat(LongStream.of(ids)).allMatch(union::mightContainId);
      }
      assertThat(PartitionView.fromBytes(union.toBytes())).isEqualTo(union);
      assertThat(union.approximateElementCount())
          .isGreaterThanOrEqualTo(view(mode, all(sets)).approximateElementCount());
    }
    assertThat(merged).isGreaterThan(15);
    assertThat(listed).isGreaterThan(100);
  }

  /**
   * The distribution of ids: a small universe of which the sets share a half, so that units are
   * full, or one in which few units have two ids.
   */
  private enum Ids {
    DENSE(1 << 16, 10, 12),
    SPARSE(1L << 40, 30, 9);

    final long universe;
    final int depth;
    final int mostLog;

    Ids(long universe, int depth, int mostLog) {
      this.universe = universe;
      this.depth = depth;
      this.mostLog = mostLog;
    }

    long[] set(SplittableRandom random) {
      int most = 1 << (4 + random.nextInt(mostLog - 3));
      return random.longs(most, 0, universe / 2).map(id -> 2 * id).toArray();
    }

    DynamicPartitionBloomFilter filter(Mode mode) {
      return DynamicPartitionBloomFilter.builder()
          .universe(universe)
          .depth(depth)
          .fpp(FPP)
          .mode(mode)
          .build();
    }
  }

  @Test
  void aHundredUnionsOfViewsBuiltForMergingKeepTheRate() throws IOException {
    int unions = 100;
    for (Mode mode : Mode.values()) {
      for (Ids where : Ids.values()) {
        SplittableRandom random = new SplittableRandom(37);
        double fpp = where.filter(mode).plan().viewFpp(unions);
        List<long[]> sets = new ArrayList<>();
        PartitionView union = where.filter(mode).view(fpp);
        PartitionView compact = union;
        PartitionView plain = where.filter(mode).view();
        for (int i = 0; i <= unions; i++) {
          DynamicPartitionBloomFilter filter = where.filter(mode);
          sets.add(where.set(random));
          filter.putIds(sets.get(i));
          PartitionView next = PartitionView.fromBytes(filter.view(fpp).toBytes());
          union = union.union(next);
          if (where == Ids.DENSE) {
            compact = PartitionView.fromBytes(compact.union(next).compact().toBytes());
          }
          plain = plain.union(filter.view(), 1);
        }
        assertThat(all(sets)).allMatch(union::mightContainId);
        assertThat(union.expectedFpp()).isLessThanOrEqualTo(FPP);
        // of the absent ids, which all are odd
        long asked = 1 << 15;
        long step = where.universe / asked;
        PartitionView planned = union;
        long accepted = Rates.count(asked, i -> planned.mightContainId(i * step | 1));
        assertThat(BinomialInterval.of(accepted, asked, Rates.ALPHA).low()).isLessThan(FPP);
        assertThat(PartitionView.fromBytes(union.toBytes())).isEqualTo(union);
        // one bit per id instead of a list of filters, and no further false positives
        if (where == Ids.DENSE) {
          assertThat(compact.expectedFpp()).isLessThanOrEqualTo(FPP);
          assertThat(compact.leaves()).isEqualTo(1);
          assertThat(compact.sizeInBytes()).isLessThan(where.universe / 8 + 512);
          assertThat(union.sizeInBytes()).isGreaterThan(10 * compact.sizeInBytes());
          assertThat(all(sets)).allMatch(compact::mightContainId);
          requireSame(union, union.compact(), where.universe);
          // a list ORs small leaves, which adds false positives
          for (long id = 0; id < where.universe; id++) {
            assertThat(compact.mightContainId(id) && !union.mightContainId(id)).isFalse();
          }
        } else {
          assertThat(union.compact()).isSameAs(union);
        }
        // views that were not made for it do not keep it
        assertThat(plain.averageFpp())
            .isGreaterThan(where == Ids.SPARSE && mode == Mode.PUBLISHED ? FPP / 2 : 40 * FPP);
      }
    }
  }

  /** Universes from sparse to dense, in which some leaves become bitmaps and others do not. */
  @Test
  void compactViewsAcceptTheSameIdsAtTheSameRateInLessSpace() throws IOException {
    SplittableRandom random = new SplittableRandom(38);
    int bitmaps = 0;
    int mixed = 0;
    for (int round = 0; round < 60; round++) {
      Mode mode = Mode.values()[round % 2];
      // neither a power of two nor divisible by the number of units
      long universe = 3001 + random.nextInt(1 << (10 + random.nextInt(8)));
      PartitionView a = someIds(mode, universe, random);
      PartitionView b = someIds(mode, universe, random);
      PartitionView c = someIds(mode, universe, random);
      PartitionView list = a.union(b, 1).union(c, 1);
      PartitionView compact = list.compact();
      requireSame(list, compact, universe);
      assertThat(compact.expectedFpp()).isLessThanOrEqualTo(list.expectedFpp() * (1 + 1e-12));
      assertThat(compact.sizeInBytes()).isLessThanOrEqualTo(list.sizeInBytes());
      assertThat(compact.approximateElementCount())
          .isLessThanOrEqualTo(list.approximateElementCount());
      assertThat(compact.compact()).isEqualTo(compact);
      assertThat(PartitionView.fromBytes(compact.toBytes())).isEqualTo(compact);
      boolean hasBitmap = compact.kind() == FilterKind.PARTITION_COMPACT;
      assertThat(compact.equals(list)).isEqualTo(!hasBitmap);
      bitmaps += hasBitmap ? 1 : 0;
      mixed += hasBitmap && compact.leaves() > 1 ? 1 : 0;
      // unions of compact views lose nothing, and intersections gain nothing
      PartitionView some = a.compact();
      PartitionView union = some.union(b.compact(), 1).union(c, 1);
      for (long id = 0; id < universe; id++) {
        boolean inOne = a.mightContainId(id) || b.mightContainId(id) || c.mightContainId(id);
        assertThat(inOne && !union.mightContainId(id)).isFalse();
      }
      assertThat(union.expectedFpp())
          .isLessThanOrEqualTo(
              (a.expectedFpp() + b.expectedFpp() + c.expectedFpp() + FPP / 2) * (1 + 1e-12));
      PartitionView both = list.intersection(a, 1);
      for (PartitionView other :
          List.of(
              list.intersection(some, 1),
              compact.intersection(a, 1),
              compact.intersection(some, 1))) {
        requireSame(both, other, universe);
        // an id that is in one side only passes at the rate of the other: three trees and a
        assertThat(other.expectedFpp())
            .isLessThanOrEqualTo((list.expectedFpp() + 3 * a.expectedFpp()) * (1 + 1e-12));
      }
    }
    assertThat(bitmaps).isBetween(30, 59);
    assertThat(mixed).isBetween(10, 59);
  }

  private static PartitionView someIds(Mode mode, long universe, SplittableRandom random) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(universe)
            .depth(9)
            .fpp(FPP)
            .mode(mode)
            .build();
    // often a dense run, and some anywhere
    long run = random.nextLong(universe);
    long length = random.nextBoolean() ? 0 : random.nextInt(2000);
    LongStream.range(run, Math.min(universe, run + length)).forEach(filter::putId);
    random.longs(random.nextInt(300), 0, universe).forEach(filter::putId);
    return filter.view();
  }

  private static void requireSame(PartitionView one, PartitionView other, long universe) {
    for (long id = 0; id < universe; id++) {
      if (one.mightContainId(id) != other.mightContainId(id)) {
        throw new AssertionError("id " + id + ": " + one + ", " + other);
      }
    }
  }

  @Test
  void idsThatAreHashedWithASecretKeyAreNotDisclosed() {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(1000)
            .depth(4)
            .hashScheme(HashScheme.sipHash("0123456789abcdef".getBytes(StandardCharsets.US_ASCII)))
            .build();
    LongStream.range(0, 500).forEach(filter::putId);
    PartitionView view = filter.view();
    assertThat(view.compact()).isSameAs(view);
  }

  /** A file may have many trees with hardly a bit over the same ids. */
  @Test
  void manyTinyFiltersOverManyIdsAreNotEnumerated() {
    PartitionView view = view(Mode.EXACT_LEAVES, LongStream.of(1));
    for (int i = 2; i < 40; i++) {
      view = view.union(view(Mode.EXACT_LEAVES, LongStream.of(i)), 1);
    }
    assertThat(view.compact()).isSameAs(view);
  }

  @Test
  void aViewForUnionsHasItsRateAndRefusesAHigherOne() {
    DynamicPartitionBloomFilter filter = Ids.SPARSE.filter(Mode.EXACT_LEAVES);
    filter.putIds(random(new SplittableRandom(3), 3000));
    assertThat(filter.view(FPP)).isEqualTo(filter.view());
    assertThat(filter.view(FPP / 50).expectedFpp()).isLessThanOrEqualTo(FPP / 50);
    assertThat(filter.view(FPP / 50).incompatibility(filter.view())).isPresent();
    assertThatThrownBy(() -> filter.view(2 * FPP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.01")
        .hasMessageContaining("0.02");
    assertThat(filter.plan().viewFpp(0)).isEqualTo(FPP / 2);
    assertThat(filter.plan().viewFpp(99)).isEqualTo(FPP / 200);
  }

  private static LongStream all(List<long[]> sets) {
    return sets.stream().flatMapToLong(LongStream::of);
  }
}
