package dev.bellows.metrics;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.growth.FingerprintFilter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Registers the numbers of a filter, under {@code bellows.filter.*}, with the tags {@code filter}
 * (its name) and {@code kind}.
 *
 * <p>What a kind of filter does not have is not registered. Statistics read the whole filter, so
 * they are taken once in ten seconds at most, whoever asks; safe from any thread. A registry keeps
 * the filter alive.
 */
public final class FilterMetrics implements MeterBinder {
  private static final double HIGHEST_RATIO = 2;
  private static final double HIGHEST_FPP = 0.1;

  private final String name;
  private final Recent recent;
  private final double warnAbove;

  private FilterMetrics(String name, Recent recent, double warnAbove) {
    this.name = name;
    this.recent = recent;
    this.warnAbove = warnAbove;
  }

  /**
   * The numbers of a filter. It counts as saturated when its expected rate is twice the one that it
   * was built for, or above 10 % where its kind does not know that.
   *
   * @param name tells this filter from others in the same registry
   */
  public static FilterMetrics of(String name, Filter filter) {
    FilterStats now = filter.stats();
    double most = now.own().get("fpp") instanceof Double fpp ? HIGHEST_RATIO * fpp : HIGHEST_FPP;
    return new FilterMetrics(
        Objects.requireNonNull(name, "name"),
        new Recent(filter, now, Duration.ofSeconds(10)),
        most);
  }

  /** The same, but saturated when the expected rate is above this one. */
  public FilterMetrics warnAbove(double fpp) {
    if (!(fpp > 0 && fpp <= 1)) {
      throw new IllegalArgumentException("fpp must be above 0 and at most 1, not " + fpp);
    }
    return new FilterMetrics(name, recent, fpp);
  }

  /** The same, but statistics are as old as this at most; zero takes them for every number. */
  public FilterMetrics refreshedEvery(Duration age) {
    return new FilterMetrics(name, new Recent(recent.filter, recent.stats(), age), warnAbove);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    FilterStats now = recent.stats();
    Tags tags = Tags.of("filter", name, "kind", now.kind().word());
    gauge(registry, tags, "bits", "bits or counters", FilterStats::bits);
    gauge(registry, tags, "bytes", "length of the file", FilterStats::bytes);
    gauge(registry, tags, "fpp", "expected false positive rate", FilterStats::expectedFpp);
    gauge(
        registry,
        tags,
        "saturated",
        "1 if the expected rate is above " + warnAbove,
        stats -> stats.expectedFpp() > warnAbove ? 1 : 0);
    if (now.approximateKeys() != null || now.own().get("keys") instanceof Number) {
      gauge(registry, tags, "keys", "estimated distinct keys", FilterMetrics::keys);
    }
    if (now.ones() != null) {
      gauge(registry, tags, "fill", "share of bits that are one", FilterMetrics::fill);
    }
    for (String part : List.of("levels", "leaves", "prefixes")) {
      if (now.own().containsKey(part)) {
        gauge(registry, tags, part, part + " of a filter that grows", stats -> size(stats, part));
      }
    }
    if (now.own().containsKey("resizes")) {
      counter(
          registry,
          tags,
          "resizes",
          "foldings and unfoldings of the view",
          filter -> size(recent.stats(), "resizes"));
    }
    if (recent.filter instanceof FingerprintFilter prefixes) {
      counter(registry, tags, "splits", "chunks split", filter -> prefixes.splits());
      counter(registry, tags, "joins", "pairs of chunks joined", filter -> prefixes.joins());
    }
  }

  private void counter(
      MeterRegistry registry,
      Tags tags,
      String what,
      String description,
      ToDoubleFunction<Filter> number) {
    FunctionCounter.builder("bellows.filter." + what, recent.filter, number)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry,
      Tags tags,
      String what,
      String description,
      ToDoubleFunction<FilterStats> number) {
    Gauge.builder("bellows.filter." + what, recent, last -> number.applyAsDouble(last.stats()))
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  private static double fill(FilterStats stats) {
    Double fill = stats.fill();
    return fill == null ? Double.NaN : fill;
  }

  private static double keys(FilterStats stats) {
    Double keys = stats.approximateKeys();
    return keys != null ? keys : size(stats, "keys");
  }

  /** A number, or how many there are of a list. */
  private static double size(FilterStats stats, String own) {
    Object value = stats.own().get(own);
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    return value instanceof Collection<?> all ? all.size() : Double.NaN;
  }

  /** The statistics of a filter, not older than some time. */
  private static final class Recent {
    private final Filter filter;
    private final long ageNanos;
    private FilterStats stats;
    private long takenAt;

    Recent(Filter filter, FilterStats stats, Duration age) {
      if (age.isNegative()) {
        throw new IllegalArgumentException("an age of " + age + " is below zero");
      }
      this.filter = filter;
      this.stats = stats;
      this.ageNanos = age.toNanos();
      this.takenAt = System.nanoTime();
    }

    synchronized FilterStats stats() {
      long now = System.nanoTime();
      if (now - takenAt >= ageNanos) {
        stats = filter.stats();
        takenAt = now;
      }
      return stats;
    }
  }
}
