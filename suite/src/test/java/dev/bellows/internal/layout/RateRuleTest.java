package dev.bellows.internal.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Layout;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.layout.RateRule.Verdict;
import dev.bellows.plan.BloomPlan;
import org.junit.jupiter.api.Test;

/** The rule by which a false positive rate is good, poor or useless. */
class RateRuleTest {
  @Test
  void aRateIsGoodUpToTwiceItsTargetAndUselessAboveHalf() {
    assertThat(RateRule.judge(0.02, 0.01)).isEqualTo(Verdict.GOOD);
    assertThat(RateRule.judge(Math.nextUp(0.02), 0.01)).isEqualTo(Verdict.POOR);
    assertThat(RateRule.judge(0.5, 0.01)).isEqualTo(Verdict.POOR);
    assertThat(RateRule.judge(Math.nextUp(0.5), 0.01)).isEqualTo(Verdict.USELESS);
    assertThat(RateRule.judge(0.5, null)).isEqualTo(Verdict.GOOD);
    assertThat(RateRule.judge(0.51, null)).isEqualTo(Verdict.USELESS);
  }

  @Test
  void highRatesAreGoodIfRequestedOrAccepted() {
    assertThat(RateRule.limit(0.01, null)).isEqualTo(0.5);
    assertThat(RateRule.limit(0.6, null)).isEqualTo(0.6);
    assertThat(RateRule.limit(null, 1.0)).isEqualTo(1);
    assertThat(RateRule.limit(0.6, 0.02)).isEqualTo(0.02);
    assertThat(RateRule.judge(0.6, 0.6)).isEqualTo(Verdict.GOOD);
    assertThat(RateRule.judge(1, 0.01, RateRule.limit(null, 1.0))).isEqualTo(Verdict.POOR);
  }

  /** A filter with the number of keys it was built for is good by the target of its layout. */
  @Test
  void noFilterIsPoorAtTheLoadItWasBuiltFor() {
    for (Layout.Family family : Layout.Family.values()) {
      for (double fpp = 0.2; fpp > 1e-9; fpp /= 1.3) {
        BloomPlan plan = BloomPlan.foldable(100_000, fpp, family);
        assertThat(RateRule.judge(plan.fpp(), plan.layout().designFpp()))
            .as("%s at %s", plan.layout(), fpp)
            .isEqualTo(Verdict.GOOD);
      }
    }
  }

  @Test
  void theTargetOfALayoutIsItsRateAtTheDesignLoad() {
    for (int hashes = 1; hashes < 30; hashes++) {
      Layout classic = new Layout.Classic(hashes);
      long keys = Math.round(classic.keysFromOnes(1 << 24, 1 << 23));
      assertThat(classic.designFpp() / classic.fpp(1 << 24, keys)).isBetween(0.999, 1.001);
    }
    assertThat(new Layout.Blocked(2, 2).designFpp()).isEqualTo(0.15);
    assertThat(new Layout.Blocked(2, 3).designFpp()).isEqualTo(0.025);
    assertThat(new Layout.Blocked(4, 2).designFpp()).isEqualTo(0.005);
    assertThat(new Layout.Blocked(4, 3).designFpp()).isEqualTo(2e-4);
    assertThat(new Layout.Blocked(8, 2).designFpp()).isEqualTo(1e-5);
    // a pattern that the rule never takes: half of the bits set, in uneven blocks
    assertThat(new Layout.Blocked(1, 4).designFpp()).isBetween(1 / 16.0, 0.09);
  }

  @Test
  void aFilterIsJudgedByTheTargetThatItStores() {
    assertThat(RateRule.target(FingerprintFilter.builder().fpp(0.003).build().stats()))
        .isEqualTo(0.003);
    assertThat(RateRule.target(BloomFilter.create(1000, 0.01).stats())).isEqualTo(0.025);
    assertThat(
            RateRule.target(
                CountingBloomFilter.builder()
                    .bits(6400)
                    .layout(new Layout.Classic(7))
                    .build()
                    .stats()))
        .isEqualTo(1 / 128.0);
    assertThat(
            RateRule.target(AutoscalingBloomFilter.builder().bits(1000).hashes(9).build().stats()))
        .as("its rate follows its thresholds")
        .isNull();
  }

  @Test
  void aFilterThatMayMissKeysIsJudgedByTheDifference() {
    assertThat(RateRule.tellsLittle(1, 0.5)).isFalse();
    assertThat(RateRule.tellsLittle(1, 0.51)).isTrue();
    assertThat(RateRule.tellsLittle(0.9, 0.3)).isFalse();
    assertThat(RateRule.tellsLittle(0.3, 0)).isTrue();
  }
}
