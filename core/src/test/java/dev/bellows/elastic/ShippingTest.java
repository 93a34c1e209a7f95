package dev.bellows.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.Layout;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import dev.bellows.plan.TransmissionPlan;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an elastic filter knows about its receiver. */
class ShippingTest {
  private static ElasticBloomFilter.Builder builder(Layout.Family layout) {
    return ElasticBloomFilter.builder().keys(2000).fpp(0.01).layout(layout).id(5);
  }

  private static ElasticBloomFilter filled(ElasticBloomFilter filter) {
    for (long key = 0; key < 1500; key++) {
      filter.put(key);
    }
    return filter;
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void theRateOfTheReceiverIsThePlannedOne(Layout.Family layout) {
    ElasticBloomFilter filter = filled(builder(layout).build());
    assertThat(filter.sentFpp()).isOne();
    for (int round = 0; round < 3; round++) {
      TransmissionPlan next = filter.nextTransmission(1200).orElseThrow();
      filter.ship(next.bits());
      assertThat(filter.sentFpp()).isEqualTo(next.jointFpp());
    }
    filter.put(-1L);
    assertThat(filter.sentFpp()).isOne();
  }

  /** By chance half of all filters have a higher rate than predicted: their own bits decide. */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void theRequestedRateIsKeptByTheShippedBits(Layout.Family layout) {
    for (long seed = 0; seed < 40; seed++) {
      ElasticBloomFilter filter = filled(builder(layout).seed(seed).build());
      BloomFilter part = filter.ship(filter.transmissionToFpp(0.01).orElseThrow().bits());
      assertThat(part.expectedFpp()).isLessThanOrEqualTo(0.01).isEqualTo(filter.sentFpp());
      FoldedFilters received = FoldedFilters.of(part);
      TransmissionPlan next = filter.transmissionToFpp(1e-4).orElseThrow();
      received = received.with(filter.ship(next.bits()));
      assertThat(received.expectedFpp())
          .isLessThanOrEqualTo(1e-4)
          .isEqualTo(filter.sentFpp())
          .isEqualTo(next.jointFpp());
      BloomFilter whole = filter.ship(filter.capacity());
      assertThat(part).as("the smallest").isEqualTo(whole.foldToFpp(0.01));
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void theSmallestBudgetSufficesUntilTheWholeFilterWasSent(Layout.Family layout) {
    ElasticBloomFilter filter = filled(builder(layout).build());
    filter.ship(filter.bits());
    OptionalLong budget = filter.smallestBudget();
    TransmissionPlan next = filter.nextTransmission(budget.getAsLong()).orElseThrow();
    assertThat(filter.bits() % next.bits()).isPositive();
    assertThat(filter.ship(next.bits()).sizeInBytes()).isLessThanOrEqualTo(budget.getAsLong());
    assertThat(filter.smallestBudget().getAsLong()).isGreaterThanOrEqualTo(budget.getAsLong());
    filter.ship(filter.capacity());
    assertThat(filter.smallestBudget()).isEmpty();
  }

  /**
   * A narrow band has few sizes: when all were sent, smaller foldings follow, none of them twice.
   */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void entropyNeverShipsASizeTwiceWhileAnotherIsMoreInformative(Layout.Family layout) {
    ElasticBloomFilter filter =
        filled(builder(layout).tolerance(0.001).policy(FoldPolicy.ENTROPY).build());
    BloomFilter first = filter.snapshot();
    FoldedFilters received = FoldedFilters.of(first);
    double before = received.expectedFpp();
    for (int sent = 1; sent < 4; sent++) {
      BloomFilter part = filter.snapshot();
      assertThat(part.bits()).isLessThanOrEqualTo(first.bits() * 11 / 10);
      received = received.with(part);
      assertThat(received.informativeSizes()).hasSize(sent + 1);
      assertThat(received.expectedFpp()).isLessThan(before / 2);
      before = received.expectedFpp();
    }
  }

  @Test
  void countersOfShippedPartsAreCorrect() {
    assertThat(builder(Layout.Family.BLOCKED).build().counterBits()).isZero();
    ElasticBloomFilter counting = builder(Layout.Family.BLOCKED).counting(8).build();
    assertThat(counting.counterBits()).isEqualTo(8);
  }

  @Test
  void aReceiverReportsItsParts() {
    ElasticBloomFilter filter = filled(builder(Layout.Family.CLASSIC).build());
    BloomFilter part = filter.ship(filter.bits());
    FoldedFilters received = FoldedFilters.of(part);
    assertThat(received.filterId()).isEqualTo(5);
    assertThat(received.state()).isEqualTo(filter.state());
    assertThat(received.expectedFpp()).isEqualTo(part.expectedFpp());
    assertThat(received.informativeSizes()).isEqualTo(received.sizes());
  }

  /** The file of a part has at most the requested number of bytes, including its padding. */
  @Test
  void noPartIsLargerThanItsBudget() {
    for (Layout.Family layout : Layout.Family.values()) {
      for (long budget = 192; budget < 900; budget += 7) {
        ElasticBloomFilter filter =
            ElasticBloomFilter.builder()
                .capacity(layout == Layout.Family.CLASSIC ? 5040 : 512 * 60)
                .fpp(0.01)
                .layout(layout)
                .id(7)
                .build();
        filter.put(1L);
        long most = budget;
        filter
            .nextTransmission(budget)
            .ifPresent(
                next ->
                    assertThat(filter.ship(next.bits()).toBytes().length)
                        .isLessThanOrEqualTo((int) most));
      }
    }
  }

  /** With bits and with counters; keys that change no bit do not make a new version. */
  @Test
  void theVersionGrowsWithEveryChangeOfTheBits() throws IOException {
    for (int counterBits : new int[] {0, 4}) {
      ElasticBloomFilter.Builder builder = ElasticBloomFilter.builder().keys(5000).fpp(0.01).id(3);
      ElasticBloomFilter filter =
          (counterBits == 0 ? builder : builder.counting(counterBits)).build();
      assertThat(filter.version()).isZero();
      long before = 0;
      for (long key = 0; key < 3000; key++) {
        boolean changed = filter.put(key);
        assertThat(filter.version()).isEqualTo(before + (changed ? 1 : 0));
        before = filter.version();
      }
      FoldedFilters older = filter.part(filter.bits());
      assertThat(older.version()).hasValue(before);
      assertThat(older.sizeInBytes())
          .isEqualTo(filter.partHeaderBytes() + filter.ship(filter.bits()).sizeInBytes());
      if (counterBits > 0) {
        filter.put(7L);
        assertThat(filter.version()).isEqualTo(before);
        assertThat(filter.remove(7L)).isTrue();
        assertThat(filter.version()).isEqualTo(before);
        assertThat(filter.remove(8L)).isTrue();
        assertThat(filter.version()).isGreaterThan(before);
      } else {
        filter.put(-5L);
      }
      ElasticBloomFilter read = ElasticBloomFilter.fromBytes(filter.toBytes());
      FoldedFilters newer = read.part(read.bits());
      assertThat(newer.isNewerThan(older)).isTrue();
      long full = read.version();
      read.clear();
      assertThat(read.version()).isGreaterThan(full);
      assertThat(read.part(read.bits()).isNewerThan(newer)).isTrue();
    }
  }

  @Test
  void aFilterWithoutAnIdGetsOneWithItsContentAndHistory() throws IOException {
    for (int counterBits : new int[] {0, 4}) {
      for (boolean frozen : new boolean[] {false, true}) {
        ElasticBloomFilter.Builder builder = ElasticBloomFilter.builder().keys(2000).fpp(0.01);
        ElasticBloomFilter plain =
            (counterBits == 0 ? builder : builder.counting(counterBits)).build();
        for (long key = 0; key < 1500; key++) {
          plain.put(key);
        }
        if (frozen) {
          plain.freeze();
        }
        ElasticBloomFilter named = plain.withId(42);
        assertThat(named.filterId()).isEqualTo(42);
        assertThat(named.bits()).isEqualTo(plain.bits());
        assertThat(named.expectedFpp()).isEqualTo(plain.expectedFpp());
        assertThat(named.version()).isEqualTo(plain.version());
        assertThat(named.isFrozen()).isEqualTo(frozen);
        assertThat(named.counterBits()).isEqualTo(plain.counterBits());
        assertThat(LongStream.range(0, 1500)).allMatch(named::mightContain);
        for (long key = -2000; key < 0; key++) {
          assertThat(named.mightContain(key)).isEqualTo(plain.mightContain(key));
        }
        assertThat(ElasticBloomFilter.fromBytes(named.toBytes())).isEqualTo(named);
        assertThat(named.part(named.bits()).filterId()).isEqualTo(42);
        assertThatThrownBy(() -> named.withId(43))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("42")
            .hasMessageContaining("43");
        assertThatThrownBy(() -> plain.withId(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> plain.part(plain.bits()))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void aCoarseLadderLeavesEntropyNoChoiceAndAFinerCapacityDoes() {
    long coarse = 512 * 1024;
    long finer = 0;
    for (long capacity : new long[] {coarse, 0}) {
      ElasticBloomFilter filter =
          ElasticBloomFilter.builder()
              .capacity(capacity == 0 ? finer : capacity)
              .fpp(0.01)
              .tolerance(0.003)
              .policy(FoldPolicy.ENTROPY)
              .id(1)
              .build();
      for (long key = 0; key < 6000; key++) {
        filter.put(key);
      }
      long inBand = filter.viewSizes().stream().filter(size -> size.serves(6000)).count();
      if (capacity == coarse) {
        assertThat(inBand).isLessThanOrEqualTo(1);
        finer = filter.finerCapacity().orElseThrow();
        assertThat(finer).isBetween(coarse, 2 * coarse);
        assertThat(filter.explain()).contains("policy ENTROPY has no choice");
      } else {
        assertThat(inBand).isGreaterThan(1);
        assertThat(filter.finerCapacity()).isEmpty();
        assertThat(filter.explain()).doesNotContain("no choice");
      }
    }
  }
}
