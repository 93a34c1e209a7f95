package dev.bellows.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.Layout;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.JointRates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransmissionPlanTest {
  @Test
  void theFirstFoldingIsTheLargestThatFits() {
    TransmissionPlan first = next(720_720, 7000, 7, List.of(), 10_000);
    assertThat(first.bits()).isEqualTo(72_072);
    assertThat(first.bytes()).isEqualTo(9009);
    assertThat(first.commonBits()).isZero();
    assertThat(first.fpp()).isEqualTo(BloomRates.fppClassic(72_072, 7000, 7));
    assertThat(first.jointFpp()).isEqualTo(first.fpp());
  }

  @Test
  void noOtherSizeInTheBudgetHasALowerJointRate() {
    for (long budget : new long[] {700, 3000, 9000}) {
      List<Long> sent = new ArrayList<>(List.of(720_720L / 11, 720_720L / 20));
      TransmissionPlan plan = next(720_720, 7000, 5, sent, budget);
      double least =
          Arrays.stream(Divisors.of(720_720))
              .filter(size -> size <= 8 * budget)
              .mapToDouble(
                  size -> JointRates.fpp(new long[] {sent.get(0), sent.get(1), size}, 7000, 5))
              .min()
              .orElseThrow();
      assertThat(plan.jointFpp()).isEqualTo(least);
      assertThat(plan.bytes()).isLessThanOrEqualTo(budget);
    }
  }

  @Test
  void everyTransmissionLowersTheJointRateWithADifferentSize() {
    List<Long> sent = new ArrayList<>();
    double before = 1;
    for (int round = 0; round < 4; round++) {
      TransmissionPlan plan = next(720_720, 7000, 5, sent, 6000);
      assertThat(sent).noneMatch(known -> known % plan.bits() == 0);
      assertThat(plan.jointFpp()).isLessThan(before);
      if (round > 0) {
        assertThat(plan.commonBits()).isLessThan(plan.bits()).isPositive();
      }
      before = plan.jointFpp();
      sent.add(plan.bits());
    }
  }

  @Test
  void betweenEqualSizesTheSmallerCommonDivisorWins() {
    // 364 bits were sent; 180 and 182 have nearly the same rate alone
    long capacity = 90 * 91 * 4;
    assertThat(JointRates.fpp(new long[] {91 * 4, 90 * 2}, 20, 2))
        .isLessThan(JointRates.fpp(new long[] {91 * 4, 91 * 2}, 20, 2));
    TransmissionPlan plan =
        TransmissionPlan.next(shape(capacity, Layout.Family.CLASSIC, 2), 20, List.of(91L * 4), 23)
            .orElseThrow();
    assertThat(plan.bits()).isEqualTo(180);
    assertThat(plan.commonBits()).isEqualTo(4);
  }

  @Test
  void uninformativePartsAreNotSent() {
    assertThat(TransmissionPlan.next(shape(1024, Layout.Family.CLASSIC, 4), 50, List.of(512L), 64))
        .isEmpty();
    assertThat(TransmissionPlan.next(shape(1024, Layout.Family.CLASSIC, 4), 50, List.of(512L), 128))
        .hasValueSatisfying(plan -> assertThat(plan.bits()).isEqualTo(1024));
    assertThat(TransmissionPlan.next(shape(512 * 60, Layout.Family.BLOCKED, 8), 50, List.of(), 63))
        .isEmpty();
  }

  @Test
  void theSmallestInformativeSize() {
    assertThat(TransmissionPlan.smallest(shape(720, Layout.Family.CLASSIC, 4), List.of()))
        .hasValue(1);
    assertThat(TransmissionPlan.smallest(shape(720, Layout.Family.CLASSIC, 4), List.of(12L, 40L)))
        .hasValue(9);
    assertThat(
            TransmissionPlan.smallest(shape(512 * 12, Layout.Family.BLOCKED, 8), List.of(512 * 6L)))
        .hasValue(512 * 4);
    assertThat(TransmissionPlan.smallest(shape(720, Layout.Family.CLASSIC, 4), List.of(720L)))
        .isEmpty();
  }

  @Test
  void blockedFoldingsAreWholeBlocks() {
    long capacity = 512L * 5040;
    List<Long> sent = new ArrayList<>();
    double before = 1;
    for (int round = 0; round < 3; round++) {
      TransmissionPlan plan =
          TransmissionPlan.next(shape(capacity, Layout.Family.BLOCKED, 8), 40_000, sent, 40_000)
              .orElseThrow();
      assertThat(plan.bits() % 512).isZero();
      assertThat(plan.bytes()).isLessThanOrEqualTo(40_000);
      assertThat(plan.jointFpp()).isLessThan(before);
      before = plan.jointFpp();
      sent.add(plan.bits());
    }
    assertThat(before)
        .isLessThan(Layout.Family.BLOCKED.withHashes(8).fpp(sent.get(0), 40_000) / 10);
  }

  @Test
  void emptyAndTinyFilters() {
    assertThat(next(720_720, 0, 5, List.of(720_720L / 11), 6000).jointFpp()).isZero();
    assertThat(next(6, 1, 1, List.of(2L), 1).bits()).isEqualTo(6);
  }

  @Test
  void hostileArgumentsAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> next(720, 10, 2, List.of(7L), 100))
        .withMessageContaining("7")
        .withMessageContaining("720");
    assertThatIllegalArgumentException().isThrownBy(() -> next(720, 10, 2, List.of(0L), 100));
    assertThatIllegalArgumentException().isThrownBy(() -> next(720, 10, 2, List.of(), 0));
    assertThatIllegalArgumentException().isThrownBy(() -> next(720, -1, 2, List.of(), 10));
  }

  private static TransmissionPlan next(
      long capacity, long keys, int hashes, List<Long> sent, long budget) {
    return TransmissionPlan.next(shape(capacity, Layout.Family.CLASSIC, hashes), keys, sent, budget)
        .orElseThrow();
  }

  private static BloomPlan shape(long bits, Layout.Family layout, int hashes) {
    return new BloomPlan(layout.withHashes(hashes), bits, 0);
  }

  @Test
  void theSmallestSizeThatReachesARate() {
    List<Long> sent = List.of(720_720L / 11);
    for (double fpp : new double[] {0.5, 0.005, 0.001}) {
      TransmissionPlan plan =
          TransmissionPlan.toFpp(shape(720_720, Layout.Family.CLASSIC, 5), 7000, sent, fpp)
              .orElseThrow();
      assertThat(plan.jointFpp()).isLessThanOrEqualTo(fpp);
      long smallest =
          Arrays.stream(Divisors.of(720_720))
              .filter(size -> sent.get(0) % size != 0)
              .filter(size -> JointRates.fpp(new long[] {sent.get(0), size}, 7000, 5) <= fpp)
              .min()
              .orElseThrow();
      assertThat(plan.bits()).isEqualTo(smallest);
    }
    assertThat(TransmissionPlan.toFpp(shape(7200, Layout.Family.CLASSIC, 5), 7000, List.of(), 1e-6))
        .isEmpty();
  }
}
