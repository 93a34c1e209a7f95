package dev.bellows.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.contract.KeyFilterContract;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import dev.bellows.elastic.ElasticBloomFilter.Resize;
import dev.bellows.plan.TransmissionPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticBloomFilterTest extends KeyFilterContract<ElasticBloomFilter> {
  @Override
  protected ElasticBloomFilter create(HashScheme scheme) {
    return ElasticBloomFilter.builder().keys(4000).fpp(0.01).hashScheme(scheme).build();
  }

  private static ElasticBloomFilter.Builder builder(Layout.Family layout) {
    return ElasticBloomFilter.builder()
        .capacity(512L * 7200)
        .fpp(0.01)
        .tolerance(0.004)
        .layout(layout);
  }

  private static double predicted(ElasticBloomFilter filter, double keys) {
    return filter.layout().fpp(filter.bits(), Math.round(keys));
  }

  private static FoldBand band(ElasticBloomFilter filter) {
    return FoldBand.of(filter.layout(), filter.capacity(), 0.01, 0.004);
  }

  /**
   * In the band, or no size is in the band with room for the next few keys. The filter uses the
   * count estimated from the fill of its capacity, whose error is smaller than its headroom.
   */
  private static void assertHeld(ElasticBloomFilter filter, FoldBand band, long keys) {
    double room = 1 + band.headroom();
    assertThat(predicted(filter, keys / room)).isLessThanOrEqualTo(0.014);
    if (predicted(filter, keys * room) < 0.006) {
      assertThat(band.sizes())
          .as("%d keys in %d bits", keys, filter.bits())
          .noneMatch(
              size ->
                  size.serves((long) (keys * room * room * room))
                      && size.serves((long) (keys / room / room / room)));
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void theRateStaysInTheBandWhileKeysComeAndGo(Layout.Family layout) {
    List<Resize> resizes = new ArrayList<>();
    ElasticBloomFilter filter = builder(layout).counting(4).onResize(resizes::add).build();
    FoldBand band = band(filter);
    long most = 60_000;
    for (long i = 0; i < most; i++) {
      filter.put(i);
      assertHeld(filter, band, i + 1);
    }
    int grown = resizes.size();
    assertThat(grown).isGreaterThan(1).isLessThan(band.sizes().size());
    assertThat(filter.approximateElementCount())
        .isEqualTo(plain(filter, most).approximateElementCount());
    assertThat(LongStream.range(0, most)).allMatch(filter::mightContain);
    for (long i = 0; i < most; i++) {
      assertThat(filter.remove(i)).isTrue();
      assertHeld(filter, band, most - i - 1);
      if (i == most / 2) {
        assertThat(LongStream.range(i + 1, most)).allMatch(filter::mightContain);
      }
    }
    assertThat(resizes.size()).isGreaterThan(grown);
    assertThat(filter.approximateElementCount()).isZero();
    assertThat(filter.stats().ones()).isZero();
    double share = band.headroom();
    for (int i = 1; i < resizes.size(); i++) {
      double before = resizes.get(i - 1).keys();
      double after = resizes.get(i).keys();
      assertThat(Math.abs(after - before))
          .as("%s", resizes.get(i))
          .isGreaterThanOrEqualTo(Math.floor(share * Math.min(before, after)));
    }
  }

  /** The plain filter of the capacity that holds the first keys. */
  private static BloomFilter plain(ElasticBloomFilter like, long keys) {
    return BloomFilter.builder()
        .bits(like.capacity())
        .hashes(like.hashes())
        .layout(like.layout())
        .buildFrom(LongStream.range(0, keys).toArray());
  }

  /**
   * At capacity 512 * 24 many of the 3,000 keys are false positives before they are put, and can
   * still be removed.
   */
  @Test
  void countsNeverDriftBelowZeroAfterEarlyRemovals() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      ElasticBloomFilter filter =
          ElasticBloomFilter.builder()
              .capacity(512 * 24)
              .fpp(0.01)
              .counting(4)
              .seed(seed)
              .id(1)
              .build();
      for (long i = 0; i < 3000; i++) {
        filter.put(i);
      }
      for (long i = 0; i < 3000; i++) {
        assertThat(filter.remove(i)).isTrue();
        assertThat(filter.approximateElementCount()).isNotNegative();
        if (i % 250 == 0) {
          assertThat(ElasticBloomFilter.fromBytes(filter.toBytes())).isEqualTo(filter);
        }
      }
      assertThat(filter.approximateElementCount()).isZero();
      assertThat(filter.expectedFpp()).isZero();
      ElasticBloomFilter read = ElasticBloomFilter.fromBytes(filter.toBytes());
      assertThat(read).isEqualTo(filter);
      assertThat(read.approximateElementCount()).isZero();
      read.put(1L);
      assertThat(read.mightContain(1L)).isTrue();
      assertThat(read.isOverCapacity()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void snapshotsAreOfOneStateExactlyIfTheContentIsTheSame(int counterBits) throws IOException {
    ElasticBloomFilter.Builder builder = builder(Layout.Family.BLOCKED).id(5);
    ElasticBloomFilter filter = counterBits == 0 ? builder.build() : builder.counting(4).build();
    for (long i = 0; i < 9000; i++) {
      filter.put(i);
    }
    BloomFilter first = filter.snapshot();
    assertThat(first.filterId()).isEqualTo(5);
    assertThat(first.state()).isEqualTo(filter.state());
    byte[] file = filter.toBytes();
    filter.put(-1L);
    assertThat(filter.snapshot().state()).isNotEqualTo(first.state());
    assertThatThrownBy(() -> FoldedFilters.of(first).with(filter.snapshot()))
        .hasMessageContaining("different states");
    ElasticBloomFilter restarted = ElasticBloomFilter.fromBytes(file);
    assertThat(restarted.snapshot().state()).isEqualTo(first.state());
    restarted.put(-2L);
    assertThatThrownBy(() -> FoldedFilters.of(filter.snapshot()).with(restarted.snapshot()))
        .hasMessageContaining("different states");
    restarted.put(-1L);
    filter.put(-2L);
    assertThat(restarted.state()).isEqualTo(filter.state());
    if (counterBits > 0) {
      filter.remove(-1L);
      filter.remove(-2L);
      assertThat(filter.snapshot().state()).isEqualTo(first.state());
    }
  }

  @Test
  void aFrozenFilterKeepsItsLastStateUntilItChanges() throws IOException {
    ElasticBloomFilter filter = builder(Layout.Family.BLOCKED).id(5).build();
    for (long i = 0; i < 9000; i++) {
      filter.put(i);
    }
    BloomFilter before = filter.snapshot();
    filter.freeze();
    assertThat(filter.bits()).isLessThan(filter.capacity());
    for (ElasticBloomFilter frozen :
        List.of(filter, ElasticBloomFilter.fromBytes(filter.toBytes()))) {
      assertThat(frozen.state()).isEqualTo(before.state());
      assertThat(frozen.snapshot().state()).isEqualTo(before.state());
      assertThat(FoldedFilters.of(before).with(frozen.snapshot()).sizes()).hasSize(1);
      frozen.put(1L);
      assertThat(frozen.state()).as("a key it has").isEqualTo(before.state());
      assertThat(frozen.put(-1L)).isTrue();
      assertThat(frozen.filterId()).isZero();
      assertThat(frozen.state()).isZero();
      assertThatThrownBy(() -> FoldedFilters.of(frozen.snapshot())).hasMessageContaining("an id");
      assertThat(ElasticBloomFilter.fromBytes(frozen.toBytes())).isEqualTo(frozen);
    }
  }

  @ParameterizedTest
  @EnumSource(FoldPolicy.class)
  void clearForgetsEveryKey(FoldPolicy policy) {
    ElasticBloomFilter fresh = builder(Layout.Family.BLOCKED).counting(4).policy(policy).build();
    ElasticBloomFilter filter = builder(Layout.Family.BLOCKED).counting(4).policy(policy).build();
    for (long i = 0; i < 9000; i++) {
      filter.put(i);
    }
    filter.clear();
    assertThat(filter.approximateElementCount()).isZero();
    assertThat(LongStream.range(0, 9000)).noneMatch(filter::mightContain);
    assertThat(filter).isEqualTo(fresh);
    filter.put(1L);
    assertThat(filter.mightContain(1L)).isTrue();
  }

  /** It could never grow again. */
  @ParameterizedTest
  @ValueSource(ints = {3000, 5000, 7000, 8000, 9000, 10_000, 11_000, 12_000})
  void clearKeepsTheSizeOfAFrozenFilter(int keys) {
    ElasticBloomFilter frozen = builder(Layout.Family.BLOCKED).counting(4).build();
    for (long i = 0; i < keys; i++) {
      frozen.put(i);
    }
    frozen.freeze();
    long size = frozen.bits();
    frozen.clear();
    assertThat(frozen.approximateElementCount()).isZero();
    assertThat(frozen.bits()).isEqualTo(size);
    for (long i = 0; i < keys; i++) {
      frozen.put(i);
    }
    assertThat(LongStream.range(0, keys)).allMatch(frozen::mightContain);
    assertThat(frozen.bits()).isEqualTo(size);
  }

  @Test
  void aFluctuatingNumberOfKeysDoesNotCauseRepeatedResizes() {
    List<Resize> resizes = new ArrayList<>();
    ElasticBloomFilter filter =
        builder(Layout.Family.BLOCKED).counting(4).onResize(resizes::add).build();
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
  @EnumSource(Layout.Family.class)
  void theViewIsAFoldingOfAllPuts(Layout.Family layout) {
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
    ElasticBloomFilter filter = builder(Layout.Family.BLOCKED).build();
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
        .isLessThan(builder(Layout.Family.BLOCKED).build().toBytes().length);
  }

  @Test
  void excessKeysAreReportedAndNotLost() {
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
        builder(Layout.Family.CLASSIC).tolerance(0.008).policy(FoldPolicy.ENTROPY).id(5).build();
    for (long i = 0; i < 20_000; i++) {
      filter.put(i);
    }
    Set<Long> sizes = new HashSet<>();
    BloomFilter first = filter.snapshot();
    sizes.add(first.bits());
    sizes.add(filter.snapshot().bits());
    sizes.add(filter.snapshot().bits());
    assertThat(sizes).hasSize(3);
    assertThat(filter.snapshot().state()).isEqualTo(first.state());
    filter.put(-1L);
    assertThat(filter.snapshot().state()).isNotEqualTo(first.state());
  }

  /**
   * For a new state no size has been sent yet: later states send as many different sizes as the
   * first.
   */
  @Test
  void sizesSentBelongToAState() throws IOException {
    ElasticBloomFilter filter =
        builder(Layout.Family.CLASSIC).tolerance(0.008).policy(FoldPolicy.ENTROPY).id(5).build();
    for (long i = 0; i < 20_000; i++) {
      filter.put(i);
    }
    for (int state = 0; state < 4; state++) {
      assertThat(filter.sentSizes()).isEmpty();
      FoldedFilters received = FoldedFilters.of(filter.snapshot());
      for (int round = 1; round < 3; round++) {
        received = received.with(filter.snapshot());
      }
      assertThat(received.sizes()).hasSize(3);
      assertThat(filter.sentSizes()).isEqualTo(received.sizes());
      assertThat(received.expectedFpp()).isLessThan(0.01);
      ElasticBloomFilter read = ElasticBloomFilter.fromBytes(filter.toBytes());
      assertThat(read).isEqualTo(filter);
      assertThat(read.sentSizes()).isEqualTo(filter.sentSizes());
      assertThat(read.snapshot().bits()).isEqualTo(filter.snapshot().bits());
      filter.put(-1L - state);
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void aFilterIsOverItsCapacityBeforeAndAfterItIsWritten(Layout.Family layout) throws IOException {
    ElasticBloomFilter filter =
        ElasticBloomFilter.builder().capacity(512 * 48).fpp(0.05).layout(layout).build();
    int size = filter.viewSizes().size();
    long most = filter.viewSizes().get(size - 1).mostKeys();
    boolean over = false;
    for (long key = 0; key < most * 11 / 10; key++) {
      filter.put(key);
      if (key > most * 9 / 10) {
        over = filter.isOverCapacity();
        assertThat(ElasticBloomFilter.fromBytes(filter.toBytes()).isOverCapacity())
            .as("with %d keys of %d", key + 1, most)
            .isEqualTo(over);
      }
    }
    assertThat(over).isTrue();
    assertThat(filter.explain()).contains("more keys than the capacity can hold");
  }

  @Test
  void shippedFoldingsAreThosePlannedForTheReceiver() {
    ElasticBloomFilter filter = builder(Layout.Family.BLOCKED).id(5).build();
    for (long i = 0; i < 20_000; i++) {
      filter.put(i);
    }
    double before = 1;
    FoldedFilters received = null;
    for (int round = 0; round < 3; round++) {
      TransmissionPlan next = filter.nextTransmission(16_384).orElseThrow();
      BloomFilter part = filter.ship(next.bits());
      assertThat(part.toBytes().length).isLessThanOrEqualTo(16_384);
      received = received == null ? FoldedFilters.of(part) : received.with(part);
      assertThat(next.jointFpp()).isLessThan(before);
      before = next.jointFpp();
      assertThat(LongStream.range(0, 20_000)).allMatch(received::mightContain);
    }
    assertThat(filter.sentSizes()).hasSize(3);
    TransmissionPlan last = filter.transmissionToFpp(before / 10).orElseThrow();
    assertThat(last.jointFpp()).isLessThanOrEqualTo(before / 10);
    assertThat(filter.transmissionToFpp(1e-300)).isEmpty();
    assertThatThrownBy(() -> filter.nextTransmission(60)).hasMessageContaining("budgetBytes");
    assertThatThrownBy(() -> filter.ship(513)).hasMessageContaining("513");
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void theRateIsInTheBandMostOfTheTime(Layout.Family layout) {
    for (FoldPolicy policy : FoldPolicy.values()) {
      ElasticBloomFilter filter =
          ElasticBloomFilter.builder()
              .keys(100_000)
              .fpp(0.01)
              .tolerance(0.002)
              .layout(layout)
              .policy(policy)
              .build();
      for (long i = 0; i < 100_000; i++) {
        filter.put(i);
      }
      assertThat(filter.bandShare()).as("%s", policy).isGreaterThan(0.85);
      long resizes = filter.resizes();
      assertThat(resizes).isLessThan(filter.viewSizes().size());
      assertThat(filter.explain()).contains("in the band");
    }
  }

  /** The share that is stated is the one of the fill, not that of the number of keys. */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void theShareInTheBandIsThatOfTheFill(Layout.Family layout) {
    for (boolean counts : new boolean[] {false, true}) {
      for (int seed = 0; seed < 6; seed++) {
        ElasticBloomFilter.Builder builder =
            ElasticBloomFilter.builder()
                .keys(3000)
                .fpp(0.01)
                .tolerance(0.002)
                .layout(layout)
                .seed(seed);
        ElasticBloomFilter filter = (counts ? builder.counting(4) : builder).build();
        long inBand = 0;
        long changes = 0;
        for (long key = 0; key < 3000; key++) {
          if (filter.put(key)) {
            changes++;
            inBand += filter.isInBand() ? 1 : 0;
          }
        }
        assertThat(filter.bandShare())
            .as("%s, counters %s, seed %d", layout, counts, seed)
            .isBetween((double) inBand / changes - 0.02, (double) inBand / changes + 0.02);
      }
    }
  }

  @Test
  void theStepCanBeSet() throws IOException {
    ElasticBloomFilter halves = builder(Layout.Family.BLOCKED).step(2).build();
    List<Long> sizes = halves.viewSizes().stream().map(ElasticBloomFilter.ViewSize::bits).toList();
    for (int i = 1; i < sizes.size(); i++) {
      assertThat(sizes.get(i)).isGreaterThanOrEqualTo(2 * sizes.get(i - 1));
    }
    assertThat(ElasticBloomFilter.fromBytes(halves.toBytes())).isEqualTo(halves);
    assertThat(builder(Layout.Family.BLOCKED).step(1).build().viewSizes().size())
        .isGreaterThan(3 * sizes.size());
    assertThatThrownBy(() -> builder(Layout.Family.BLOCKED).step(0.5))
        .hasMessageContaining("[1, 2]");
    assertThatThrownBy(() -> builder(Layout.Family.BLOCKED).step(Double.NaN))
        .hasMessageContaining("[1, 2]");
  }

  /** The purpose of the policy: the same keys, the same band, fewer cells read. */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void greedyReadsFewerCellsFromFoldingsItKeeps(Layout.Family layout) {
    long[] read = new long[2];
    for (FoldPolicy policy : List.of(FoldPolicy.INDEPENDENT, FoldPolicy.GREEDY)) {
      List<Resize> resizes = new ArrayList<>();
      ElasticBloomFilter filter =
          ElasticBloomFilter.builder()
              .keys(20_000)
              .fpp(0.01)
              .counting(4)
              .layout(layout)
              .policy(policy)
              .onResize(resizes::add)
              .build();
      for (long i = 0; i < 20_000; i++) {
        filter.put(i);
      }
      for (long i = 0; i < 16_000; i++) {
        filter.remove(i);
      }
      assertThat(LongStream.range(16_000, 20_000)).allMatch(filter::mightContain);
      CountingBloomFilter direct = CountingBloomFilter.builder().like(filter.snapshot()).build();
      LongStream.range(16_000, 20_000).forEach(direct::put);
      assertThat(filter.snapshot()).isEqualTo(direct.toBloomFilter());
      assertThat(filter.bandShare()).isGreaterThan(0.95);
      read[policy.ordinal()] = resizes.stream().mapToLong(Resize::cellsRead).sum();
      assertThat(filter.cellsRead()).isEqualTo(read[policy.ordinal()]);
    }
    assertThat(read[1]).isLessThan(read[0] * 2 / 3);
  }

  @Test
  void greedyFoldsTheViewWhereItCan() {
    List<Resize> resizes = new ArrayList<>();
    ElasticBloomFilter filter =
        builder(Layout.Family.CLASSIC)
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
  void bitsCannotBeRemoved() {
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
  void theBandKnowsTheKeysOfEachSize() {
    FoldBand band = FoldBand.of(new Layout.Classic(4), 55_440, 0.01, 0.002, 1);
    assertThat(band.sizes())
        .filteredOn(s -> s.serves(100))
        .extracting(ElasticBloomFilter.ViewSize::bits)
        .containsExactly(1008L);
    FoldBand thinned = FoldBand.of(new Layout.Classic(4), 55_440, 0.01, 0.002, 1.1);
    for (int i = 1; i < thinned.sizes().size(); i++) {
      assertThat(thinned.sizes().get(i).bits())
          .isGreaterThanOrEqualTo((long) (1.1 * thinned.sizes().get(i - 1).bits()));
    }
    assertThat(thinned.sizes().get(0).bits() * 1024).isGreaterThanOrEqualTo(55_440);
  }

  /**
   * A frozen filter forgets the sizes that its view does not fold to; otherwise its file would be
   * unreadable.
   */
  @Test
  void aFilterFrozenAfterShippingCanBeRead() throws IOException {
    ElasticBloomFilter filter = ElasticBloomFilter.builder().keys(10_000).fpp(0.01).id(3).build();
    filter.put(1);
    filter.ship(filter.capacity());
    filter.ship(filter.bits());
    filter.freeze();
    assertThat(filter.sentSizes()).containsExactly(filter.bits());
    assertThat(ElasticBloomFilter.fromBytes(filter.toBytes())).isEqualTo(filter);
  }
}
