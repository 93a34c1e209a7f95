package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;

import dev.bellows.BloomFilter;
import dev.bellows.FoldSize;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.Rates;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a filter of bits promises beyond every filter: the fold law and the merge law. */
abstract class BloomFilterContract extends KeyFilterContract<BloomFilter> {
  private BloomFilter filled(long from, long to) {
    return fill(create(), from, to);
  }

  private static BloomFilter fill(BloomFilter filter, long from, long to) {
    for (long i = from; i < to; i++) {
      filter.put(i);
    }
    return filter;
  }

  private static BloomFilter sameShape(BloomFilter like, long bits) {
    return BloomFilter.builder()
        .bits(bits)
        .hashes(like.hashes())
        .layout(like.layout())
        .hashScheme(like.hashScheme())
        .build();
  }

  @Test
  void foldedIsBitForBitTheFilterBuiltAtThatSize() {
    BloomFilter filter = filled(0, 2000);
    for (FoldSize size : filter.ladder()) {
      BloomFilter built = fill(sameShape(filter, size.bits()), 0, 2000);
      BloomFilter folded = filter.foldBy(size.factor());
      assertThat(folded).as("%s", size).isEqualTo(built);
      assertThat(folded.toBytes()).isEqualTo(built.toBytes());
      assertThat(filter.foldTo(size.bits())).isEqualTo(folded);
      assertThat(LongStream.range(0, 2000)).allMatch(folded::mightContain);
    }
    assertThat(filter).isEqualTo(filled(0, 2000));
  }

  @Test
  void orderDoesNotMatterAndCompositeEqualsSequential() {
    BloomFilter filter = filled(0, 500);
    List<FoldSize> ladder = filter.ladder();
    int last = ladder.size() - 1;
    qt().withExamples(200)
        .forAll(integers().between(0, last), integers().between(0, last))
        .check(
            (i, j) -> {
              long f = ladder.get(i).factor();
              BloomFilter once = filter.foldBy(f);
              List<FoldSize> rest = once.ladder();
              long g = rest.get(j % rest.size()).factor();
              BloomFilter composite = filter.foldBy(f * g);
              return once.foldBy(g).equals(composite)
                  && filter.foldBy(g).foldBy(f).equals(composite);
            });
  }

  @Test
  void theLadderExpectsWhatFoldingGives() {
    BloomFilter filter = filled(0, 3000);
    List<FoldSize> ladder = filter.ladder();
    assertThat(ladder).isSortedAccordingTo((a, b) -> Long.compare(a.bits(), b.bits()));
    assertThat(ladder.get(ladder.size() - 1).bits()).isEqualTo(filter.bits());
    for (FoldSize size : ladder) {
      if (size.bits() < 4096) {
        continue; // chance rules in tiny filters
      }
      double real = filter.foldBy(size.factor()).expectedFpp();
      assertThat(size.expectedFpp()).as("%s", size).isBetween(0.7 * real, 1.4 * real);
    }
  }

  @Test
  void foldToFppIsTheSmallestFoldingThatMeetsIt() {
    BloomFilter filter = filled(0, 40);
    for (double fpp : new double[] {0.3, 0.1, 0.01}) {
      BloomFilter folded = filter.foldToFpp(fpp);
      assertThat(folded.expectedFpp()).isLessThanOrEqualTo(fpp);
      for (FoldSize size : filter.ladder()) {
        if (size.bits() < folded.bits()) {
          assertThat(filter.foldBy(size.factor()).expectedFpp()).isGreaterThan(fpp);
        }
      }
    }
    assertThatThrownBy(() -> filled(0, 100_000).foldToFpp(1e-6))
        .hasMessageContaining("even the unfolded");
  }

  @Test
  void impossibleFoldsNameTheNearestPossibleOnes() {
    BloomFilter filter = create();
    assertThatThrownBy(() -> filter.foldBy(1_000_003)).hasMessageContaining("nearest factors");
    assertThatThrownBy(() -> filter.foldBy(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> filter.foldBy(-2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> filter.foldTo(filter.bits() - 1))
        .hasMessageContaining("cannot fold " + filter.bits() + " bits to " + (filter.bits() - 1))
        .hasMessageContaining(" and " + filter.bits());
    assertThatThrownBy(() -> filter.foldTo(2 * filter.bits()))
        .hasMessageContaining("ladder are " + filter.bits());
  }

  @Test
  void unionKeepsEveryKeyOfBothAndIntersectionEveryCommonKey() {
    BloomFilter a = filled(0, 1500);
    BloomFilter b = filled(1000, 2500);
    assertThat(a.union(b)).isEqualTo(filled(0, 2500)).isEqualTo(b.union(a));
    BloomFilter common = a.intersection(b);
    assertThat(LongStream.range(1000, 1500)).allMatch(common::mightContain);
    assertThat(common.isSubsetOf(a)).isTrue();
    assertThat(a.isSubsetOf(a.union(b))).isTrue();
    assertThat(a.isSubsetOf(b)).isFalse();
    assertThat(a).isEqualTo(filled(0, 1500));
  }

  @Test
  void filtersOfDifferentSizesMeetAtTheGreatestCommonDivisor() {
    BloomFilter a = filled(0, 300);
    BloomFilter b = fill(sameShape(a, a.bits() / 2 * 3), 200, 500);
    BloomFilter union = a.union(b);
    assertThat(union.bits()).isEqualTo(a.bits() / 2);
    assertThat(union).isEqualTo(fill(sameShape(a, a.bits() / 2), 0, 500)).isEqualTo(b.union(a));
    assertThat(LongStream.range(200, 300)).allMatch(a.intersection(b)::mightContain);
    assertThat(fill(sameShape(a, a.bits() * 2), 0, 100).isSubsetOf(a)).isTrue();
    Rates.assertRate(100_000, i -> union.mightContain(-1 - i), union.expectedFpp());
  }

  @Test
  void aMergeThatWouldBeUselessIsRefusedWithAWayOut() {
    BloomFilter a = filled(0, 2000);
    BloomFilter b = sameShape(a, a.bits() + a.layout().cellBits());
    assertThatThrownBy(() -> a.union(b))
        .hasMessageContaining("above 0.5")
        .hasMessageContaining("capacity of " + 2 * a.bits() + " bits");
    assertThat(a.union(b, 1).mightContain(1L)).isTrue();
  }

  @Test
  void incompatibleFiltersSayWhy() {
    BloomFilter a = create();
    BloomFilter seeded = create(HashScheme.xxh3(5));
    assertThat(a.isCompatible(create())).isTrue();
    assertThat(a.isCompatible(seeded)).isFalse();
    assertThat(a.incompatibility(seeded)).hasValueSatisfying(s -> assertThat(s).contains("seed 5"));
    assertThatThrownBy(() -> a.union(seeded)).hasMessageContaining("cannot be merged");
  }

  @Test
  void copiesAreIndependentAndClearForgets() {
    BloomFilter filter = filled(0, 10);
    BloomFilter copy = filter.copy();
    copy.put(99L);
    assertThat(filter).isEqualTo(filled(0, 10)).isNotEqualTo(copy);
    copy.clear();
    assertThat(copy).isEqualTo(create());
  }

  @Test
  void putTellsWhetherABitChanged() {
    BloomFilter filter = create();
    assertThat(filter.put("x")).isTrue();
    assertThat(filter.put("x")).isFalse();
    assertThat(filter.put("y")).isTrue();
  }

  @Test
  void aFullFilterIsStillCounted() {
    BloomFilter filter = create();
    BloomFilter tiny = sameShape(filter, filter.ladder().get(0).bits());
    fill(tiny, 0, 20_000);
    assertThat(tiny.expectedFpp()).isEqualTo(1);
    assertThat(tiny.approximateElementCount()).isPositive().isLessThan(20_000);
    assertThat(tiny.stats().fill()).isEqualTo(1);
  }

  @Test
  void streamsCollectIntoFilters() {
    BloomFilter collected =
        LongStream.range(0, 5000)
            .parallel()
            .boxed()
            .collect(BloomFilter.collector(5000, 0.01, KeyHasher.LONGS));
    BloomFilter expected = fill(BloomFilter.create(5000, 0.01), 0, 5000);
    assertThat(collected).isEqualTo(expected);
  }

  @Test
  void epochsChangeWithTheFirstPutAfterAFolding() throws java.io.IOException {
    BloomFilter like = create();
    BloomFilter filter =
        BloomFilter.builder()
            .bits(like.bits())
            .hashes(like.hashes())
            .layout(like.layout())
            .id(77)
            .build();
    filter.put(1L);
    BloomFilter first = filter.foldBy(2);
    long epoch = filter.epoch();
    assertThat(first.filterId()).isEqualTo(77);
    assertThat(first.epoch()).isEqualTo(epoch);
    filter.put(1L);
    assertThat(filter.epoch()).isEqualTo(epoch);
    filter.put(2L);
    filter.put(3L);
    assertThat(filter.epoch()).isEqualTo(epoch + 1);
    BloomFilter read = BloomFilter.fromBytes(filter.toBytes());
    assertThat(read.epoch()).isEqualTo(epoch + 1);
    assertThat(read.filterId()).isEqualTo(77);
    filter.put(4L);
    assertThat(filter.epoch()).isEqualTo(epoch + 2);
    first.put(5L);
    assertThat(first.filterId()).isZero();
    assertThat(create().foldBy(2).filterId()).isZero();
  }
}
