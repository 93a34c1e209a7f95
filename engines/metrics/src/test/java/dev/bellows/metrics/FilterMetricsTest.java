package dev.bellows.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FilterMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private void bind(Filter filter) {
    FilterMetrics.of("seen", filter).refreshedEvery(Duration.ZERO).bindTo(registry);
  }

  private double read(String what) {
    return registry.get("bellows.filter." + what).tag("filter", "seen").gauge().value();
  }

  @Test
  void numbersFollowTheFilter() {
    BloomFilter filter = BloomFilter.create(10_000, 0.01);
    bind(filter);
    assertThat(read("keys")).isZero();
    assertThat(read("bits")).isEqualTo(filter.bits());
    for (long key = 0; key < 10_000; key++) {
      filter.put(key);
    }
    assertThat(read("keys")).isEqualTo(filter.stats().approximateKeys());
    assertThat(read("fill")).isEqualTo(filter.stats().fill());
    assertThat(read("fpp")).isEqualTo(filter.expectedFpp());
    assertThat(read("bytes")).isEqualTo(filter.toBytes().length);
  }

  static Stream<Filter> filters() {
    return Stream.of(
        BloomFilter.create(100, 0.01),
        CountingBloomFilter.create(100, 0.01),
        FingerprintFilter.create(0.01),
        ScalableBloomFilter.create(0.01),
        DynamicPartitionBloomFilter.create(1 << 20, 4, 0.01),
        ElasticBloomFilter.builder().keys(1_000).fpp(0.01).tolerance(0.004).build());
  }

  @ParameterizedTest
  @MethodSource("filters")
  void everyNumberOfEveryKindIsANumber(Filter filter) {
    bind(filter);
    assertThat(registry.getMeters()).hasSizeGreaterThanOrEqualTo(5);
    for (Meter meter : registry.getMeters()) {
      assertThat(meter.getId().getTag("kind")).isEqualTo(filter.kind().word());
      meter.measure().forEach(value -> assertThat(value.getValue()).isFinite());
    }
  }

  @Test
  void growthIsSeen() {
    ScalableBloomFilter filter = ScalableBloomFilter.create(0.01);
    bind(filter);
    double before = read("levels");
    for (long key = 0; key < 1_000_000; key++) {
      filter.put(key);
    }
    assertThat(read("levels")).isGreaterThan(before);
  }

  @Test
  void splitsAndJoinsAreCounted() {
    FingerprintFilter filter = FingerprintFilter.builder().removable().build();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    FilterMetrics.of("grows", filter).bindTo(registry);
    for (long key = 0; key < 20_000; key++) {
      filter.put(key);
    }
    for (long key = 0; key < 20_000; key++) {
      filter.remove(key);
    }
    assertThat(registry.get("bellows.filter.splits").functionCounter().count())
        .isEqualTo(filter.splits())
        .isPositive();
    assertThat(registry.get("bellows.filter.joins").functionCounter().count())
        .isEqualTo(filter.joins())
        .isPositive();
  }

  @Test
  void resizesAreCounted() {
    ElasticBloomFilter filter =
        ElasticBloomFilter.builder().keys(100_000).fpp(0.01).tolerance(0.004).build();
    bind(filter);
    for (long key = 0; key < 50_000; key++) {
      filter.put(key);
    }
    assertThat(registry.get("bellows.filter.resizes").functionCounter().count()).isPositive();
  }

  @Test
  void aFilterWithTooManyKeysIsSaturated() {
    BloomFilter filter = BloomFilter.create(1_000, 0.01);
    FilterMetrics.of("seen", filter).warnAbove(0.02).refreshedEvery(Duration.ZERO).bindTo(registry);
    for (long key = 0; key < 1_000; key++) {
      filter.put(key);
    }
    assertThat(read("saturated")).isZero();
    for (long key = 0; key < 3_000; key++) {
      filter.put(key);
    }
    assertThat(read("saturated")).isEqualTo(1);
  }

  static Stream<Filter> filtersWithATargetRate() {
    return Stream.of(
        FingerprintFilter.create(0.01),
        ScalableBloomFilter.create(0.01),
        DynamicPartitionBloomFilter.create(1 << 20, 4, 0.01),
        ElasticBloomFilter.builder().keys(1_000).fpp(0.01).tolerance(0.004).build());
  }

  /** Metrics warn above twice this rate. */
  @ParameterizedTest
  @MethodSource("filtersWithATargetRate")
  void kindsBuiltForARateReportIt(Filter filter) {
    assertThat(filter.stats().targetFpp()).isEqualTo(0.01);
  }

  @Test
  void anElasticFilterBeyondItsCapacityIsSaturated() {
    ElasticBloomFilter filter =
        ElasticBloomFilter.builder().keys(1_000).fpp(0.01).tolerance(0.004).build();
    bind(filter);
    long key = 0;
    while (filter.expectedFpp() <= 0.02) {
      assertThat(read("saturated")).isZero();
      for (int i = 0; i < 100; i++) {
        filter.put(key++);
      }
    }
    assertThat(filter.expectedFpp())
        .as("below the limit of kinds without a target")
        .isLessThan(0.1);
    assertThat(read("saturated")).isEqualTo(1);
  }

  @Test
  void statisticsAreNotTakenForEveryNumber() {
    BloomFilter filter = BloomFilter.create(1_000, 0.01);
    FilterMetrics.of("seen", filter).refreshedEvery(Duration.ofHours(1)).bindTo(registry);
    filter.put("later");
    assertThat(read("keys")).isZero();
  }

  @Test
  void invalidArgumentsAreRefused() {
    FilterMetrics metrics = FilterMetrics.of("seen", BloomFilter.create(10, 0.01));
    assertThatThrownBy(() -> metrics.warnAbove(0)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> metrics.warnAbove(Double.NaN)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> metrics.refreshedEvery(Duration.ofSeconds(-1)))
        .hasMessageContaining("negative");
  }

  @Test
  void aWindowShowsItsGenerationsAndLateKeys() {
    WindowFilter window =
        WindowFilter.builder().window(Duration.ofHours(1)).generations(3).dropLate().build();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    FilterMetrics.of("seen", window).refreshedEvery(Duration.ZERO).bindTo(registry);
    window.put("old", Instant.EPOCH);
    window.put("new", Instant.EPOCH.plus(Duration.ofMinutes(20)));
    window.put("late", Instant.EPOCH.minus(Duration.ofHours(2)));
    assertThat(registry.get("bellows.filter.late").functionCounter().count()).isEqualTo(1);
    for (int age = 0; age < 4; age++) {
      assertThat(
              registry
                  .get("bellows.filter.generation.keys")
                  .tag("age", Integer.toString(age))
                  .gauge()
                  .value())
          .isEqualTo(age < 2 ? 1 : 0);
    }
  }
}
