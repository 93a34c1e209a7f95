package dev.bellows.internal.kinds;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.growth.ScalableBloomFilter;
import dev.bellows.internal.files.FilterCodec;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The registry of all kinds with their types and codecs: a new kind is added here. */
public final class Kinds {
  /** Reads filters of any kind. */
  public static final FilterCodec<Filter> CODEC = new FilterCodec<>(Kinds::read);

  private static final Map<FilterKind, Entry<?>> KINDS = new EnumMap<>(FilterKind.class);

  static {
    register(FilterKind.BLOOM, BloomFilter.class, BloomFilter::readFrom);
    register(FilterKind.COUNTING, CountingBloomFilter.class, CountingBloomFilter::readFrom);
    register(FilterKind.ELASTIC, ElasticBloomFilter.class, ElasticBloomFilter::readFrom);
    register(
        FilterKind.AUTOSCALING, AutoscalingBloomFilter.class, AutoscalingBloomFilter::readFrom);
    register(FilterKind.BINARIZED, BinarizedFilter.class, BinarizedFilter::readFrom);
    register(
        FilterKind.PARTITION,
        DynamicPartitionBloomFilter.class,
        DynamicPartitionBloomFilter::readFrom);
    register(FilterKind.PARTITION_VIEW, PartitionView.class, PartitionView::readFrom);
    register(FilterKind.SCALABLE, ScalableBloomFilter.class, ScalableBloomFilter::readFrom);
    register(FilterKind.RANGE, RangeBloomFilter.class, RangeBloomFilter::readFrom);
    register(FilterKind.FOLDED, FoldedFilters.class, FoldedFilters::readFrom);
    register(FilterKind.FINGERPRINT, FingerprintFilter.class, FingerprintFilter::readFrom);
  }

  private Kinds() {}

  private record Entry<F extends Filter>(Class<F> type, Way<F> way) {}

  /** The reading method of a kind. */
  @FunctionalInterface
  private interface Way<F> {
    F readFrom(InputStream in, ReadOptions options) throws IOException;
  }

  private static <F extends Filter> void register(FilterKind kind, Class<F> type, Way<F> way) {
    KINDS.put(kind, new Entry<>(type, way));
  }

  /** The Java type of the filters of a kind. */
  public static Class<? extends Filter> type(FilterKind kind) {
    return entry(kind).type;
  }

  private static Entry<?> entry(FilterKind kind) {
    return Objects.requireNonNull(KINDS.get(kind), () -> kind + " is not registered");
  }

  private static Filter read(FilterReader reader) throws IOException {
    // the limit was checked when the reader was opened
    return entry(reader.header().kind()).way.readFrom(reader.asInput(), ReadOptions.UNLIMITED);
  }
}
