package dev.bellows.internal.rates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.plan.BloomPlan;
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

  /** However many bits a filter has, its keys' hashes alone let absent keys pass. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void noFilterPromisesLess(Layout layout) {
    BloomFilter filter = BloomFilter.builder().bits(512 * 2000).hashes(16).layout(layout).build();
    for (long i = 0; i < 100; i++) {
      filter.put(i);
    }
    assertThat(filter.expectedFpp()).isBetween(99 * 0x1p-64, 102 * 0x1p-64);
    assertThat(filter.ladder().get(filter.ladder().size() - 1).expectedFpp())
        .isEqualTo(filter.expectedFpp());
  }

  @Test
  void plansShowItAndBuildersRefuseWishesBelowIt() {
    BloomPlan plan = BloomPlan.smallest(1_000_000, 1e-20, Layout.CLASSIC);
    assertThat(plan.fpp()).isLessThanOrEqualTo(1e-20);
    assertThat(plan.fppWithHash()).isBetween(5.4e-14, 5.5e-14);
    assertThatThrownBy(() -> BloomFilter.create(1_000_000, 1e-20))
        .hasMessageContaining("1.0E-20")
        .hasMessageContaining("64-bit hash")
        .hasMessageContaining("5.42");
    assertThatThrownBy(() -> BloomFilter.create(10, 1e-300)).hasMessageContaining("64-bit hash");
  }
}
