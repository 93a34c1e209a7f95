package dev.bellows.internal.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Layout;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.plan.BloomPlan;
import dev.bellows.scalable.ScalableBloomFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HashFloorTest {
  @Test
  void equalHashesAddToTheRateOfPositions() {
    assertThat(HashFloor.of(0)).isZero();
    assertThat(HashFloor.of(0x1p32)).isEqualTo(0x1p-32);
    assertThat(HashFloor.of(0x1p80)).isEqualTo(1);
    assertThat(HashFloor.with(0.25, 0x1p63)).isEqualTo(0.25 + 0.75 * 0.5);
    assertThat(HashFloor.with(1, 5)).isEqualTo(1);
  }

  /** However many bits a filter has, collisions of its keys' hashes cause false positives. */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void noFilterPromisesLess(Layout.Family layout) {
    BloomFilter filter = BloomFilter.builder().bits(512 * 2000).hashes(16).layout(layout).build();
    for (long i = 0; i < 100; i++) {
      filter.put(i);
    }
    assertThat(filter.expectedFpp()).isBetween(99 * 0x1p-64, 102 * 0x1p-64);
    assertThat(filter.ladder().get(filter.ladder().size() - 1).expectedFpp())
        .isEqualTo(filter.expectedFpp());
  }

  @Test
  void plansShowTheFloorAndBuildersRefuseLowerRates() {
    BloomPlan plan = BloomPlan.smallest(1_000_000, 1e-20, Layout.Family.CLASSIC);
    assertThat(plan.fpp()).isLessThanOrEqualTo(1e-20);
    assertThat(plan.fppWithHash()).isBetween(5.4e-14, 5.5e-14);
    assertThatThrownBy(() -> BloomFilter.create(1_000_000, 1e-20))
        .hasMessageContaining("1.0E-20")
        .hasMessageContaining("64-bit hash")
        .hasMessageContaining("5.42");
    assertThatThrownBy(() -> BloomFilter.create(10, 1e-300)).hasMessageContaining("64-bit hash");
  }

  /** The size accounts for equal hashes, and the advised rate is reachable. */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void aFilterNearTheFloorIsPlannedWithIt(Layout.Family layout) {
    for (double fpp : new double[] {1.2e-13, 6e-14, 1e-3}) {
      BloomPlan plan = BloomFilter.builder().keys(1_000_000).fpp(fpp).layout(layout).plan();
      assertThat(plan.fppWithHash()).isLessThanOrEqualTo(fpp);
      assertThat(plan.layout()).isEqualTo(layout.forFpp(fpp));
    }
    assertThat(HashFloor.advised(1_000_000)).isEqualTo("1.1E-13");
    assertThatThrownBy(() -> BloomFilter.create(1_000_000, 5e-14))
        .hasMessageContaining("1,000,000 keys")
        .hasMessageContaining("1.1E-13 or more");
  }

  @Test
  void noRateIsAdvisedForMoreKeysThanThereAreHashes() {
    assertThatThrownBy(() -> HashFloor.require(0.01, Long.MAX_VALUE))
        .hasMessageContaining("use fewer keys");
  }

  @Test
  void everyBuilderThatKnowsItsKeysRefusesARateBelow() {
    assertThatThrownBy(() -> BloomFilter.builder().bits(512_000).fpp(1e-20).build())
        .hasMessageContaining("1 key alone");
    assertThatThrownBy(() -> CountingBloomFilter.builder().keys(1000).fpp(1e-17).build())
        .hasMessageContaining("64-bit hash");
    assertThatThrownBy(() -> ElasticBloomFilter.builder().keys(1000).fpp(1e-17).build())
        .hasMessageContaining("64-bit hash");
    assertThatThrownBy(() -> ScalableBloomFilter.builder().initialKeys(1000).fpp(1e-17).build())
        .hasMessageContaining("64-bit hash");
    assertThatThrownBy(() -> ScalableBloomFilter.builder().fpp(1e-300).build())
        .hasMessageContaining("64-bit hash");
  }
}
