package dev.bellows.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.KeyFilter;
import dev.bellows.Layout;
import dev.bellows.Membership;
import dev.bellows.Pattern;
import dev.bellows.Repository;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.durable.Deltas;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The files of spec/vectors, one per kind and version: they stay readable in all future versions,
 * and the same keys give the same bytes. {@code -Dbellows.golden.write} writes those that are
 * missing.
 */
class GoldenFilesTest {
  private static final HashScheme KEYED =
      HashScheme.sipHash(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});

  static final Map<String, Supplier<Filter>> FILES = new LinkedHashMap<>();

  static {
    FILES.put("bloom-empty", () -> BloomFilter.create(100, 0.01));
    FILES.put(
        "bloom-classic-840",
        () ->
            words(BloomFilter.builder().bits(840).hashes(4).layout(Layout.Family.CLASSIC).build()));
    for (int words = 1; words <= 8; words *= 2) {
      for (int bits = 1; bits <= Pattern.MAX_BITS; bits++) {
        Pattern pattern = new Pattern(words, bits);
        FILES.put(
            "bloom-blocked-" + pattern,
            () ->
                words(
                    BloomFilter.builder()
                        .bits(3072)
                        .layout(new Layout.Blocked(pattern))
                        .seed(-7)
                        .build()));
      }
    }
    FILES.put(
        "bloom-siphash",
        () -> words(BloomFilter.builder().keys(100).fpp(0.01).hashScheme(KEYED).build()));
    FILES.put(
        "bloom-identified",
        () -> words(BloomFilter.builder().keys(100).fpp(0.01).id(0x1234).build()).foldBy(2));
    for (Mode mode : Mode.values()) {
      String name = mode == Mode.PUBLISHED ? "published" : "exact";
      FILES.put("partition-" + name, () -> ids(mode, 0));
      FILES.put("partition-view-" + name, () -> ids(mode, 0).view());
      FILES.put(
          "partition-view-merged-" + name,
          () -> {
            PartitionView some = ids(mode, 5).view();
            return ids(mode, 0).view().intersection(some).union(some);
          });
      FILES.put(
          "partition-compact-" + name,
          () -> ids(mode, 0).view().union(ids(mode, 5).view()).compact());
      FILES.put("partition-compact-mixed-" + name, () -> denseAndSparse(mode));
    }
    FILES.put(
        "scalable",
        () -> words(ScalableBloomFilter.builder().initialKeys(20).horizonKeys(1000).build()));
    FILES.put(
        "scalable-classic-compact",
        () ->
            words(
                    ScalableBloomFilter.builder()
                        .initialKeys(8)
                        .fpp(0.1)
                        .layout(Layout.Family.CLASSIC)
                        .seed(3)
                        .build())
                .compact());
    FILES.put(
        "scalable-intersection",
        () -> {
          ScalableBloomFilter one = words(ScalableBloomFilter.builder().initialKeys(20).build());
          return one.intersection(one);
        });
    FILES.put("fingerprint", () -> words(FingerprintFilter.create(0.01)));
    FILES.put("fingerprint-empty", () -> FingerprintFilter.builder().fpp(1e-6).seed(9).build());
    FILES.put(
        "fingerprint-removable",
        () -> words(words(FingerprintFilter.builder().fpp(0.05).removable().seed(2).build())));
    FILES.put(
        "fingerprint-cut",
        () -> {
          FingerprintFilter filter = words(FingerprintFilter.builder().fpp(1e-6).seed(4).build());
          for (long key = 0; key < 3000; key++) {
            filter.put(key);
          }
          return filter.foldToFpp(0.007);
        });
    FILES.put(
        "fingerprint-cut-touched",
        () -> {
          FingerprintFilter filter = words(FingerprintFilter.builder().fpp(1e-6).seed(4).build());
          for (long key = 0; key < 2950; key++) {
            filter.put(key);
          }
          FingerprintFilter cut = filter.foldToFpp(0.007);
          for (long key = 2950; key < 3000; key++) {
            cut.put(key);
          }
          return cut;
        });
    FILES.put(
        "fingerprint-copies",
        () -> {
          // so few bits beyond the bucket that the first keys have none left
          FingerprintFilter filter = words(FingerprintFilter.create(0.9));
          for (long key = 0; key < 8000; key++) {
            filter.put(key);
          }
          return filter;
        });
    windows();
    FILES.put(
        "partition-intersection",
        () -> {
          // half of the ids of a unit are in only one of the two: leaves reserve room for them
          DynamicPartitionBloomFilter even = ids(Mode.PUBLISHED, 0);
          DynamicPartitionBloomFilter odd = ids(Mode.PUBLISHED, 0);
          for (long id = 0; id < 1000; id += 2) {
            even.putId(id);
            odd.putId(id + 1);
          }
          return even.intersection(odd);
        });
    FILES.put("delta-hashes", Deltas::hashes);
    FILES.put("delta-content", Deltas::content);
    FILES.put("delta-times", Deltas::times);
    FILES.put("autoscaling-empty", () -> AutoscalingBloomFilter.create(20, 3));
    FILES.put("autoscaling-tuned", () -> words(AutoscalingBloomFilter.create(1000, 30)));
    FILES.put(
        "autoscaling-fixed",
        () ->
            words(
                AutoscalingBloomFilter.builder()
                    .bits(509)
                    .hashes(20)
                    .thresholds(2, 13)
                    .counterBits(8)
                    .seed(5)
                    .build()));
    FILES.put(
        "autoscaling-cost",
        () ->
            words(
                AutoscalingBloomFilter.builder()
                    .bits(700)
                    .hashes(12)
                    .criterion(Criterion.cost(2, 1, 0.25))
                    .minTpr(0.9)
                    .build()));
    FILES.put(
        "autoscaling-complement",
        () ->
            words(AutoscalingBloomFilter.builder().bits(40).hashes(30).thresholds(0, 30).build()));
    FILES.put("binarized", () -> words(AutoscalingBloomFilter.create(1000, 30)).binarize());
    for (Layout layout : List.of(new Layout.Classic(9), new Layout.Blocked(2, 3))) {
      String name = layout instanceof Layout.Classic ? "classic" : "blocked";
      FILES.put(
          "binarized-counting-" + name,
          () ->
              CountingReading.of(
                      words(CountingBloomFilter.builder().layout(layout).bits(1024).build()),
                      new ThresholdPlan.Rule.Fixed(1, 5))
                  .binarize());
    }
  }

  static {
    FILES.put(
        "counting-classic-840-4",
        () ->
            words(
                CountingBloomFilter.builder()
                    .bits(840)
                    .hashes(4)
                    .layout(Layout.Family.CLASSIC)
                    .build()));
    FILES.put(
        "counting-blocked-8-saturating",
        () ->
            words(
                CountingBloomFilter.builder()
                    .bits(1024)
                    .hashes(8)
                    .counterBits(8)
                    .saturating()
                    .build()));
    FILES.put(
        "counting-identified",
        () ->
            words(
                    CountingBloomFilter.builder()
                        .bits(840)
                        .hashes(4)
                        .layout(Layout.Family.CLASSIC)
                        .id(0x4321)
                        .build())
                .foldBy(2));
    FILES.put(
        "elastic-bits",
        () -> words(ElasticBloomFilter.builder().capacity(512 * 24).fpp(0.01).id(9).build()));
    FILES.put(
        "elastic-counting-frozen",
        () -> {
          ElasticBloomFilter filter =
              words(
                  ElasticBloomFilter.builder()
                      .capacity(5040)
                      .fpp(0.05)
                      .tolerance(0.02)
                      .layout(Layout.Family.CLASSIC)
                      .counting(4)
                      .policy(FoldPolicy.GREEDY)
                      .build());
          filter.remove("word 0");
          filter.freeze();
          return filter;
        });
  }

  static {
    FILES.put(
        "folded-two",
        () -> {
          BloomFilter filter = words(BloomFilter.builder().bits(15_360).hashes(8).id(11).build());
          return FoldedFilters.of(filter.foldBy(5)).with(filter.foldBy(6));
        });
    FILES.put(
        "parts-two",
        () -> {
          BloomFilter filter = words(BloomFilter.builder().bits(15_360).hashes(8).id(11).build());
          return FoldedFilters.of(filter.foldBy(5), 300).with(filter.foldBy(6));
        });
  }

  /** The same kinds in the full form, and the key types. */
  static {
    FILES.put(
        "full-bloom-classic",
        () ->
            words(
                BloomFilter.builder()
                    .bits(10_080)
                    .hashes(7)
                    .layout(Layout.Family.CLASSIC)
                    .build()));
    FILES.put("full-bloom-blocked", () -> words(BloomFilter.create(1000, 0.01)));
    FILES.put("full-bloom-identified", () -> words(identified()).foldBy(2));
    // more than one piece of 2^20 bytes, the last one shorter
    FILES.put(
        "full-bloom-pieces",
        () -> words(BloomFilter.builder().bits(512 * 16_500).hashes(6).build()));
    FILES.put(
        "full-counting",
        () -> words(CountingBloomFilter.builder().keys(300).fpp(0.01).counterBits(8).build()));
    FILES.put(
        "full-elastic-sent",
        () -> {
          ElasticBloomFilter filter =
              words(
                  ElasticBloomFilter.builder()
                      .capacity(512 * 360)
                      .fpp(0.01)
                      .policy(FoldPolicy.ENTROPY)
                      .id(77)
                      .build());
          filter.snapshot();
          filter.snapshot();
          return filter;
        });
    FILES.put("full-autoscaling", () -> words(AutoscalingBloomFilter.create(5000, 30)));
    FILES.put("full-binarized", () -> words(AutoscalingBloomFilter.create(9000, 30)).binarize());
    FILES.put(
        "full-scalable", () -> words(ScalableBloomFilter.builder().initialKeys(1000).build()));
    FILES.put(
        "full-folded",
        () -> {
          BloomFilter filter = words(identified());
          return FoldedFilters.of(filter.foldBy(2)).with(filter.foldBy(3));
        });
    for (Mode mode : Mode.values()) {
      String name = mode == Mode.PUBLISHED ? "published" : "exact";
      FILES.put("full-partition-" + name, () -> manyIds(mode));
      FILES.put("full-partition-view-" + name, () -> manyIds(mode).view());
    }
    for (KeyType type : KeyType.values()) {
      FILES.put(
          "key-type-" + type.name().toLowerCase(Locale.ROOT),
          () ->
              words(
                  BloomFilter.builder()
                      .bits(3072)
                      .hashes(6)
                      .hashScheme(HashScheme.DEFAULT.withKeyType(type))
                      .build()));
    }
  }

  static {
    FILES.put("frozen", () -> frozen(0.01, HashScheme.DEFAULT, 0));
    FILES.put("frozen-empty", () -> FrozenFilter.builder().build(new long[0]));
    FILES.put("frozen-siphash", () -> frozen(0.004, KEYED, 0));
    FILES.put("frozen-sent", () -> frozen(0.001, HashScheme.xxh3(-3), 9).withSentFpp(0.2));
    // three layers, and one more column in some of the rows
    FILES.put("frozen-layers", () -> frozen(0.3, HashScheme.xxh3(8), 25_000));
    FILES.put("frozen-segments", () -> frozen(0.5, HashScheme.DEFAULT, 150_000));
    FILES.put(
        "frozen-prefixes",
        () -> words(FingerprintFilter.builder().fpp(1e-4).seed(1).build()).freeze(0.02));
    FILES.put("frozen-part", () -> frozen(0.01, HashScheme.DEFAULT, 2000).part(1, 0.1));
    FILES.put("frozen-part-next", () -> frozen(0.01, HashScheme.DEFAULT, 900).part(0.1, 0.01));
  }

  /** The words and longs that all files hold, and more longs. */
  private static FrozenFilter frozen(double fpp, HashScheme scheme, int more) {
    long[] hashes = new long[100 + more];
    for (int i = 0; i < 50; i++) {
      hashes[2 * i] = scheme.hash("word " + i);
      hashes[2 * i + 1] = scheme.hash((long) i);
    }
    for (int i = 0; i < more; i++) {
      hashes[100 + i] = scheme.hash(1_000_000L + i);
    }
    return FrozenFilter.builder().fpp(fpp).hashScheme(scheme).build(hashes);
  }

  private static BloomFilter identified() {
    return BloomFilter.builder().bits(512 * 60).hashes(6).id(0x5678).build();
  }

  private static DynamicPartitionBloomFilter manyIds(Mode mode) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(100_000)
            .depth(8)
            .fpp(0.01)
            .mode(mode)
            .build();
    for (long i = 0; i < 2000; i++) {
      filter.putId(i * i % 100_000);
    }
    return filter;
  }

  /** A compact view that also has a leaf whose range is too large for a bitmap. */
  private static PartitionView denseAndSparse(Mode mode) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(1_000_000)
            .depth(14)
            .fpp(0.01)
            .mode(mode)
            .build();
    for (long i = 0; i < 100; i++) {
      filter.putId(i * i % 1000);
      filter.putId(3 * i);
      filter.putId(999_999 - 9973 * (i % 10));
    }
    return filter.view().compact();
  }

  private static DynamicPartitionBloomFilter ids(Mode mode, long shift) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder().universe(1000).depth(6).fpp(0.01).mode(mode).build();
    for (long i = 0; i < 50; i++) {
      filter.putId((i * i + shift) % 1000);
    }
    return filter;
  }

  static {
    RangeSchema.Domain age = RangeSchema.Domain.of(1, 120);
    RangeSchema.Domain longitude = new RangeSchema.Domain(-1_800_000, 1_800_000, 4, false);
    FILES.put(
        "range-profile",
        () ->
            person(
                RangeSchema.of(
                        512,
                        8,
                        RangeSchema.Attribute.overlapping("age", age, 8, 3),
                        RangeSchema.Attribute.divisionOverlapping(
                            "longitude", longitude, 8, 100, 1),
                        RangeSchema.Attribute.division(
                            "year", RangeSchema.Domain.ofSize(201), 7, 4),
                        RangeSchema.Attribute.plain("size", age, 2))
                    .withTexts("name", "town")));
    FILES.put(
        "full-range",
        () ->
            person(
                RangeSchema.of(
                        20_000,
                        6,
                        RangeSchema.Attribute.overlapping("age", age, 8, 3),
                        RangeSchema.Attribute.divisionOverlapping("longitude", longitude, 6, 9, 2),
                        RangeSchema.Attribute.division(
                            "year", RangeSchema.Domain.ofSize(201), 7, 4),
                        RangeSchema.Attribute.plain("size", age, 2))
                    .open()));
  }

  private static void windows() {
    FILES.put("window", () -> words(at(WindowFilter.builder().keys(1500).seed(5).dropLate())));
    FILES.put(
        "window-empty", () -> WindowFilter.builder().window(Duration.ofHours(24)).keys(10).build());
    FILES.put(
        "window-three",
        () -> spread(at(WindowFilter.builder().generations(3).keys(150).fpp(1e-6).keepFirst())));
    FILES.put("window-fifteen", () -> spread(at(WindowFilter.builder().generations(15).keys(300))));
    FILES.put("window-elastic", () -> spread(at(WindowFilter.builder().keys(10).elastic(3))));
    FILES.put("window-prefixes", () -> words(at(WindowFilter.builder().seed(5).refuseAhead())));
    FILES.put(
        "window-prefixes-empty",
        () -> WindowFilter.builder().window(Duration.ofMinutes(7)).fpp(1e-6).build());
    FILES.put("window-prefixes-fifteen", () -> spread(at(WindowFilter.builder().generations(15))));
    FILES.put(
        "window-prefixes-cut",
        () -> spread(at(WindowFilter.builder().generations(3).fpp(1e-7))).foldToFpp(0.04));
  }

  private static final long WINDOW_MILLIS = 1_700_000_000_123L;

  private static WindowFilter at(WindowFilter.Builder builder) {
    WindowFilter filter = builder.window(Duration.ofHours(24)).build();
    filter.advanceTo(Instant.ofEpochMilli(WINDOW_MILLIS));
    return filter;
  }

  /** Words in several generations of a day, and keys that have expired. */
  private static WindowFilter spread(WindowFilter filter) {
    long day = Duration.ofHours(24).toMillis();
    for (long i = 0; i < 200; i++) {
      filter.put("gone " + i, Instant.ofEpochMilli(WINDOW_MILLIS + i));
    }
    for (long i = 0; i < 200; i++) {
      filter.put(i + 1000, Instant.ofEpochMilli(WINDOW_MILLIS + day + i * (day / 200)));
    }
    for (int i = 0; i < 50; i++) {
      filter.put("word " + i, Instant.ofEpochMilli(WINDOW_MILLIS + day + i * (day / 70)));
      filter.put((long) i, Instant.ofEpochMilli(WINDOW_MILLIS + day + i * (day / 60)));
    }
    return filter;
  }

  private static RangeBloomFilter person(RangeSchema schema) {
    RangeBloomFilter filter = RangeBloomFilter.create(schema, HashScheme.xxh3(3));
    filter.put("name", "Ada");
    filter.putRange("age", 10, 19);
    filter.putRange("longitude", -1, 0);
    filter.putRange("year", 1990, 2009);
    filter.put("size", 120);
    return filter;
  }

  /** Puts texts and longs, also into a filter whose key type accepts only one of them. */
  private static <F extends KeyFilter> F words(F filter) {
    HashScheme scheme = filter.hashScheme().withKeyType(KeyType.UNKNOWN);
    for (int i = 0; i < 50; i++) {
      filter.putHash(scheme.hash("word " + i));
      filter.putHash(scheme.hash((long) i));
    }
    return filter;
  }

  @TestFactory
  Stream<DynamicTest> everyGoldenFileIsReadAndWrittenUnchanged() {
    return FILES.entrySet().stream()
        .map(e -> dynamicTest(e.getKey(), () -> check(e.getKey(), e.getValue().get())));
  }

  private static void check(String name, Filter expected) throws IOException {
    Path path = Repository.path("spec/vectors/" + name + ".bellows");
    if (System.getProperty("bellows.golden.write") != null && !Files.exists(path)) {
      expected.writeTo(path);
    }
    Filter read =
        Filters.readFrom(path, ReadOptions.DEFAULT.withHashScheme(expected.stats().hashScheme()));
    assertThat(read).isEqualTo(expected);
    assertThat(Arrays.mismatch(expected.toBytes(), Files.readAllBytes(path))).isEqualTo(-1);
    if (read instanceof Membership filter && !name.contains("empty")) {
      HashScheme scheme = filter.hashScheme().withKeyType(KeyType.UNKNOWN);
      assertThat(filter.mightContainHash(scheme.hash("word 7"))).isTrue();
      assertThat(filter.mightContainHash(scheme.hash(49L))).isTrue();
    }
    if (read instanceof GradedMembership filter) {
      GradedMembership asked = (GradedMembership) expected;
      assertThat(filter.decision()).isEqualTo(asked.decision());
      for (long key = 0; key < 100; key++) {
        assertThat(filter.accepts(key)).isEqualTo(asked.accepts(key));
      }
    }
  }

  @Test
  void everyKindHasAGoldenFileAndNoFileIsLeftOver() throws IOException {
    assertThat(FILES.values().stream().map(maker -> maker.get().kind()))
        .contains(FilterKind.values());
    try (Stream<Path> files = Files.list(Repository.path("spec/vectors"))) {
      assertThat(
              files.map(path -> path.getFileName().toString()).filter(n -> n.contains("bellows")))
          .containsExactlyInAnyOrderElementsOf(
              FILES.keySet().stream().map(name -> name + ".bellows").toList());
    }
  }

  /** A change of hashing or positions cannot go unnoticed, because it would change these counts. */
  @Test
  void theExactNumberOfFalsePositivesIsPinned() {
    assertThat(falsePositives(new Layout.Classic(7), 96_768)).isEqualTo(PINNED_CLASSIC);
    assertThat(falsePositives(new Layout.Blocked(2, 3), 104_448)).isEqualTo(PINNED_BLOCKED);
    assertThat(falsePositives(new Layout.Blocked(4, 3), 229_376)).isEqualTo(PINNED_FOUR_WORDS);
  }

  private static final int PINNED_CLASSIC = 9363;
  private static final int PINNED_BLOCKED = 9324;
  private static final int PINNED_FOUR_WORDS = 93;

  private static int falsePositives(Layout layout, long bits) {
    BloomFilter filter = BloomFilter.builder().bits(bits).layout(layout).build();
    for (int i = 0; i < 10_000; i++) {
      filter.put("pinned " + i);
    }
    int count = 0;
    for (int i = 0; i < 1_000_000; i++) {
      count += filter.mightContain("absent " + i) ? 1 : 0;
    }
    return count;
  }
}
