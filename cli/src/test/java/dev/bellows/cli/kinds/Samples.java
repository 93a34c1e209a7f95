package dev.bellows.cli.kinds;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.KeyFilter;
import dev.bellows.KeyHasher;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.durable.Delta;
import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Sync;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.io.FilterKind;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One filter of each kind, with the keys "0" to "199" in it. */
final class Samples {
  static final int KEYS = 200;

  private Samples() {}

  static Filter of(FilterKind kind) {
    return switch (kind) {
      case BLOOM -> filled(BloomFilter.create(KEYS, 0.01));
      case COUNTING -> filled(CountingBloomFilter.create(KEYS, 0.01));
      case ELASTIC ->
          filled(
              ElasticBloomFilter.builder()
                  .keys(1000)
                  .fpp(0.01)
                  .tolerance(0.004)
                  .counting(4)
                  .id(3)
                  .build());
      case AUTOSCALING -> autoscaling();
      case BINARIZED -> autoscaling().binarize();
      case BINARIZED_COUNTING ->
          CountingReading.of(
                  filled(CountingBloomFilter.create(KEYS, 0.01)),
                  new ThresholdPlan.Rule.Fixed(0, 6))
              .binarize();
      case PARTITION -> partition();
      case PARTITION_VIEW -> partition().view();
      case PARTITION_COMPACT -> compactView();
      case SCALABLE -> filled(ScalableBloomFilter.create(0.01));
      case RANGE -> range();
      case FOLDED -> folded();
      case PARTS -> parts();
      case WINDOW -> filled(windowed(WindowFilter.builder().keys(8 * KEYS)));
      case WINDOW_PREFIXES -> filled(windowed(WindowFilter.builder()));
      case FINGERPRINT -> filled(FingerprintFilter.builder().fpp(0.01).removable().build());
      case DELTA -> delta();
      case FROZEN -> frozen();
      case FROZEN_PART -> frozen().part(1, 0.05);
    };
  }

  /** A window of a century, whose clock is in the past of every test. */
  private static WindowFilter windowed(WindowFilter.Builder builder) {
    WindowFilter filter = builder.window(Duration.ofDays(36_525)).fpp(0.01).build();
    filter.advanceTo(Instant.parse("2020-01-01T00:00:00Z"));
    return filter;
  }

  private static Delta delta() {
    try {
      Path folder = Files.createTempDirectory("durable");
      try (DurableFilter<FingerprintFilter> filter =
          DurableFilter.open(folder, () -> FingerprintFilter.create(0.01), Sync.NEVER)) {
        filter.put("0");
        return filter.since(0);
      } finally {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FrozenFilter frozen() {
    return FrozenFilter.builder()
        .fpp(0.01)
        .buildFrom(IntStream.range(0, KEYS).mapToObj(Integer::toString).toList(), KeyHasher.TEXT);
  }

  private static AutoscalingBloomFilter autoscaling() {
    return filled(AutoscalingBloomFilter.create(10_000, 100));
  }

  /** Keys that are spread over the universe, and a bitmap of other ids. */
  private static PartitionView compactView() {
    DynamicPartitionBloomFilter filter = partition();
    for (long id = 0; id < 5000; id++) {
      filter.putId(id);
    }
    return filter.view().compact();
  }

  private static DynamicPartitionBloomFilter partition() {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder().universe(1L << 40).fpp(0.01).build();
    for (int i = 0; i < KEYS; i++) {
      filter.put(Integer.toString(i), KeyHasher.TEXT);
    }
    return filter;
  }

  private static RangeBloomFilter range() {
    Attribute age = Attribute.plain("age", Domain.of(0, 120), 8);
    RangeBloomFilter filter = RangeBloomFilter.create(RangeSchema.of(4096, 8, age).open());
    filter.putRange("age", 20, 30);
    filter.put("name", "Ada");
    return filter;
  }

  private static FoldedFilters folded() {
    BloomFilter source = filled(BloomFilter.builder().bits(512 * 60).hashes(8).id(7).build());
    return FoldedFilters.of(source.foldBy(5)).with(source.foldBy(6));
  }

  private static FoldedFilters parts() {
    ElasticBloomFilter source =
        filled(ElasticBloomFilter.builder().capacity(512 * 60).fpp(0.01).id(7).build());
    return source.part(512 * 12).with(source.part(512 * 10));
  }

  private static <F extends KeyFilter> F filled(F filter) {
    for (int i = 0; i < KEYS; i++) {
      filter.put(Integer.toString(i));
    }
    return filter;
  }
}
