package dev.bellows.metrics;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.window.WindowFilter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * Registers the statistics of a filter as {@code bellows.filter.*}, with the tags {@code filter}
 * (its name) and {@code kind}.
 *
 * <p>Meters that do not apply to a kind of filter are not registered. Computing statistics reads
 * the whole filter, so this happens at most once every ten seconds, regardless of the number of
 * callers. Thread-safe. The registry holds a strong reference to the filter.
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
   * Returns a binder for a filter. The filter is reported as saturated if its expected rate is
   * above twice the rate that it was built for, or above 10 % if that rate is unknown.
   *
   * @param name distinguishes this filter from others in the same registry
   */
  public static FilterMetrics of(String name, Filter filter) {
    FilterStats now = filter.stats();
    Double target = now.targetFpp();
    double most = target == null ? HIGHEST_FPP : HIGHEST_RATIO * target;
    return new FilterMetrics(
        Objects.requireNonNull(name, "name"),
        new Recent(filter, now, Duration.ofSeconds(10)),
        most);
  }

  /**
   * Returns a binder that reports the filter as saturated if its expected rate is above this one.
   */
  public FilterMetrics warnAbove(double fpp) {
    if (!(fpp > 0 && fpp <= 1)) {
      throw new IllegalArgumentException("fpp must be above 0 and at most 1, not " + fpp);
    }
    return new FilterMetrics(name, recent, fpp);
  }

  /**
   * Returns a binder whose statistics are at most this old. With zero, they are computed for every
   * value.
   */
  public FilterMetrics refreshedEvery(Duration age) {
    return new FilterMetrics(name, new Recent(recent.filter, recent.stats(), age), warnAbove);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    FilterStats now = recent.stats();
    Tags tags = Tags.of("filter", name, "kind", now.kind().word());
    gauge(registry, tags, "bits", "bits or counters", FilterStats::bits);
    Gauge.builder("bellows.filter.bytes", recent, Recent::bytes)
        .description(
            recent.filter instanceof FingerprintFilter ? "length in memory" : "length of the file")
        .tags(tags)
        .strongReference(true)
        .register(registry);
    gauge(registry, tags, "fpp", "expected false positive rate", FilterStats::expectedFpp);
    gauge(
        registry,
        tags,
        "saturated",
        "1 if the expected rate is above " + warnAbove,
        stats -> stats.expectedFpp() > warnAbove ? 1 : 0);
    if (now.approximateKeys() != null) {
      gauge(registry, tags, "keys", "estimated distinct keys", FilterMetrics::keys);
    }
    if (now.ones() != null) {
      gauge(registry, tags, "fill", "share of bits that are one", FilterMetrics::fill);
    }
    if (now.parts() != null) {
      String parts = now.parts().word();
      gauge(registry, tags, parts, parts + " of a filter that grows", FilterMetrics::parts);
    }
    if (recent.filter instanceof ElasticBloomFilter elastic) {
      counter(
          registry,
          tags,
          "resizes",
          "foldings and unfoldings of the view",
          filter -> elastic.resizes());
    }
    if (recent.filter instanceof WindowFilter window) {
      counter(registry, tags, "late", "keys that came too late", filter -> window.lateKeys());
      for (int age = 0; age <= window.generationsPerWindow(); age++) {
        int behind = age;
        Gauge.builder("bellows.filter.generation.keys", window, one -> generationKeys(one, behind))
            .description("keys of a live generation; age 0 is being filled")
            .tags(tags.and("age", Integer.toString(age)))
            .strongReference(true)
            .register(registry);
      }
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

  private static double generationKeys(WindowFilter window, int age) {
    List<WindowFilter.Generation> all = window.generations();
    return all.isEmpty() ? 0 : all.get(all.size() - 1 - age).keys();
  }

  private static double fill(FilterStats stats) {
    Double fill = stats.fill();
    return fill == null ? Double.NaN : fill;
  }

  private static double keys(FilterStats stats) {
    Double keys = stats.approximateKeys();
    return keys == null ? Double.NaN : keys;
  }

  private static double parts(FilterStats stats) {
    return stats.parts() == null ? Double.NaN : stats.parts().count();
  }

  /** The statistics of a filter, cached for a limited time. */
  private static final class Recent {
    private final Filter filter;
    private final long ageNanos;
    private FilterStats stats;
    private long bytes;
    private long takenAt;

    Recent(Filter filter, FilterStats stats, Duration age) {
      if (age.isNegative()) {
        throw new IllegalArgumentException("the age must not be negative: " + age);
      }
      this.filter = filter;
      this.stats = stats;
      this.bytes = bytesNow();
      this.ageNanos = age.toNanos();
      this.takenAt = System.nanoTime();
    }

    synchronized FilterStats stats() {
      long now = System.nanoTime();
      if (now - takenAt >= ageNanos) {
        stats = filter.stats();
        bytes = bytesNow();
        takenAt = now;
      }
      return stats;
    }

    synchronized long bytes() {
      stats();
      return bytes;
    }

    /**
     * Returns the length of the filter's file. For a fingerprint filter, whose file would have to
     * be encoded first, returns its heap size.
     */
    private long bytesNow() {
      return filter instanceof FingerprintFilter prefixes
          ? prefixes.heapBytes()
          : filter.sizeInBytes();
    }
  }
}
