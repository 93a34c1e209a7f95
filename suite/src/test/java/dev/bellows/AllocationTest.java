package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.AutoscalingBloomFilter.LikelihoodReading;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The hot paths do not allocate. */
class AllocationTest {
  private static final int OPERATIONS = 200_000;

  static Stream<Arguments> filters() {
    byte[] secret = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    return Stream.of(Layout.Family.values())
        .flatMap(
            layout ->
                Stream.of(HashScheme.DEFAULT, HashScheme.sipHash(secret))
                    .map(
                        scheme ->
                            Arguments.of(
                                BloomFilter.builder()
                                    .keys(10_000)
                                    .fpp(0.01)
                                    .layout(layout)
                                    .hashScheme(scheme)
                                    .build())));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void queriesOfAMappedFilterAllocateNothing(BloomFilter filter, @TempDir Path folder)
      throws IOException {
    Path path = folder.resolve("filter");
    filter.put(5L);
    filter.writeTo(path);
    HashScheme scheme = filter.hashScheme();
    try (MappedFilter<BloomFilter> file =
        BloomFilter.map(path, ReadOptions.DEFAULT.withHashScheme(scheme))) {
      BloomFilter mapped = file.filter();
      assertAllocatesNothing(i -> mapped.mightContain(i));
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void longsAndBytesAllocateNothing(BloomFilter filter) {
    byte[] bytes = new byte[16];
    assertAllocatesNothing(i -> filter.put(i % 10_000));
    assertAllocatesNothing(i -> filter.mightContain(i));
    assertAllocatesNothing(
        i -> {
          bytes[3] = (byte) i;
          return filter.put(bytes);
        });
    assertAllocatesNothing(
        i -> {
          bytes[5] = (byte) i;
          return filter.mightContain(bytes);
        });
  }

  @ParameterizedTest
  @MethodSource("filters")
  void uuidsAndBatchesAllocateNothingPerKey(BloomFilter filter) {
    long[] keys = LongStream.range(0, 1000).toArray();
    boolean[] hits = new boolean[keys.length];
    filter.put(7);
    int batches = OPERATIONS / keys.length;
    assertAllocatesNothing(i -> i >= batches || filter.putAll(keys) > 0);
    assertAllocatesNothing(i -> i >= batches || filter.countMightContain(keys, hits) > 0);
    assertAllocatesNothing(
        i -> i >= batches || filter.countMightContainHashes(keys, 0, 9, hits) > 0);
    if (filter.hashScheme().equals(HashScheme.DEFAULT)) {
      UUID uuid = new UUID(1, 2);
      filter.put(uuid, KeyHasher.UUIDS);
      assertAllocatesNothing(i -> filter.mightContain(uuid, KeyHasher.UUIDS));
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void loadingAllocatesNothing(Layout.Family layout) {
    BloomFilter.Loader loader =
        BloomFilter.builder().keys(10_000).fpp(0.01).layout(layout).loader();
    byte[] bytes = new byte[16];
    assertAllocatesNothing(
        i -> {
          bytes[3] = (byte) i;
          loader.put(i % 10_000);
          loader.put(bytes);
          return true;
        });
  }

  @Test
  void distinctPositionsAllocateNothing() {
    for (int[] shape : new int[][] {{10_000, 100}, {60, 40}, {1 << 20, 20}}) {
      AutoscalingBloomFilter filter =
          AutoscalingBloomFilter.builder()
              .bits(shape[0])
              .hashes(shape[1])
              .thresholds(0, shape[1] / 2)
              .build();
      LongStream.range(0, 100).forEach(filter::put);
      BinarizedFilter shipped = filter.binarize();
      LikelihoodReading likelihood = filter.likelihood();
      assertAllocatesNothing(i -> filter.put(-i) | filter.remove(-i));
      assertAllocatesNothing(i -> filter.accepts(i) | filter.evidence(i) > 0);
      assertAllocatesNothing(i -> shipped.accepts(i) | likelihood.accepts(i % 100));
    }
  }

  @Test
  void numbersOfRangeFiltersAllocateNothing() {
    RangeSchema.Domain domain = RangeSchema.Domain.of(-10_000_000, 10_000_000);
    RangeBloomFilter filter =
        RangeBloomFilter.create(
            RangeSchema.of(
                4096, 8, RangeSchema.Attribute.divisionOverlapping("x", domain, 8, 5, 3)));
    assertAllocatesNothing(i -> filter.put("x", i % 100));
    assertAllocatesNothing(i -> filter.mightContain("x", i));
    assertAllocatesNothing(i -> filter.mightContainRange("x", i % 50, i % 50 + 40));
    assertAllocatesNothing(i -> filter.mightIntersect("x", i, i + 40));
  }

  @Test
  void growingFiltersAllocateOnlyToGrow() {
    ScalableBloomFilter scalable = ScalableBloomFilter.create(0.01);
    DynamicPartitionBloomFilter partition = DynamicPartitionBloomFilter.create(1 << 20, 10, 0.01);
    for (long i = 0; i < 10_000; i++) {
      scalable.put(i);
      partition.putId(i);
    }
    PartitionView view = partition.view();
    assertAllocatesNothing(i -> !scalable.put(i % 10_000));
    assertAllocatesNothing(scalable::mightContain);
    assertAllocatesNothing(i -> !partition.putId(i % 10_000));
    assertAllocatesNothing(partition::mightContainId);
    assertAllocatesNothing(view::mightContainId);
  }

  private interface Operation {
    boolean run(long i);
  }

  private static void assertAllocatesNothing(Operation operation) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = Long.MAX_VALUE;
    boolean any = false;
    for (int attempt = 0; attempt < 10 && allocated >= OPERATIONS; attempt++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (long i = 0; i < OPERATIONS; i++) {
        any |= operation.run(i);
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertThat(any).isTrue();
    // less than a byte per operation: the rest is due to the measurement and the compiler
    assertThat(allocated).isLessThan(OPERATIONS);
  }
}
