package dev.bellows.metrics;

import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.DurableFilter.Numbers;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Registers the statistics of a durable filter: its version, what a crash would lose, the length of
 * its journal, what it writes, and how long puts wait for snapshots. Thread-safe. Every value is
 * read when the registry asks for it, which is cheap. The registry holds a strong reference to the
 * filter.
 *
 * <pre>{@code
 * DurableMetrics.of("seen", filter).bindTo(registry);
 * }</pre>
 */
public final class DurableMetrics implements MeterBinder {
  private final String name;
  private final DurableFilter<?> filter;

  private DurableMetrics(String name, DurableFilter<?> filter) {
    this.name = name;
    this.filter = filter;
  }

  /**
   * Returns a binder for a durable filter.
   *
   * @param name distinguishes this filter from others in the same registry
   */
  public static DurableMetrics of(String name, DurableFilter<?> filter) {
    return new DurableMetrics(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(filter, "filter"));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "version", "changes that were committed", Numbers::version);
    gauge(registry, "unsynced", "changes that a crash would lose", Numbers::unsynced);
    gauge(registry, "journal.bytes", "length of the journal", Numbers::journalBytes);
    gauge(registry, "snapshot.bytes", "length of the last snapshot", Numbers::snapshotBytes);
    gauge(
        registry,
        "snapshot.lag",
        "changes behind the last snapshot",
        now -> now.version() - now.snapshotVersion());
    counter(registry, "written.bytes", "bytes written to the folder", Numbers::bytesWritten);
    counter(registry, "groups", "groups committed", Numbers::groups);
    counter(registry, "forces", "waits for the disk", Numbers::forces);
    counter(registry, "snapshots", "snapshots taken", Numbers::snapshots);
    counter(
        registry,
        "throttled.seconds",
        "time that puts waited for snapshots",
        now -> now.throttled().toNanos() / 1e9);
  }

  private void gauge(
      MeterRegistry registry, String what, String description, ToDoubleFunction<Numbers> number) {
    Gauge.builder("bellows.durable." + what, filter, its -> number.applyAsDouble(its.numbers()))
        .description(description)
        .tags(Tags.of("filter", name))
        .strongReference(true)
        .register(registry);
  }

  private void counter(
      MeterRegistry registry, String what, String description, ToDoubleFunction<Numbers> number) {
    FunctionCounter.builder(
            "bellows.durable." + what, filter, its -> number.applyAsDouble(its.numbers()))
        .description(description)
        .tags(Tags.of("filter", name))
        .register(registry);
  }
}
