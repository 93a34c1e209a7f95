package dev.bellows.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.Layout;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import dev.bellows.plan.TransmissionPlan;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an elastic filter knows of its receiver. */
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
  void aWishedRateIsKeptByTheBitsThatAreShipped(Layout.Family layout) {
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
  void theSmallestBudgetIsOneUntilTheWholeFilterWasSent(Layout.Family layout) {
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
  void entropyNeverShipsASizeTwiceWhileAnotherOneSaysMore(Layout.Family layout) {
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
  void countersAreKnown() {
    assertThat(builder(Layout.Family.BLOCKED).build().counterBits()).isZero();
    ElasticBloomFilter counting = builder(Layout.Family.BLOCKED).counting(8).build();
    assertThat(counting.counterBits()).isEqualTo(8);
  }

  @Test
  void aReceiverSaysWhatItHas() {
    ElasticBloomFilter filter = filled(builder(Layout.Family.CLASSIC).build());
    BloomFilter part = filter.ship(filter.bits());
    FoldedFilters received = FoldedFilters.of(part);
    assertThat(received.filterId()).isEqualTo(5);
    assertThat(received.state()).isEqualTo(filter.state());
    assertThat(received.expectedFpp()).isEqualTo(part.expectedFpp());
    assertThat(received.informativeSizes()).isEqualTo(received.sizes());
  }

  /** The file of a part has at most the bytes that were asked for, whatever its padding. */
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
}
