package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.ElasticBloomFilter;
import dev.bellows.ElasticBloomFilter.Resize;
import dev.bellows.FoldPolicy;
import dev.bellows.HashScheme;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.FoldBand;
import dev.bellows.plan.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ElasticBloomFilterTest extends KeyFilterContract<ElasticBloomFilter> {
  @Override
  ElasticBloomFilter create(HashScheme scheme) {
    return ElasticBloomFilter.builder().keys(4000).fpp(0.01).hashScheme(scheme).build();
  }

  private static ElasticBloomFilter.Builder builder(Layout layout) {
    return ElasticBloomFilter.builder()
        .capacity(512L * 7200)
        .fpp(0.01)
        .tolerance(0.004)
        .layout(layout);
  }

  private static double predicted(ElasticBloomFilter filter, Layout layout) {
    int hashes = filter.stats().hashes();
    return BloomPlan.fpp(filter.bits(), filter.keys(), hashes, layout);
  }

  /** In the band, or there is no size that would be with room for the next few keys. */
  private static void assertHeld(ElasticBloomFilter filter, Layout layout) {
    double rate = predicted(filter, layout);
    boolean inside = rate >= 0.006 * 0.999 && rate <= 0.014 * 1.001;
    if (!inside) {
      long keys = filter.keys();
      double room = 1 + 2 * filter.band().headroom();
      assertThat(filter.band().sizes())
          .as("%d keys in %d bits have rate %s", keys, filter.bits(), rate)
          .noneMatch(s -> s.serves((long) (keys * room)) && s.serves((long) (keys / room)));
      assertThat(rate).isLessThanOrEqualTo(0.014 * 1.001);
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void theRateStaysInTheBandWhileKeysComeAndGo(Layout layout) {
    List<Resize> resizes = new ArrayList<>();
    ElasticBloomFilter filter = builder(layout).counting(4).onResize(resizes::add).build();
    long most = 60_000;
    for (long i = 0; i < most; i++) {
      filter.put(i);
      if (i % 97 == 0) {
        assertHeld(filter, layout);
      }
    }
    int grown = resizes.size();
    assertThat(grown).isBetween(10, 200);
    assertThat(filter.keys()).isBetween(most - 20, most);
    assertThat(LongStream.range(0, most)).allMatch(filter::mightContain);
    for (long i = 0; i < most; i++) {
      assertThat(filter.remove(i)).isTrue();
      if (i % 97 == 0 && filter.keys() > 1000) {
        assertHeld(filter, layout);
      }
      if (i == most / 2) {
        assertThat(LongStream.range(i + 1, most)).allMatch(filter::mightContain);
      }
    }
    assertThat(resizes.size()).isGreaterThan(grown);
    assertThat(filter.keys()).isZero();
    assertThat(filter.stats().ones()).isZero();
    double share = filter.band().headroom();
    for (int i = 1; i < resizes.size(); i++) {
      double before = resizes.get(i - 1).keys();
      double after = resizes.get(i).keys();
      assertThat(Math.abs(after - before))
          .as("%s", resizes.get(i))
          .isGreaterThanOrEqualTo(Math.floor(share * Math.min(before, after)));
    }
  }

  @Test
  void keysThatHoverDoNotMakeItFlap() {
    List<Resize> resizes = new ArrayList<>();
    ElasticBloomFilter filter = builder(Layout.BLOCKED).counting(4).onResize(resizes::add).build();
    long i = 0;
    while (resizes.size() < 12) {
      filter.put(i++);
    }
    for (int round = 0; round < 2000; round++) {
      filter.remove(--i);
      filter.put(i++);
    }
    assertThat(resizes).hasSize(12);
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void theViewIsTheFoldingOfEverythingEverPut(Layout layout) {
    ElasticBloomFilter filter = builder(layout).build();
    for (long i = 0; i < 30_000; i++) {
      filter.put(i);
    }
    BloomFilter snapshot = filter.snapshot();
    BloomFilter direct =
        BloomFilter.builder().bits(filter.bits()).hashes(snapshot.hashes()).layout(layout).build();
    for (long i = 0; i < 30_000; i++) {
      direct.put(i);
    }
    assertThat(snapshot).isEqualTo(direct);
    assertThat(filter.explain()).contains("not memory");
  }

  @Test
  void frozenItOnlyShrinksAndKeepsEveryKey() throws IOException {
    ElasticBloomFilter filter = builder(Layout.BLOCKED).build();
    for (long i = 0; i < 5000; i++) {
      filter.put(i);
    }
    filter.freeze();
    long frozen = filter.bits();
    for (long i = 5000; i < 20_000; i++) {
      filter.put(i);
    }
    assertThat(filter.bits()).isEqualTo(frozen);
    assertThat(LongStream.range(0, 20_000)).allMatch(filter::mightContain);
    assertThat(filter.explain()).contains("can only shrink");
    assertThat(ElasticBloomFilter.fromBytes(filter.toBytes())).isEqualTo(filter);
    assertThat(filter.toBytes().length)
        .isLessThan(builder(Layout.BLOCKED).build().toBytes().length);
  }

  @Test
  void moreKeysThanTheCapacityServesAreReportedAndNotLost() {
    ElasticBloomFilter filter = ElasticBloomFilter.builder().capacity(512 * 24).fpp(0.01).build();
    for (long i = 0; i < 5000; i++) {
      filter.put(i);
    }
    assertThat(filter.isOverCapacity()).isTrue();
    assertThat(filter.bits()).isEqualTo(filter.capacity());
    assertThat(filter.explain()).contains("build a larger one");
    assertThat(LongStream.range(0, 5000)).allMatch(filter::mightContain);
  }

  @Test
  void entropyShipsAnotherSizeEachTime() {
    ElasticBloomFilter filter =
        builder(Layout.CLASSIC).tolerance(0.008).policy(FoldPolicy.ENTROPY).id(5).build();
    for (long i = 0; i < 20_000; i++) {
      filter.put(i);
    }
    Set<Long> sizes = new HashSet<>();
    BloomFilter first = filter.snapshot();
    sizes.add(first.bits());
    sizes.add(filter.snapshot().bits());
    sizes.add(filter.snapshot().bits());
    assertThat(sizes).hasSize(3);
    assertThat(filter.snapshot().epoch()).isEqualTo(first.epoch());
    filter.put(-1L);
    assertThat(filter.snapshot().epoch()).isEqualTo(first.epoch() + 1);
  }

  @Test
  void greedyFoldsTheViewWhereItCan() {
    List<Resize> resizes = new ArrayList<>();
    ElasticBloomFilter filter =
        builder(Layout.CLASSIC)
            .tolerance(0.0099)
            .policy(FoldPolicy.GREEDY)
            .counting(4)
            .onResize(resizes::add)
            .build();
    for (long i = 0; i < 40_000; i++) {
      filter.put(i);
    }
    int grown = resizes.size();
    for (long i = 0; i < 39_000; i++) {
      filter.remove(i);
    }
    List<Resize> shrunk = resizes.subList(grown, resizes.size());
    assertThat(shrunk).isNotEmpty();
    assertThat(shrunk).filteredOn(r -> r.fromBits() % r.toBits() == 0).isNotEmpty();
    assertThat(LongStream.range(39_000, 40_000)).allMatch(filter::mightContain);
  }

  @Test
  void bitsCannotBeTakenBack() {
    ElasticBloomFilter filter = create();
    filter.put(1L);
    assertThatThrownBy(() -> filter.remove(1L)).hasMessageContaining("counting(4)");
    assertThatThrownBy(() -> ElasticBloomFilter.builder().capacity(5120).hashes(8).build())
        .hasMessageContaining("fpp");
    assertThatThrownBy(
            () -> ElasticBloomFilter.builder().capacity(5120).fpp(0.6).tolerance(0.5).build())
        .hasMessageContaining("tolerance");
  }

  @Test
  void theBandKnowsWhatEachSizeServes() {
    FoldBand band = FoldBand.of(55_440, 4, 0.01, 0.002, Layout.CLASSIC, 1);
    assertThat(band.sizes())
        .filteredOn(s -> s.serves(100))
        .extracting(FoldBand.Size::bits)
        .containsExactly(1008L);
    FoldBand thinned = FoldBand.of(55_440, 4, 0.01, 0.002, Layout.CLASSIC, 1.1);
    for (int i = 1; i < thinned.sizes().size(); i++) {
      assertThat(thinned.sizes().get(i).bits())
          .isGreaterThanOrEqualTo((long) (1.1 * thinned.sizes().get(i - 1).bits()));
    }
    assertThat(thinned.sizes().get(0).bits() * 1024).isGreaterThanOrEqualTo(55_440);
  }
}
