package dev.bellows.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Sync;
import dev.bellows.growth.FingerprintFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private double gauge(String what) {
    return registry.get("bellows.durable." + what).tag("filter", "seen").gauge().value();
  }

  private double count(String what) {
    return registry.get("bellows.durable." + what).functionCounter().count();
  }

  @Test
  void numbersFollowTheFolder(@TempDir Path folder) throws IOException {
    try (DurableFilter<FingerprintFilter> filter =
        DurableFilter.open(folder, () -> FingerprintFilter.create(0.01), Sync.NEVER)) {
      DurableMetrics.of("seen", filter).bindTo(registry);
      assertThat(gauge("version")).isZero();
      for (long key = 0; key < 10; key++) {
        filter.put(key);
      }
      assertThat(gauge("version")).isEqualTo(10);
      assertThat(gauge("snapshot.lag")).isEqualTo(10);
      assertThat(gauge("journal.bytes")).isEqualTo(32 + 10 * 40);
      assertThat(gauge("unsynced")).isZero();
      assertThat(count("groups")).isEqualTo(10);
      assertThat(count("written.bytes")).isEqualTo(gauge("journal.bytes"));
      assertThat(count("throttled.seconds")).isZero();
      filter.checkpoint();
      assertThat(gauge("snapshot.lag")).isZero();
      assertThat(count("snapshots")).isEqualTo(1);
      assertThat(gauge("snapshot.bytes")).isPositive();
      assertThat(count("forces")).isPositive();
    }
  }
}
