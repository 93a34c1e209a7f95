package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.Foldable.FoldSize;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regressions: ways in which keys were once lost or an unreadable file was written. */
class LostKeysTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void anElasticFilterCountsItsKeys(long seed) throws IOException {
    ElasticBloomFilter filter =
        ElasticBloomFilter.builder().capacity(512 * 24).fpp(0.01).counting(4).seed(seed).build();
    for (long key = 0; key < 3000; key++) {
      filter.put(key);
    }
    for (long key = 0; key < 3000; key++) {
      assertThat(filter.remove(key)).isTrue();
      assertThat(filter.approximateElementCount()).isNotNegative();
    }
    assertThat(filter.approximateElementCount()).isZero();
    assertThat(ElasticBloomFilter.fromBytes(filter.toBytes())).isEqualTo(filter);
  }

  @Test
  void aUnionOfManyLevelsCanBeReadBack() throws IOException {
    ScalableBloomFilter all = ScalableBloomFilter.create(1e-6);
    for (int part = 0; part < 700; part++) {
      ScalableBloomFilter next = ScalableBloomFilter.create(1e-6);
      for (long key = 0; key < 1100; key++) {
        next.put(part * 1_000_000L + key);
      }
      all = all.union(next, 1);
    }
    assertThat(all.levels()).hasSizeGreaterThan(600);
    ScalableBloomFilter read = ScalableBloomFilter.fromBytes(all.toBytes());
    assertThat(read).isEqualTo(all);
    assertThat(read.mightContain(699_000_007L)).isTrue();
  }

  @Test
  void emptyFiltersCanBeReadBack() throws IOException {
    ScalableBloomFilter scalable =
        ScalableBloomFilter.builder().layout(Layout.Family.CLASSIC).build().compact();
    assertThat(ScalableBloomFilter.fromBytes(scalable.toBytes())).isEqualTo(scalable);
    PartitionView empty = DynamicPartitionBloomFilter.create(1 << 20, 10, 0.01).view();
    PartitionView united = empty.union(empty).intersection(empty);
    assertThat(PartitionView.fromBytes(united.toBytes())).isEqualTo(united);
  }

  @Test
  void aCopyKeepsTheThresholdsOfItsFile() throws IOException {
    AutoscalingBloomFilter filter =
        AutoscalingBloomFilter.builder().bits(1000).hashes(20).thresholds(1, 12).build();
    for (long key = 0; key < 100; key++) {
      filter.put(key);
    }
    AutoscalingBloomFilter read = AutoscalingBloomFilter.fromBytes(filter.toBytes());
    assertThat(read.copy().theta()).isEqualTo(read.theta());
    assertThat(read.copy().decision()).isEqualTo(read.decision());
    assertThat(read.copy().toBytes()).isEqualTo(filter.toBytes());
  }

  @Test
  void aParallelStreamSharesOneFilter() {
    Collector<Long, ?, BloomFilter> collector =
        BloomFilter.collector(100_000, 0.01, KeyHasher.LONGS);
    assertThat(collector.characteristics())
        .contains(Collector.Characteristics.CONCURRENT, Collector.Characteristics.UNORDERED);
    BloomFilter filter = LongStream.range(0, 100_000).boxed().parallel().collect(collector);
    BloomFilter alone = LongStream.range(0, 100_000).boxed().collect(collector);
    assertThat(filter).isEqualTo(alone);
  }

  @Test
  void aTypedFilterTakesOneType() {
    TypedFilter<String> words = BloomFilter.create(1000, 1e-6).typed(KeyHasher.TEXT);
    assertThat(words.put("ada")).isTrue();
    assertThat(words.put("ada")).isFalse();
    assertThat(words.test("ada")).isTrue();
    assertThat(words.negate().test("ada")).isFalse();
    assertThat(words.putAll(Set.of("grace", "barbara"))).isEqualTo(2);
    assertThat(Set.of("edsger", "tony").parallelStream().collect(words.collector()))
        .isSameAs(words);
    assertThat(words.mightContain("tony")).isTrue();
    assertThat(words.mightContain("nobody")).isFalse();
  }

  @Test
  void putAllAddsAnotherFilterInPlace() {
    BloomFilter here = BloomFilter.builder().bits(512 * 6).hashes(8).build();
    BloomFilter there = BloomFilter.builder().bits(512 * 12).hashes(8).build();
    there.put("key");
    assertThat(here.putAll(there)).isTrue();
    assertThat(here.putAll(there)).isFalse();
    assertThat(here.mightContain("key")).isTrue();
    assertThatThrownBy(() -> there.putAll(here)).hasMessageContaining("3072 bits");
  }

  @Test
  void anUnknownAttributeIsNotTreatedAsText() {
    RangeSchema schema = RangeSchema.of(4096, 6).withTexts("city");
    RangeBloomFilter filter = RangeBloomFilter.create(schema);
    filter.put("city", "Bern");
    assertThat(filter.mightContain("city", "Bern")).isTrue();
    assertThatThrownBy(() -> filter.mightContain("ctiy", "Bern"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ctiy")
        .hasMessageContaining("city");
    RangeBloomFilter open = RangeBloomFilter.create(RangeSchema.of(4096, 6).open());
    open.put("anything", "goes");
    assertThat(open.mightContain("anything", "goes")).isTrue();
  }

  @Test
  void saturatedCountersStaySaturatedWhenTheyWiden() {
    CountingBloomFilter saturating =
        CountingBloomFilter.builder().bits(512 * 8).hashes(8).saturating().build();
    for (int i = 0; i < 20; i++) {
      saturating.put("K");
    }
    CountingBloomFilter union =
        CountingBloomFilter.builder().bits(512 * 8).hashes(8).build().union(saturating);
    for (long key = 0; key < 3000; key++) {
      union.put(key);
    }
    for (int i = 0; i < 20; i++) {
      union.remove("K");
    }
    for (long key = 0; key < 3000; key++) {
      union.remove(key);
    }
    assertThat(union.mightContain("K")).isTrue();
  }

  @Test
  void consecutiveFiltersInAStreamAreReadOneByOne() throws IOException {
    BloomFilter first = BloomFilter.create(100, 0.01);
    first.put("first");
    ScalableBloomFilter second = ScalableBloomFilter.create(0.01);
    second.put("second");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    first.writeTo(out);
    second.writeTo(out);
    out.write(42);
    ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
    assertThat(BloomFilter.FORMAT.readFrom(in, ReadOptions.DEFAULT)).isEqualTo(first);
    assertThat(Filters.readFrom(in, ReadOptions.DEFAULT)).isEqualTo(second);
    assertThat(in.read()).isEqualTo(42);
    assertThatThrownBy(() -> Filters.fromBytes(out.toByteArray()))
        .hasMessageContaining("bytes follow its end");
  }

  @Test
  void allFoldingsOfAFilterCanBeReadBackTogether() throws IOException {
    BloomFilter filter = BloomFilter.builder().bits(512L * 720).hashes(8).id(5).build();
    filter.put("key");
    FoldedFilters set = FoldedFilters.of(filter);
    Set<Long> sizes = new HashSet<>();
    for (FoldSize size : filter.ladder()) {
      set = set.with(filter.foldTo(size.bits()));
      sizes.add(size.bits());
    }
    assertThat(set.sizes()).hasSameSizeAs(sizes);
    FoldedFilters read = FoldedFilters.fromBytes(set.toBytes());
    assertThat(read).isEqualTo(set);
    assertThat(read.mightContain("key")).isTrue();
  }
}
