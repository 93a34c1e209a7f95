package dev.bellows.scalable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.Layout;
import dev.bellows.scalable.ScalablePlan.PlannedLevel;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalablePlanTest {
  @ParameterizedTest
  @CsvSource({
    "BLOCKED, 1000, 0.004, 1000000000",
    "BLOCKED, 1, 0.5, 1",
    "BLOCKED, 500000000, 1e-9, 1000",
    "CLASSIC, 1000, 0.01, 1000000000",
    "CLASSIC, 3, 0.9, 9223372036854775807"
  })
  void theSharesOfAllLevelsAddUpToTheRate(
      Layout.Family layout, long start, double fpp, long horizon) {
    ScalablePlan plan = ScalablePlan.of(start, fpp, horizon, layout);
    double sum = 0;
    double keys = 0;
    for (int level = 0; level < 200; level++) {
      assertThat(plan.fppFrom(level)).isCloseTo(fpp - sum, within(1e-12 * fpp));
      sum += plan.levelFpp(level);
      if (level < plan.equalShares()) {
        keys += start * Math.pow(2, level);
        assertThat(plan.levelFpp(level)).isEqualTo(plan.levelFpp(0));
      } else {
        assertThat(plan.levelFpp(level)).isEqualTo(plan.levelFpp(level - 1) / 2);
      }
    }
    assertThat(sum).isCloseTo(fpp, within(1e-12 * fpp));
    assertThat(keys).isGreaterThanOrEqualTo(horizon);
  }

  @ParameterizedTest
  @CsvSource({"BLOCKED, 0.004", "CLASSIC, 0.004", "BLOCKED, 1e-6", "CLASSIC, 0.3"})
  void aFullLevelHoldsItsShare(Layout.Family layout, double fpp) {
    ScalablePlan plan = ScalablePlan.of(1000, fpp, 1_000_000, layout);
    for (int level = 0; level < 20; level++) {
      long bits = plan.levelBits(level);
      long keys = plan.levelKeys(level);
      assertThat(bits).isEqualTo(plan.initialBits() << level);
      assertThat(plan.layout().fpp(bits, keys)).isLessThanOrEqualTo(plan.levelFpp(level));
      if (level < plan.equalShares()) {
        assertThat(keys).isGreaterThanOrEqualTo(1000L << level);
      }
    }
  }

  @Test
  void levelsStopGrowingAtEightGibibytes() {
    ScalablePlan plan = ScalablePlan.of(1000, 0.004, 1_000_000_000, Layout.Family.BLOCKED);
    assertThat(plan.levelBits(40)).isEqualTo(plan.levelBits(60)).isBetween(1L << 35, 1L << 36);
    assertThat(plan.levelKeys(30)).isLessThan(plan.levelKeys(25)).isPositive();
  }

  /** The mean over sizes on a logarithmic scale (decision 5). */
  @Test
  void growthFromAThousandKeysTakesAtMost31BitsPerKey() {
    ScalablePlan plan = ScalablePlan.of(1000, 0.004, 1_000_000_000, Layout.Family.BLOCKED);
    double sum = 0;
    int steps = 4000;
    int level = 0;
    double capacity = plan.levelKeys(0);
    double bits = plan.levelBits(0);
    for (int i = 0; i <= steps; i++) {
      double keys = Math.pow(10, 4 + 4.0 * i / steps);
      while (capacity < keys) {
        level++;
        capacity += plan.levelKeys(level);
        bits += plan.levelBits(level);
      }
      sum += bits / keys;
    }
    assertThat(sum / (steps + 1)).isLessThanOrEqualTo(31);
  }

  @Test
  void invalidArgumentsAreRefused() {
    assertThatThrownBy(() -> ScalablePlan.of(0, 0.01, 1, Layout.Family.BLOCKED))
        .hasMessageContaining("initialKeys");
    assertThatThrownBy(() -> ScalablePlan.of(1, 1, 1, Layout.Family.BLOCKED))
        .hasMessageContaining("fpp");
    assertThatThrownBy(() -> ScalablePlan.of(1, 0.1, 0, Layout.Family.BLOCKED))
        .hasMessageContaining("horizonKeys");
    assertThatThrownBy(() -> ScalablePlan.of(1L << 50, 0.1, 1, Layout.Family.BLOCKED))
        .hasMessageContaining("initialBits");
    ScalablePlan plan = ScalablePlan.of(1, 0.1, 1, Layout.Family.BLOCKED);
    assertThatThrownBy(() -> plan.levelFpp(-1)).hasMessageContaining("level");
    assertThatThrownBy(() -> plan.levelBits(-1)).hasMessageContaining("level");
  }

  /** A real filter has the planned levels, wherever it stops. */
  @ParameterizedTest
  @CsvSource({
    "BLOCKED, 0.01, 1",
    "BLOCKED, 0.01, 40000",
    "CLASSIC, 0.004, 900",
    "CLASSIC, 0.1, 70000"
  })
  void aGrowingFilterHasThePlannedLevels(Layout.Family layout, double fpp, long keys) {
    ScalableBloomFilter filter =
        ScalableBloomFilter.builder().initialKeys(1000).fpp(fpp).layout(layout).build();
    for (long key = 0; key < keys; key++) {
      filter.put(key);
    }
    List<PlannedLevel> levels = filter.plan().levelsFor(keys, 64);
    PlannedLevel last = levels.get(levels.size() - 1);
    assertThat(filter.levels()).hasSameSizeAs(levels);
    assertThat(filter.levels().stream().mapToDouble(ScalableBloomFilter.Level::bits).sum())
        .isEqualTo(last.bitsSoFar());
    assertThat(last.keysSoFar()).isGreaterThanOrEqualTo(keys);
    assertThat(last.fppSoFar() + filter.plan().fppFrom(levels.size()))
        .isCloseTo(fpp, within(1e-12 * fpp));
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(last.fppSoFar());
  }

  @Test
  void levelsAreTheFewestThatHoldTheKeys() {
    ScalablePlan plan = ScalablePlan.of(1000, 0.01, 1_000_000, Layout.Family.CLASSIC);
    List<PlannedLevel> three = plan.levelsFor(plan.levelKeys(0) + plan.levelKeys(1) + 1, 64);
    assertThat(three).hasSize(3);
    assertThat(three.get(2).bitsSoFar()).isEqualTo(7.0 * plan.initialBits());
    assertThat(plan.levelsFor((long) three.get(2).keysSoFar(), 64)).isEqualTo(three);
    assertThat(plan.levelsFor(0, 64)).hasSize(1);
    assertThat(plan.levelsFor(Long.MAX_VALUE, 7)).hasSize(7);
  }
}
