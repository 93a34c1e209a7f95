package dev.bellows.cli.kinds;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.growth.ScalableBloomFilter;
import dev.bellows.io.FilterKind;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All kinds with their adapters: where a new kind is registered, or the compiler asks for it. */
public final class Adapters {
  private Adapters() {}

  /** The adapter of a filter. */
  public static KindAdapter<?> of(Filter filter) {
    return switch (filter.kind()) {
      case BLOOM -> new BloomAdapter((BloomFilter) filter);
      case COUNTING -> new CountingAdapter((CountingBloomFilter) filter);
      case ELASTIC -> new ElasticAdapter((ElasticBloomFilter) filter);
      case AUTOSCALING -> new AutoscaleAdapter((AutoscalingBloomFilter) filter);
      case BINARIZED -> new BinarizedAdapter((BinarizedFilter) filter);
      case PARTITION -> new PartitionAdapter((DynamicPartitionBloomFilter) filter);
      case PARTITION_VIEW -> new PartitionViewAdapter((PartitionView) filter);
      case SCALABLE -> new ScalableAdapter((ScalableBloomFilter) filter);
      case RANGE -> new RangeAdapter((RangeBloomFilter) filter);
      case FOLDED -> new FoldedAdapter((FoldedFilters) filter);
      case FINGERPRINT -> new FingerprintAdapter((FingerprintFilter) filter);
    };
  }

  /** How {@code build} makes filters of a kind; null where it makes none. */
  public static @Nullable Maker maker(FilterKind kind) {
    return switch (kind) {
      case BLOOM -> BloomAdapter::build;
      case COUNTING -> CountingAdapter::build;
      case ELASTIC -> ElasticAdapter::build;
      case AUTOSCALING -> AutoscaleAdapter::build;
      case PARTITION -> PartitionAdapter::build;
      case SCALABLE -> ScalableAdapter::build;
      case RANGE -> RangeAdapter::build;
      case FINGERPRINT -> FingerprintAdapter::build;
      case BINARIZED, PARTITION_VIEW, FOLDED -> null;
    };
  }

  /** The kinds that {@code build} makes. */
  static List<FilterKind> buildable() {
    return Arrays.stream(FilterKind.values()).filter(kind -> maker(kind) != null).toList();
  }

  /** Builds a filter from a request and its keys. */
  @FunctionalInterface
  public interface Maker {
    Built build(BuildRequest request) throws IOException;
  }
}
