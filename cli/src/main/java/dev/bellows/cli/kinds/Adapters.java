package dev.bellows.cli.kinds;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.durable.Delta;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPart;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;

/** All kinds with their adapters. New kinds are registered here. */
public final class Adapters {
  private Adapters() {}

  /** Returns the adapter of a filter. */
  public static KindAdapter<?> of(Filter filter) {
    return switch (filter.kind()) {
      case BLOOM -> new FoldableAdapter<>((BloomFilter) filter);
      case COUNTING -> new CountingAdapter((CountingBloomFilter) filter);
      case ELASTIC -> new ElasticAdapter((ElasticBloomFilter) filter);
      case AUTOSCALING -> new AutoscaleAdapter((AutoscalingBloomFilter) filter);
      case PARTITION -> new PartitionAdapter((DynamicPartitionBloomFilter) filter);
      case PARTITION_VIEW, PARTITION_COMPACT -> new PartitionViewAdapter((PartitionView) filter);
      case SCALABLE -> new ScalableAdapter((ScalableBloomFilter) filter);
      case RANGE -> new RangeAdapter((RangeBloomFilter) filter);
      case FOLDED, PARTS -> new FoldedAdapter((FoldedFilters) filter);
      case FINGERPRINT -> new FingerprintAdapter((FingerprintFilter) filter);
      case WINDOW, WINDOW_PREFIXES -> new WindowAdapter((WindowFilter) filter);
      case BINARIZED, BINARIZED_COUNTING -> new BinarizedAdapter((BinarizedFilter) filter);
      case DELTA -> new DeltaAdapter((Delta) filter);
      case FROZEN -> new FrozenAdapter((FrozenFilter) filter);
      case FROZEN_PART -> new FrozenPartAdapter((FrozenPart) filter);
    };
  }
}
