package dev.bellows;

import dev.bellows.Foldable.FoldSize;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.durable.Deltas;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.io.FilterKind;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Examples of every kind of filter: the single list for tests of properties that hold for all
 * kinds. A new kind adds its examples here.
 */
public final class AllKinds {
  private AllKinds() {}

  /**
   * A filter, created anew on each call.
   *
   * @param kind its kind
   * @param name what is special about it
   * @param maker makes it
   */
  public record Example(FilterKind kind, String name, Supplier<Filter> maker) {
    public Filter filter() {
      return maker.get();
    }

    @Override
    public String toString() {
      return kind.word() + ", " + name;
    }
  }

  private static final class Examples {
    private final List<Example> list = new ArrayList<>();

    void add(FilterKind kind, String name, Supplier<Filter> maker) {
      list.add(new Example(kind, name, maker));
    }
  }

  /** Small examples of every kind, filled and empty, whose files have a few hundred bytes. */
  public static List<Example> examples() {
    Examples all = new Examples();
    ofBits(all);
    ofCounters(all);
    ofThresholds(all);
    ofIds(all);
    ofLevels(all);
    ofPrefixes(all);
    ofColumns(all);
    ofRanges(all);
    ofWindows(all);
    all.add(FilterKind.DELTA, "hashes", Deltas::hashes);
    all.add(FilterKind.DELTA, "times", Deltas::times);
    all.add(FilterKind.DELTA, "nothing", Deltas::nothing);
    all.add(FilterKind.DELTA, "content", Deltas::content);
    return all.list;
  }

  /** The largest and the emptiest filter of every kind, which are the hardest to write and read. */
  public static List<Example> extremes() {
    Examples all = new Examples();
    extremeBits(all);
    extremeElastic(all);
    extremeThresholds(all);
    extremeIds(all);
    extremeLevels(all);
    extremePrefixes(all);
    extremeColumns(all);
    extremeRanges(all);
    extremeWindows(all);
    all.add(FilterKind.DELTA, "many levels", Deltas::levels);
    all.add(FilterKind.DELTA, "chunks with copies", Deltas::chunks);
    return all.list;
  }

  /** Both lists. */
  public static Stream<Example> all() {
    return Stream.concat(examples().stream(), extremes().stream());
  }

  private static <F extends KeyFilter> F fill(F filter, int keys) {
    for (long i = 0; i < keys; i++) {
      filter.put(i);
    }
    return filter;
  }

  private static BloomFilter.Builder classic() {
    return BloomFilter.builder().bits(840).hashes(4).layout(Layout.Family.CLASSIC);
  }

  private static void ofBits(Examples all) {
    byte[] secret = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    all.add(FilterKind.BLOOM, "blocked", () -> fill(BloomFilter.create(100, 0.01), 60));
    all.add(FilterKind.BLOOM, "classic", () -> fill(classic().build(), 60));
    all.add(FilterKind.BLOOM, "empty", () -> BloomFilter.create(1, 0.1));
    all.add(FilterKind.BLOOM, "with an id", () -> fill(classic().id(-5).build(), 60));
    all.add(FilterKind.BLOOM, "a folding", () -> fill(classic().id(8).build(), 60).foldBy(3));
    all.add(FilterKind.BLOOM, "empty with an id", () -> classic().id(8).build());
    all.add(
        FilterKind.BLOOM,
        "keyed",
        () -> fill(classic().hashScheme(HashScheme.sipHash(secret)).build(), 60));
    all.add(
        FilterKind.FOLDED,
        "two foldings",
        () -> {
          BloomFilter origin = fill(BloomFilter.builder().bits(3072).hashes(8).id(1).build(), 9);
          return FoldedFilters.of(origin.foldBy(2)).with(origin.foldBy(3));
        });
    all.add(
        FilterKind.FOLDED,
        "one, of nothing",
        () -> FoldedFilters.of(classic().id(Long.MIN_VALUE).build()));
    all.add(
        FilterKind.PARTS,
        "two parts",
        () -> {
          BloomFilter origin = fill(BloomFilter.builder().bits(3072).hashes(8).id(1).build(), 9);
          return FoldedFilters.of(origin.foldBy(2), 9).with(origin.foldBy(3));
        });
    all.add(
        FilterKind.PARTS,
        "one of the first version",
        () -> FoldedFilters.of(classic().id(5).build(), 0));
  }

  private static CountingBloomFilter.Builder counters() {
    return CountingBloomFilter.builder().bits(210).hashes(4).layout(Layout.Family.CLASSIC);
  }

  private static void ofCounters(Examples all) {
    all.add(FilterKind.COUNTING, "classic", () -> fill(counters().build(), 60));
    all.add(FilterKind.COUNTING, "empty", () -> counters().build());
    all.add(
        FilterKind.COUNTING,
        "blocked, saturated",
        () -> {
          CountingBloomFilter filter =
              CountingBloomFilter.builder().bits(512).hashes(8).saturating().id(3).build();
          for (int i = 0; i < 20; i++) {
            filter.put("often");
          }
          return filter;
        });
    all.add(
        FilterKind.COUNTING,
        "widened",
        () -> {
          CountingBloomFilter filter = fill(counters().build(), 20);
          for (int i = 0; i < 300; i++) {
            filter.put("often");
          }
          return filter;
        });
    all.add(FilterKind.COUNTING, "a folding", () -> fill(counters().id(4).build(), 30).foldBy(2));
    all.add(
        FilterKind.ELASTIC,
        "bits",
        () -> fill(ElasticBloomFilter.builder().capacity(4096).fpp(0.1).id(6).build(), 60));
    all.add(FilterKind.ELASTIC, "counters", () -> fill(elastic().counting(4).build(), 40));
    all.add(
        FilterKind.ELASTIC,
        "frozen",
        () -> {
          ElasticBloomFilter filter = fill(elastic().counting(4).id(2).build(), 20);
          filter.freeze();
          return filter;
        });
    all.add(FilterKind.ELASTIC, "empty", () -> elastic().policy(FoldPolicy.ENTROPY).build());
  }

  private static ElasticBloomFilter.Builder elastic() {
    return ElasticBloomFilter.builder().capacity(840).fpp(0.05).layout(Layout.Family.CLASSIC);
  }

  private static void ofThresholds(Examples all) {
    Supplier<AutoscalingBloomFilter> tuned =
        () ->
            fill(
                AutoscalingBloomFilter.builder()
                    .bits(101)
                    .hashes(7)
                    .criterion(Criterion.cost(1, 2, 0.5))
                    .minTpr(0.9)
                    .build(),
                60);
    Supplier<AutoscalingBloomFilter> fixed =
        () ->
            fill(
                AutoscalingBloomFilter.builder()
                    .bits(40)
                    .hashes(30)
                    .thresholds(2, 20)
                    .counterBits(4)
                    .build(),
                40);
    all.add(FilterKind.AUTOSCALING, "tuned", tuned::get);
    all.add(FilterKind.AUTOSCALING, "fixed, saturated", fixed::get);
    all.add(FilterKind.AUTOSCALING, "empty", () -> AutoscalingBloomFilter.create(20, 3));
    all.add(FilterKind.BINARIZED, "of tuned", () -> tuned.get().binarize());
    all.add(FilterKind.BINARIZED, "of fixed", () -> fixed.get().binarize());
    all.add(FilterKind.BINARIZED, "empty", () -> AutoscalingBloomFilter.create(20, 3).binarize());
    ThresholdPlan.Rule rule = new ThresholdPlan.Rule.Fixed(2, 4);
    for (Layout layout : List.of(new Layout.Classic(7), new Layout.Blocked(2, 3))) {
      Supplier<CountingBloomFilter> counting =
          () -> CountingBloomFilter.builder().layout(layout).bits(1024).build();
      all.add(
          FilterKind.BINARIZED_COUNTING,
          layout.toString(),
          () -> CountingReading.of(fill(counting.get(), 300), rule).binarize());
      all.add(
          FilterKind.BINARIZED_COUNTING,
          layout + ", empty",
          () -> CountingReading.of(counting.get(), rule).binarize());
    }
  }

  private static DynamicPartitionBloomFilter ids(Mode mode, int count) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder().universe(1000).depth(6).mode(mode).build();
    for (long i = 0; i < count; i++) {
      filter.putId(i * i % 1000);
    }
    return filter;
  }

  private static void ofIds(Examples all) {
    for (Mode mode : Mode.values()) {
      all.add(FilterKind.PARTITION, mode.word(), () -> ids(mode, 30));
      all.add(FilterKind.PARTITION, mode.word() + ", empty", () -> ids(mode, 0));
      all.add(FilterKind.PARTITION_VIEW, mode.word(), () -> ids(mode, 30).view());
      all.add(FilterKind.PARTITION_VIEW, mode.word() + ", empty", () -> ids(mode, 0).view());
      all.add(
          FilterKind.PARTITION_VIEW,
          mode.word() + ", merged",
          () -> {
            PartitionView few = ids(mode, 9).view();
            return ids(mode, 20).view().intersection(few).union(few);
          });
      all.add(
          FilterKind.PARTITION_COMPACT,
          mode.word() + ", a dense part",
          () -> ids(mode, 200).view().compact());
      all.add(
          FilterKind.PARTITION_COMPACT,
          mode.word() + ", united",
          () -> ids(mode, 200).view().compact().union(ids(mode, 9).view()));
    }
  }

  private static ScalableBloomFilter.Builder scalable() {
    return ScalableBloomFilter.builder().initialKeys(10).horizonKeys(100).fpp(0.1);
  }

  private static void ofLevels(Examples all) {
    all.add(FilterKind.SCALABLE, "two levels", () -> fill(scalable().build(), 18));
    all.add(FilterKind.SCALABLE, "empty", () -> scalable().build());
    all.add(
        FilterKind.SCALABLE,
        "classic, compact",
        () -> fill(scalable().layout(Layout.Family.CLASSIC).build(), 40).compact());
    all.add(
        FilterKind.SCALABLE,
        "intersection",
        () -> fill(scalable().build(), 18).intersection(fill(scalable().build(), 7)));
  }

  private static FingerprintFilter.Builder removable() {
    return FingerprintFilter.builder().fpp(0.1).removable();
  }

  private static void ofPrefixes(Examples all) {
    all.add(FilterKind.FINGERPRINT, "a set", () -> fill(FingerprintFilter.create(0.01), 40));
    all.add(FilterKind.FINGERPRINT, "empty", () -> FingerprintFilter.create(0.004));
    all.add(
        FilterKind.FINGERPRINT,
        "removable, some twice",
        () -> fill(fill(removable().build(), 50), 20));
    all.add(
        FilterKind.FINGERPRINT,
        "cut to two lengths",
        () -> fill(FingerprintFilter.create(1e-4), 600).foldToFpp(0.1));
  }

  private static void extremePrefixes(Examples all) {
    all.add(
        FilterKind.FINGERPRINT,
        "so often that it stays",
        () -> {
          FingerprintFilter filter = fill(removable().build(), 900);
          for (int i = 0; i < 400; i++) {
            filter.put("often");
          }
          return filter;
        });
    all.add(
        FilterKind.FINGERPRINT,
        "prefixes of 63 bits",
        () -> fill(FingerprintFilter.create(1e-15), 3000));
    all.add(
        FilterKind.FINGERPRINT,
        "prefixes that ended, and their copies",
        () -> fill(fill(FingerprintFilter.create(0.9), 20_000), 20));
    all.add(
        FilterKind.FINGERPRINT,
        "hashes that agree",
        () -> {
          FingerprintFilter filter = FingerprintFilter.create(0.001);
          for (long i = 0; i < 3000; i++) {
            filter.putHash(i);
          }
          return filter;
        });
    all.add(
        FilterKind.FINGERPRINT,
        "emptied",
        () -> {
          FingerprintFilter filter = fill(removable().build(), 5000);
          for (long i = 0; i < 5000; i++) {
            filter.remove(i);
          }
          return filter;
        });
    all.add(
        FilterKind.FINGERPRINT,
        "a large one with a small one of short prefixes",
        () ->
            fill(FingerprintFilter.create(0.5), 300)
                .union(fill(FingerprintFilter.create(1e-6), 30_000)));
  }

  /** A frozen filter of the first longs. */
  private static FrozenFilter frozen(int keys, double fpp) {
    return FrozenFilter.builder().fpp(fpp).buildFrom(LongStream.range(0, keys).toArray());
  }

  private static void ofColumns(Examples all) {
    byte[] secret = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    all.add(FilterKind.FROZEN, "one layer", () -> frozen(100, 0.01));
    all.add(FilterKind.FROZEN, "two layers", () -> frozen(1200, 0.1));
    all.add(FilterKind.FROZEN, "empty", () -> frozen(0, 0.01));
    all.add(FilterKind.FROZEN, "partly sent", () -> frozen(60, 0.01).withSentFpp(0.3));
    all.add(
        FilterKind.FROZEN,
        "keyed",
        () ->
            FrozenFilter.builder()
                .hashScheme(HashScheme.sipHash(secret))
                .buildFrom(List.of("a", "b"), KeyHasher.TEXT));
    all.add(
        FilterKind.FROZEN,
        "of prefixes",
        () -> fill(FingerprintFilter.create(1e-4), 400).freeze(0.05));
    all.add(FilterKind.FROZEN_PART, "the first", () -> frozen(1200, 0.01).part(1, 0.5));
    all.add(FilterKind.FROZEN_PART, "a further one", () -> frozen(300, 0.01).part(0.25, 0.02));
    all.add(FilterKind.FROZEN_PART, "all of it", () -> frozen(90, 0.1).part(1, 0.1));
    all.add(FilterKind.FROZEN_PART, "of nothing", () -> frozen(0, 0.1).part(1, 0.1));
  }

  private static void extremeColumns(Examples all) {
    all.add(FilterKind.FROZEN, "one key", () -> frozen(1, 0.5));
    all.add(FilterKind.FROZEN, "as many columns as there may be", () -> frozen(1, 1.4e-17));
    all.add(FilterKind.FROZEN, "no whole column", () -> frozen(3000, 0.01).foldToFpp(0.9));
    all.add(FilterKind.FROZEN, "several segments", () -> frozen(300_000, 0.02));
    all.add(
        FilterKind.FROZEN,
        "hashes that agree",
        () -> FrozenFilter.builder().fpp(0.001).build(LongStream.range(0, 30_000).toArray()));
    all.add(
        FilterKind.FROZEN_PART,
        "a megabyte behind the first column",
        () -> frozen(300_000, 1e-9).part(0.5, 1e-9));
    all.add(FilterKind.FROZEN_PART, "no column", () -> frozen(2000, 0.01).part(0.25, 0.25));
  }

  private static final Instant WINDOW_TIME = Instant.parse("2026-03-01T10:20:30.456Z");

  private static WindowFilter.Builder window(int generations) {
    return WindowFilter.builder().window(Duration.ofHours(1)).generations(generations).fpp(0.02);
  }

  /** A window with keys in several generations. */
  private static WindowFilter spread(WindowFilter.Builder builder, int keys) {
    WindowFilter filter = builder.build();
    for (long i = 0; i < keys; i++) {
      filter.put(i, WINDOW_TIME.plusSeconds(60 * i));
    }
    return filter;
  }

  private static void ofWindows(Examples all) {
    all.add(FilterKind.WINDOW, "a ring", () -> spread(window(3).keys(40), 40));
    all.add(FilterKind.WINDOW, "a ring, not begun", () -> window(3).keys(10).build());
    all.add(
        FilterKind.WINDOW,
        "all rules, and a late key",
        () -> {
          WindowFilter filter = spread(window(3).keys(10).dropLate().refuseAhead().keepFirst(), 20);
          filter.put(1, Instant.EPOCH);
          return filter;
        });
    all.add(
        FilterKind.WINDOW,
        "elastic, unfolded",
        () -> {
          WindowFilter filter = window(3).keys(10).elastic().build();
          for (long i = 0; i < 200; i++) {
            filter.put(i, WINDOW_TIME.plusSeconds(i * i / 10));
          }
          return filter;
        });
    all.add(FilterKind.WINDOW_PREFIXES, "prefixes", () -> spread(window(7), 90));
    all.add(FilterKind.WINDOW_PREFIXES, "prefixes, not begun", () -> window(15).build());
    all.add(
        FilterKind.WINDOW_PREFIXES, "cut", () -> spread(window(3).fpp(1e-5), 50).foldToFpp(0.05));
  }

  private static void extremeWindows(Examples all) {
    all.add(
        FilterKind.WINDOW,
        "fifteen generations of the least window",
        () -> {
          WindowFilter filter = window(15).window(Duration.ofMillis(15)).keys(3000).build();
          for (long i = 0; i < 5000; i++) {
            filter.putHash(i * 0x9e3779b97f4a7c15L, -8_000_000_000_000L + i / 100);
          }
          return filter;
        });
    all.add(
        FilterKind.WINDOW, "at the lowest rate", () -> spread(window(7).fpp(1e-13).keys(500), 300));
    all.add(
        FilterKind.WINDOW,
        "emptied by a jump",
        () -> {
          WindowFilter filter = spread(window(7).keys(3000), 3000);
          filter.advanceTo(WINDOW_TIME.plus(Duration.ofDays(900)));
          return filter;
        });
    all.add(
        FilterKind.WINDOW_PREFIXES,
        "emptied by a jump",
        () -> {
          WindowFilter filter = spread(window(7), 3000);
          filter.advanceTo(WINDOW_TIME.plus(Duration.ofDays(900)));
          return filter;
        });
    all.add(
        FilterKind.WINDOW_PREFIXES,
        "a burst, and what is left of it",
        () -> {
          WindowFilter filter = window(7).build();
          for (long i = 0; i < 20_000; i++) {
            filter.put(i, WINDOW_TIME.plusSeconds(i < 15_000 ? 0 : i - 15_000));
          }
          return filter;
        });
    all.add(
        FilterKind.WINDOW_PREFIXES,
        "hashes that agree",
        () -> {
          WindowFilter filter = window(15).fpp(1e-9).build();
          for (long i = 0; i < 4000; i++) {
            filter.putHash(i, WINDOW_TIME.toEpochMilli() + 400 * i);
          }
          return filter;
        });
  }

  private static void ofRanges(Examples all) {
    Attribute age = Attribute.divisionOverlapping("age", Domain.of(1, 120), 8, 2, 3);
    Attribute b = Attribute.overlapping("b", Domain.of(0, 1000), 5, 2);
    all.add(
        FilterKind.RANGE,
        "numbers and texts",
        () -> {
          RangeSchema schema = RangeSchema.of(1000, 4, age, b).withTexts("name", "city");
          RangeBloomFilter filter = RangeBloomFilter.create(schema);
          filter.putRange("age", 10, 20);
          filter.putRange("b", 7, 300);
          filter.put("name", "Ada");
          return filter;
        });
    all.add(
        FilterKind.RANGE,
        "open",
        () -> {
          RangeBloomFilter filter = RangeBloomFilter.create(RangeSchema.of(64, 2, age).open());
          filter.put("whatever", "text");
          return filter;
        });
    all.add(FilterKind.RANGE, "empty", () -> RangeBloomFilter.create(RangeSchema.of(1, 1)));
  }

  private static void extremeBits(Examples all) {
    all.add(
        FilterKind.BLOOM,
        "one bit",
        () ->
            fill(BloomFilter.builder().bits(1).hashes(1).layout(Layout.Family.CLASSIC).build(), 1));
    all.add(
        FilterKind.BLOOM,
        "as many hashes as there may be",
        () ->
            fill(
                BloomFilter.builder()
                    .bits(99_991)
                    .hashes(1 << 16)
                    .layout(Layout.Family.CLASSIC)
                    .build(),
                1));
    all.add(
        FilterKind.BLOOM,
        "some megabytes",
        () -> fill(BloomFilter.builder().bits(512 * 70_000).hashes(16).id(1).build(), 1000));
    all.add(
        FilterKind.COUNTING,
        "one counter, full width, saturated",
        () -> {
          CountingBloomFilter filter =
              CountingBloomFilter.builder()
                  .bits(1)
                  .hashes(1)
                  .layout(Layout.Family.CLASSIC)
                  .counterBits(16)
                  .saturating()
                  .build();
          return fill(filter, 70_000);
        });
    all.add(
        FilterKind.COUNTING,
        "widened to 32 bits and emptied",
        () -> {
          CountingBloomFilter filter = CountingBloomFilter.create(10_000, 0.01);
          for (int i = 0; i < 70_000; i++) {
            filter.put("often");
          }
          for (int i = 0; i < 70_000; i++) {
            filter.remove("often");
          }
          return filter;
        });
    for (long bits : new long[] {720_720, 512 * 5040}) {
      for (int keys : new int[] {0, 500}) {
        all.add(
            FilterKind.FOLDED,
            "every size of " + bits + " bits, " + keys + " keys",
            () -> {
              Layout.Family layout =
                  bits % 512 == 0 ? Layout.Family.BLOCKED : Layout.Family.CLASSIC;
              BloomFilter filter =
                  fill(
                      BloomFilter.builder().bits(bits).hashes(8).layout(layout).id(9).build(),
                      keys);
              FoldedFilters set = FoldedFilters.of(filter);
              for (FoldSize size : filter.ladder()) {
                set = set.with(filter.foldBy(size.factor()));
              }
              return set;
            });
        all.add(
            FilterKind.PARTS,
            "the last version of " + bits + " bits, " + keys + " keys",
            () -> {
              Layout.Family layout =
                  bits % 512 == 0 ? Layout.Family.BLOCKED : Layout.Family.CLASSIC;
              return FoldedFilters.of(
                  fill(
                      BloomFilter.builder().bits(bits).hashes(8).layout(layout).id(9).build(),
                      keys),
                  Long.MAX_VALUE);
            });
      }
    }
  }

  private static void extremeElastic(Examples all) {
    all.add(
        FilterKind.ELASTIC,
        "one block",
        () -> fill(ElasticBloomFilter.builder().capacity(512).fpp(0.01).build(), 3));
    all.add(
        FilterKind.ELASTIC,
        "far over its capacity",
        () -> fill(ElasticBloomFilter.builder().capacity(512 * 24).fpp(0.01).id(1).build(), 9000));
    for (FoldPolicy policy : FoldPolicy.values()) {
      for (int left : new int[] {0, 1, 700}) {
        for (boolean frozen : new boolean[] {false, true}) {
          all.add(
              FilterKind.ELASTIC,
              "%s, %d keys left%s".formatted(policy, left, frozen ? ", frozen" : ""),
              () -> {
                ElasticBloomFilter filter =
                    ElasticBloomFilter.builder()
                        .capacity(512 * 720)
                        .fpp(0.02)
                        .counting(4)
                        .policy(policy)
                        .id(left)
                        .build();
                fill(filter, 3000);
                for (long i = left; i < 3000; i++) {
                  filter.remove(i);
                }
                if (frozen) {
                  filter.freeze();
                }
                return filter;
              });
        }
      }
    }
  }

  private static void extremeThresholds(Examples all) {
    record Named(String name, AutoscalingBloomFilter filter) {}
    List<Supplier<Named>> cases =
        List.of(
            () -> new Named("one counter", fill(AutoscalingBloomFilter.create(1, 1), 5)),
            () -> new Named("every position", fill(AutoscalingBloomFilter.create(300, 300), 5)),
            () ->
                new Named(
                    "highest theta",
                    fill(
                        AutoscalingBloomFilter.builder()
                            .bits(99)
                            .hashes(3)
                            .thresholds((1L << 32) - 2, 3)
                            .build(),
                        5)),
            () ->
                new Named(
                    "accepts everything",
                    fill(
                        AutoscalingBloomFilter.builder()
                            .bits(99)
                            .hashes(3)
                            .thresholds(0, 0)
                            .build(),
                        5)),
            () -> {
              AutoscalingBloomFilter filter =
                  fill(AutoscalingBloomFilter.create(10_000, 100), 3000);
              for (long i = 0; i < 3000; i++) {
                filter.remove(i);
              }
              return new Named("emptied", filter);
            },
            () ->
                new Named(
                    "overfull",
                    fill(
                        AutoscalingBloomFilter.builder()
                            .bits(50)
                            .hashes(10)
                            .counterBits(4)
                            .criterion(Criterion.mcc(0.3))
                            .build(),
                        5000)));
    for (Supplier<Named> one : cases) {
      String name = one.get().name();
      all.add(FilterKind.AUTOSCALING, name, () -> one.get().filter());
      all.add(FilterKind.BINARIZED, name, () -> one.get().filter().binarize());
    }
    for (int hashes : new int[] {1, 200}) {
      for (int decision : new int[] {0, hashes}) {
        all.add(
            FilterKind.BINARIZED_COUNTING,
            "%d hashes, decision %d".formatted(hashes, decision),
            () ->
                CountingReading.of(
                        fill(
                            CountingBloomFilter.builder()
                                .layout(new Layout.Classic(hashes))
                                .bits(65)
                                .build(),
                            5),
                        new ThresholdPlan.Rule.Fixed(0, decision))
                    .binarize());
      }
    }
  }

  private static DynamicPartitionBloomFilter.Builder partition(Mode mode) {
    return DynamicPartitionBloomFilter.builder().mode(mode);
  }

  private static void extremeIds(Examples all) {
    for (Mode mode : Mode.values()) {
      Supplier<DynamicPartitionBloomFilter> one =
          () -> {
            DynamicPartitionBloomFilter filter = partition(mode).universe(1).depth(0).build();
            filter.putId(0);
            return filter;
          };
      Supplier<DynamicPartitionBloomFilter> all64 =
          () -> {
            DynamicPartitionBloomFilter filter =
                partition(mode).universe(PartitionPlan.MAX_UNIVERSE).unitKeys(64).build();
            for (long i = 0; i < 500; i++) {
              filter.putId(Long.MAX_VALUE - i * i * 77);
              filter.putId(i << 54);
            }
            return filter;
          };
      Supplier<DynamicPartitionBloomFilter> full =
          () -> {
            DynamicPartitionBloomFilter filter = partition(mode).universe(20_000).depth(8).build();
            for (long i = 0; i < 20_000; i++) {
              filter.putId(i);
            }
            return filter;
          };
      all.add(FilterKind.PARTITION, mode.word() + ", one id", one::get);
      all.add(FilterKind.PARTITION, mode.word() + ", 2^63 ids", all64::get);
      all.add(FilterKind.PARTITION, mode.word() + ", every id", full::get);
      all.add(FilterKind.PARTITION_VIEW, mode.word() + ", one id", () -> one.get().view());
      all.add(FilterKind.PARTITION_VIEW, mode.word() + ", 2^63 ids", () -> all64.get().view());
      all.add(FilterKind.PARTITION_VIEW, mode.word() + ", every id", () -> full.get().view());
      all.add(
          FilterKind.PARTITION_VIEW,
          mode.word() + ", forty united",
          () -> {
            PartitionView united = ids(mode, 0).view();
            for (int i = 0; i < 40; i++) {
              united = united.union(ids(mode, 3 + i).view(), 1);
            }
            return united;
          });
      all.add(
          FilterKind.PARTITION_VIEW,
          mode.word() + ", empty ones united and intersected",
          () -> {
            PartitionView empty = ids(mode, 0).view();
            return empty.union(ids(mode, 0).view()).intersection(ids(mode, 9).view()).union(empty);
          });
      all.add(
          FilterKind.PARTITION_VIEW,
          mode.word() + ", many intersected",
          () -> {
            PartitionView both = ids(mode, 90).view();
            for (int i = 0; i < 20; i++) {
              both = both.intersection(ids(mode, 60 + i).view());
            }
            return both;
          });
      all.add(
          FilterKind.PARTITION_COMPACT,
          mode.word() + ", every id",
          () -> full.get().view().compact());
      all.add(
          FilterKind.PARTITION_COMPACT,
          mode.word() + ", a word and three ids",
          () -> {
            DynamicPartitionBloomFilter few = partition(mode).universe(67).depth(0).build();
            for (long id = 27; id < 67; id++) {
              few.putId(id);
            }
            return few.view().compact();
          });
    }
  }

  private static long capacity(ScalableBloomFilter filter) {
    return filter.levels().get(0).capacity();
  }

  private static void extremeLevels(Examples all) {
    all.add(
        FilterKind.SCALABLE,
        "a union of 1,380 levels",
        () -> {
          ScalableBloomFilter union = null;
          for (int i = 0; i < 1380; i++) {
            ScalableBloomFilter one =
                ScalableBloomFilter.builder()
                    .initialKeys(1)
                    .horizonKeys(10)
                    .fpp(0.9)
                    .layout(Layout.Family.CLASSIC)
                    .build();
            for (long key = i; one.approximateElementCount() < capacity(one); key += 1380) {
              one.put(key);
            }
            union = union == null ? one : union.union(one, 1);
          }
          return union;
        });
    for (Layout.Family layout : Layout.Family.values()) {
      all.add(
          FilterKind.SCALABLE,
          layout + ", empty, compact",
          () -> ScalableBloomFilter.builder().layout(layout).build().compact());
      all.add(
          FilterKind.SCALABLE,
          layout + ", compact and grown on",
          () ->
              fill(
                  fill(ScalableBloomFilter.builder().layout(layout).initialKeys(1).build(), 9000)
                      .compact(),
                  30_000));
    }
    all.add(
        FilterKind.SCALABLE,
        "many intersected",
        () -> {
          ScalableBloomFilter both = fill(scalable().build(), 300);
          for (int i = 0; i < 6; i++) {
            both = both.intersection(fill(scalable().build(), 100 + i));
          }
          return both;
        });
  }

  private static void extremeRanges(Examples all) {
    Attribute[] most =
        IntStream.range(0, RangeSchema.MAX_ATTRIBUTES)
            .mapToObj(i -> Attribute.plain("number " + i, Domain.of(0, i), 1 + i % 8))
            .toArray(Attribute[]::new);
    String[] texts =
        IntStream.range(0, RangeSchema.MAX_ATTRIBUTES)
            .mapToObj(i -> "%0255d".formatted(i))
            .toArray(String[]::new);
    all.add(
        FilterKind.RANGE,
        "4,096 attributes",
        () -> {
          RangeBloomFilter filter = RangeBloomFilter.create(RangeSchema.of(100_000, 3, most));
          filter.putRange("number 4095", 17, 99);
          return filter;
        });
    all.add(
        FilterKind.RANGE,
        "4,096 texts of long names",
        () -> {
          RangeSchema schema = RangeSchema.of(512, 3).withTexts(texts);
          RangeBloomFilter filter = RangeBloomFilter.create(schema);
          filter.put(texts[4095], "text");
          return filter;
        });
    all.add(
        FilterKind.RANGE,
        "all numbers there are, open",
        () -> {
          Domain whole = Domain.of(Long.MIN_VALUE, Long.MAX_VALUE);
          RangeSchema schema =
              RangeSchema.of(
                      4096,
                      1,
                      Attribute.division("all", whole, 3, 1L << 60),
                      Attribute.divisionOverlapping("wide", whole, 9, Long.MAX_VALUE, 1))
                  .open();
          RangeBloomFilter filter = RangeBloomFilter.create(schema);
          filter.putRange("all", Long.MIN_VALUE, Long.MAX_VALUE);
          filter.putRange("wide", Long.MIN_VALUE, Long.MAX_VALUE);
          return filter;
        });
  }
}
