package dev.bellows.scalable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.Rates;
import dev.bellows.contract.KeyFilterContract;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.io.Filters;
import dev.bellows.scalable.ScalableBloomFilter.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScalableBloomFilterTest extends KeyFilterContract<ScalableBloomFilter> {
  @Override
  protected ScalableBloomFilter create(HashScheme scheme) {
    return ScalableBloomFilter.builder().fpp(0.01).initialKeys(100).hashScheme(scheme).build();
  }

  private ScalableBloomFilter filled(long from, long to) {
    ScalableBloomFilter filter = create();
    LongStream.range(from, to).forEach(filter::put);
    return filter;
  }

  @Test
  void levelsDoubleAndFillOneAfterTheOther() {
    List<Level> levels = filled(0, 20_000).levels();
    assertThat(levels).hasSizeBetween(7, 8);
    for (int i = 1; i < levels.size(); i++) {
      Level level = levels.get(i);
      assertThat(level.index()).isEqualTo(levels.get(i - 1).index() - 1);
      assertThat(level.keys()).isEqualTo(level.capacity());
      assertThat(2 * level.bits()).isEqualTo(levels.get(i - 1).bits());
    }
  }

  @Test
  void repetitionsDoNotMakeItGrow() {
    ScalableBloomFilter filter = filled(0, 5000);
    byte[] before = filter.toBytes();
    for (int round = 0; round < 20; round++) {
      for (long key = 0; key < 5000; key++) {
        assertThat(filter.put(key)).isFalse();
      }
    }
    assertThat(filter.toBytes()).isEqualTo(before);
    // keys that were false positives when they were put are not counted
    long passed = 5000 - filter.approximateElementCount();
    assertThat(passed).isNotNegative();
    assertThat(BinomialInterval.of(passed, 5000, Rates.ALPHA).low()).isLessThanOrEqualTo(0.01);
  }

  @Test
  void growthContinuesAfterAReload() throws IOException {
    ScalableBloomFilter whole = create();
    ScalableBloomFilter reloaded = create();
    for (long key = 0; key < 30_000; key++) {
      if (key % 1777 == 0) {
        reloaded = ScalableBloomFilter.fromBytes(reloaded.toBytes());
      }
      whole.put(key);
      reloaded.put(key);
    }
    assertThat(reloaded).isEqualTo(whole);
    assertWithin(reloaded, 0.01);
  }

  @Test
  void theStatedRateIsTheMeasuredOne() {
    for (Layout.Family layout : Layout.Family.values()) {
      ScalableBloomFilter filter =
          ScalableBloomFilter.builder().fpp(0.05).layout(layout).initialKeys(500).build();
      LongStream.range(0, 50_000).forEach(filter::put);
      Rates.assertRate(500_000, i -> filter.mightContain(-1 - i), filter.expectedFpp());
      assertThat(filter.expectedFpp()).isLessThan(filter.promisedFpp());
      assertThat(filter.promisedFpp()).isCloseTo(0.05, org.assertj.core.data.Offset.offset(1e-12));
    }
  }

  /** Many filters, so that the mean rate of the formulas shows and not one filter's luck. */
  @Test
  void smallStartsKeepTheRateToo() {
    for (Layout.Family layout : Layout.Family.values()) {
      for (int start : new int[] {1, 7, 64}) {
        long hits = 0;
        for (int seed = 0; seed < 50; seed++) {
          ScalableBloomFilter filter =
              ScalableBloomFilter.builder()
                  .fpp(0.1)
                  .initialKeys(start)
                  .horizonKeys(4000)
                  .layout(layout)
                  .seed(seed)
                  .build();
          LongStream.range(0, 4000).forEach(filter::put);
          hits += Rates.count(20_000, i -> filter.mightContain(-1 - i));
        }
        assertThat(BinomialInterval.of(hits, 1_000_000, Rates.ALPHA).low())
            .as("%s, start %d, %d hits", layout, start, hits)
            .isLessThanOrEqualTo(0.1);
      }
    }
  }

  @Test
  void compactKeepsKeysAndRateAndGrowsOn() throws IOException {
    ScalableBloomFilter filter = filled(0, 17_000);
    ScalableBloomFilter small = filter.compact();
    assertThat(small.stats().bits()).isLessThan(filter.stats().bits() * 3 / 4);
    assertThat(small.sizeInBytes()).isLessThan(filter.sizeInBytes());
    assertThat(LongStream.range(0, 17_000)).allMatch(small::mightContain);
    assertThat(small.expectedFpp()).isLessThanOrEqualTo(0.01);
    assertThat(filter).isEqualTo(filled(0, 17_000));
    ScalableBloomFilter read = ScalableBloomFilter.fromBytes(small.toBytes());
    assertThat(read).isEqualTo(small);
    LongStream.range(17_000, 60_000).forEach(read::put);
    assertThat(LongStream.range(0, 60_000)).allMatch(read::mightContain);
    assertWithin(read, 0.01);
    assertThat(create().compact().stats().ones()).isZero();
  }

  @Test
  void unionHoldsBothAndStatesItsRate() throws IOException {
    ScalableBloomFilter a = filled(0, 6000);
    ScalableBloomFilter b = filled(5000, 25_000);
    ScalableBloomFilter union = a.union(b);
    assertThat(LongStream.range(0, 25_000)).allMatch(union::mightContain);
    assertThat(union.promisedFpp()).isBetween(0.01, 0.02);
    Rates.assertRate(300_000, i -> union.mightContain(-1 - i), union.expectedFpp());
    assertThat(union).isEqualTo(Filters.fromBytes(union.toBytes()));
    LongStream.range(25_000, 90_000).forEach(union::put);
    assertThat(LongStream.range(0, 90_000)).allMatch(union::mightContain);
    assertWithin(union, union.promisedFpp());
    assertThat(a).isEqualTo(filled(0, 6000));
  }

  @Test
  void unionsOfSmallFiltersNeedNoNewLevels() {
    ScalableBloomFilter union = create();
    for (int i = 0; i < 4; i++) {
      union = union.union(filled(25 * i, 25 * i + 25));
    }
    assertThat(union.levels()).hasSize(1);
    assertThat(union).isEqualTo(filled(0, 100));
    assertThat(union.promisedFpp()).isCloseTo(0.01, org.assertj.core.data.Offset.offset(1e-12));
  }

  /** Common keys lie in different levels of the two sides: pairing levels would lose them. */
  @Test
  void intersectionLosesNoCommonKeyInAnyLevel() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 40; round++) {
      long size = 10L << random.nextInt(11);
      long from = random.nextLong(size);
      long to = from + (5L << random.nextInt(11));
      ScalableBloomFilter a = filled(0, size);
      ScalableBloomFilter b = create();
      LongStream.range(from, to).map(i -> from + to - 1 - i).forEach(b::put);
      ScalableBloomFilter both = a.intersection(b);
      assertThat(LongStream.range(from, Math.min(size, to))).allMatch(both::mightContain);
      assertThat(both.expectedFpp())
          .isLessThanOrEqualTo(Math.max(a.expectedFpp(), b.expectedFpp()));
      assertThat(both.stats().ones()).isLessThanOrEqualTo(a.stats().ones() + b.stats().ones());
      assertThat(both).isEqualTo(Filters.fromBytes(both.toBytes()));
    }
  }

  @Test
  void keysOfOneSideAlonePassAtTheOtherSidesRate() {
    ScalableBloomFilter a = filled(0, 30_000);
    ScalableBloomFilter b = filled(20_000, 60_000);
    ScalableBloomFilter both = a.intersection(b);
    BinomialInterval onlyA =
        BinomialInterval.of(Rates.count(20_000, both::mightContain), 20_000, Rates.ALPHA);
    BinomialInterval onlyB =
        BinomialInterval.of(
            Rates.count(30_000, i -> both.mightContain(30_000 + i)), 30_000, Rates.ALPHA);
    assertThat(onlyA.low()).isLessThanOrEqualTo(both.expectedFpp());
    assertThat(onlyB.low()).isLessThanOrEqualTo(both.expectedFpp());
    assertThat(Rates.count(200_000, i -> both.mightContain(-1 - i))).isLessThan(100);
    both.put(-7L);
    assertThat(both.mightContain(-7L)).isTrue();
    ScalableBloomFilter three = both.intersection(filled(25_000, 26_000)).union(filled(0, 10));
    assertThat(LongStream.range(25_000, 26_000)).allMatch(three::mightContain);
    assertThat(LongStream.range(0, 10)).allMatch(three::mightContain);
  }

  @Test
  void otherParametersAreRefused() {
    ScalableBloomFilter a = create();
    assertThatThrownBy(() -> a.union(create(HashScheme.xxh3(9)))).hasMessageContaining("seed 9");
    assertThatThrownBy(() -> a.intersection(ScalableBloomFilter.create(0.02)))
        .hasMessageContaining("fpp=0.01")
        .hasMessageContaining("fpp=0.02");
    assertThatThrownBy(() -> filled(0, 3000).union(filled(3000, 6000), 1e-6))
        .hasMessageContaining("above 1.0E-6");
    assertThatThrownBy(() -> ScalableBloomFilter.create(0)).hasMessageContaining("fpp");
    assertThatThrownBy(() -> ScalableBloomFilter.builder().initialKeys(0))
        .hasMessageContaining("initialKeys");
  }

  @Test
  void copiesAreIndependent() {
    ScalableBloomFilter filter = filled(0, 10);
    ScalableBloomFilter copy = filter.copy();
    copy.put(99L);
    assertThat(filter).isEqualTo(filled(0, 10)).isNotEqualTo(copy);
  }

  private static void assertWithin(ScalableBloomFilter filter, double fpp) {
    long hits = Rates.count(100_000, i -> filter.mightContain(-1 - i));
    assertThat(BinomialInterval.of(hits, 100_000, Rates.ALPHA).low()).isLessThanOrEqualTo(fpp);
  }

  @Test
  void separatelyStoredLevelsCanBeReassembled() {
    ScalableBloomFilter filter = ScalableBloomFilter.builder().fpp(0.01).initialKeys(100).build();
    filter.putAll(LongStream.range(0, 5_000).toArray());
    assertThat(filter.levels()).hasSizeGreaterThan(3);
    List<BloomFilter> bits = filter.levelFilters();
    assertThat(
            ScalableBloomFilter.ofLevels(filter.plan(), filter.hashScheme(), filter.levels(), bits))
        .isEqualTo(filter);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ScalableBloomFilter.ofLevels(
                    filter.plan(),
                    filter.hashScheme(),
                    filter.levels(),
                    bits.subList(0, bits.size() - 1)));
    List<BloomFilter> reversed = new ArrayList<>(bits);
    Collections.reverse(reversed);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ScalableBloomFilter.ofLevels(
                    filter.plan(), filter.hashScheme(), filter.levels(), reversed));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ScalableBloomFilter.ofLevels(
                    filter.plan(), HashScheme.xxh3(7), filter.levels(), bits));
    assertThatIllegalStateException()
        .isThrownBy(() -> filter.intersection(filter.copy()).levelFilters());
  }
}
