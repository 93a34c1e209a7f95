package dev.bellows.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.Means;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter.Builder;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a partition filter promises in either mode. */
abstract class PartitionContract {
  static final double FPP = 0.01;

  abstract Mode mode();

  Builder builder() {
    return DynamicPartitionBloomFilter.builder().mode(mode()).fpp(FPP);
  }

  DynamicPartitionBloomFilter create() {
    return builder().universe(1 << 20).depth(14).build();
  }

  static DynamicPartitionBloomFilter fill(DynamicPartitionBloomFilter filter, LongStream ids) {
    ids.forEach(filter::putId);
    return filter;
  }

  /** The distribution of ids: uniform, clustered, or consecutive. */
  enum Spread {
    UNIFORM,
    CLUSTERED,
    SORTED;

    LongStream ids(long universe, int count, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      return switch (this) {
        case UNIFORM -> LongStream.generate(() -> random.nextLong(universe)).limit(count);
        case CLUSTERED ->
            LongStream.generate(
                    () -> {
                      long centre = (random.nextInt(7) * (universe / 7)) >>> 1;
                      return Math.min(universe - 1, centre + random.nextLong(1 + 4L * count));
                    })
                .limit(count);
        case SORTED -> LongStream.range(universe / 3, universe / 3 + count);
      };
    }
  }

  @Test
  void everyIdIsFoundAndTheTreeIsTheOneOfTheCounts() {
    for (Spread spread : Spread.values()) {
      DynamicPartitionBloomFilter filter = create();
      long[] ids = spread.ids(1 << 20, 5000, 1).toArray();
      for (long id : ids) {
        filter.putId(id);
        assertThat(filter.mightContainId(id)).isTrue();
      }
      PartitionView view = filter.view();
      assertThat(LongStream.of(ids))
          .allMatch(filter::mightContainId)
          .allMatch(view::mightContainId);
      Trees tree = Trees.of(filter);
      if (mode() == Mode.EXACT_LEAVES) {
        assertThat(tree).isEqualTo(Trees.of(filter, LongStream.of(ids)));
      }
      assertThat(tree.leaves()).allMatch(leaf -> leaf.keys() <= filter.plan().unitKeys());
      assertThat(tree.innerNodes()).allMatch(node -> node.keys() > filter.plan().unitKeys());
      assertThat(filter.innerNodes()).isEqualTo(tree.innerNodes().size());
      assertThat(tree.innerNodes())
          .hasSizeLessThanOrEqualTo(
              (int) filter.plan().mostInnerNodes(filter.approximateElementCount()));
      assertThat(view.leaves()).isLessThanOrEqualTo(filter.populatedUnits());
      assertThat(filter.approximateElementCount())
          .isLessThanOrEqualTo(LongStream.of(ids).distinct().count());
    }
  }

  @Test
  void emptyLeavesCountAmongTheNodes() {
    DynamicPartitionBloomFilter filter = create();
    assertThat(filter.innerNodes()).isZero();
    long[] left = LongStream.range(0, filter.plan().unitKeys() + 1).toArray();
    for (long id : left) {
      filter.putId(id);
    }
    assertThat(filter.innerNodes())
        .isEqualTo(filter.leaves().size() - 1)
        .isGreaterThanOrEqualTo(filter.view().leaves());
    filter.clear();
    assertThat(filter.innerNodes()).isZero();
  }

  @Test
  void theMeanOverSeedsIsAtMostTheRateAndEachFilterStatesItsOwn() {
    int universe = 1 << 20;
    int seeds = 30;
    for (Spread spread : Spread.values()) {
      for (int count : new int[] {1, 10, 63, 65, 1000, 20_000}) {
        Means rates = new Means();
        double slack = 0;
        for (int seed = 0; seed < seeds; seed++) {
          DynamicPartitionBloomFilter filter =
              builder().universe(universe).depth(14).seed(seed).build();
          fill(filter, spread.ids(universe, count, seed));
          double rate = filter.view().averageFpp();
          rates.add(rate);
          int hashes = filter.plan().hashes();
          slack = hashes * (hashes + 1.0) / (4 * filter.plan().unitBits());
          if (seed == 0) {
            boolean[] present = members(universe, spread.ids(universe, count, seed).toArray());
            long asked = Rates.count(universe, id -> !present[(int) id]);
            long hits =
                Rates.count(universe, id -> !present[(int) id] && filter.mightContainId(id));
            BinomialInterval measured = BinomialInterval.of(hits, asked, Rates.ALPHA);
            assertThat(measured.contains(rate))
                .as("%s %d: %s should hold %s", spread, count, measured, rate)
                .isTrue();
          }
        }
        rates.assertMeanAtMost(FPP * (1 + slack));
      }
    }
  }

  @Test
  void anEmptyFilterIsOneEmptyLeafAndContainsNothing() throws IOException {
    DynamicPartitionBloomFilter filter = create();
    assertThat(Trees.of(filter).leaves()).containsExactly(new Trees.Node(0, 0, 0));
    assertThat(LongStream.range(0, 1000)).noneMatch(filter::mightContainId);
    assertThat(filter.stats().bits()).isZero();
    assertThat(filter.expectedFpp()).isZero();
    assertThat(Filters.fromBytes(filter.toBytes())).isEqualTo(filter);
    assertThat(Filters.fromBytes(filter.view().toBytes())).isEqualTo(filter.view());
  }

  @Test
  void bytesReadBackAreTheSameFilterAndGrowOn() throws IOException {
    for (Spread spread : Spread.values()) {
      for (int count : new int[] {1, 64, 65, 3000}) {
        DynamicPartitionBloomFilter filter = fill(create(), spread.ids(1 << 20, count, 3));
        byte[] bytes = filter.toBytes();
        DynamicPartitionBloomFilter read = DynamicPartitionBloomFilter.fromBytes(bytes);
        assertThat(read).isEqualTo(filter).hasSameHashCodeAs(filter);
        assertThat(read.toBytes()).isEqualTo(bytes).hasSize((int) filter.sizeInBytes());
        assertThat(Trees.of(read)).isEqualTo(Trees.of(filter));
        assertThat(read.view()).isEqualTo(filter.view());
        assertThat(read.stats()).isEqualTo(filter.stats());
        PartitionView view = PartitionView.fromBytes(filter.view().toBytes());
        assertThat(view).isEqualTo(filter.view()).hasSameHashCodeAs(filter.view());
        assertThat(view.toBytes()).hasSize((int) view.sizeInBytes());
        fill(read, spread.ids(1 << 20, 1000, 4));
        fill(filter, spread.ids(1 << 20, 1000, 4));
        assertThat(read).isEqualTo(filter);
        assertThat(read.view()).isEqualTo(filter.view());
      }
    }
  }

  @Test
  void twoHundredRandomUnionsAndIntersectionsLoseNothingAndKeepTheRate() {
    SplittableRandom random = new SplittableRandom(5);
    long universe = 40_000;
    long askedUnion = 0;
    long hitUnion = 0;
    long hitView = 0;
    long askedBoth = 0;
    long hitBoth = 0;
    for (int round = 0; round < 200; round++) {
      Spread first = Spread.values()[random.nextInt(3)];
      Spread second = Spread.values()[random.nextInt(3)];
      int sizeA = 1 << random.nextInt(13);
      int sizeB = 1 << random.nextInt(13);
      long[] idsA = first.ids(universe, sizeA, random.nextLong()).toArray();
      long[] idsB = second.ids(universe, sizeB, random.nextLong()).toArray();
      Builder builder = builder().universe(universe).unitKeys(64).seed(round);
      DynamicPartitionBloomFilter a = fill(builder.build(), LongStream.of(idsA));
      DynamicPartitionBloomFilter b = fill(builder.build(), LongStream.of(idsB));
      DynamicPartitionBloomFilter union = a.union(b);
      DynamicPartitionBloomFilter both = a.intersection(b);
      PartitionView viewUnion = a.view().union(b.view(), 0.5);
      PartitionView viewBoth = a.view().intersection(b.view(), 0.5);
      boolean[] inA = members(universe, idsA);
      boolean[] inB = members(universe, idsB);
      long lost = 0;
      long unlikeItsInputs = 0;
      for (int id = 0; id < universe; id++) {
        boolean passesA = a.mightContainId(id);
        boolean passesB = b.mightContainId(id);
        boolean passesUnion = union.mightContainId(id);
        boolean passesView = viewUnion.mightContainId(id);
        boolean passesBoth = both.mightContainId(id);
        if (inA[id] || inB[id]) {
          lost += passesUnion && passesView ? 0 : 1;
        } else {
          askedUnion++;
          hitUnion += passesUnion ? 1 : 0;
          hitView += passesView ? 1 : 0;
        }
        if (inA[id] && inB[id]) {
          lost += passesBoth ? 0 : 1;
        } else {
          askedBoth++;
          hitBoth += passesBoth ? 1 : 0;
        }
        unlikeItsInputs += (passesA || passesB) && !passesView ? 1 : 0;
        unlikeItsInputs += viewBoth.mightContainId(id) == (passesA && passesB) ? 0 : 1;
      }
      assertThat(lost).as("ids lost in round %d", round).isZero();
      assertThat(unlikeItsInputs).as("answers of views in round %d", round).isZero();
      assertThat(viewUnion.expectedFpp())
          .isLessThanOrEqualTo(
              Math.max(FPP, a.view().expectedFpp() + b.view().expectedFpp() + 1e-12));
      assertThat(viewBoth.expectedFpp())
          .isLessThanOrEqualTo(Math.max(a.view().expectedFpp(), b.view().expectedFpp()));
      for (DynamicPartitionBloomFilter merged : new DynamicPartitionBloomFilter[] {union, both}) {
        assertThat(merged.leaves())
            .allMatch(leaf -> leaf.content.load() <= merged.plan().unitKeys());
        assertThat(Trees.loads(merged)).allMatch(load -> load > merged.plan().unitKeys());
      }
    }
    assertThat(BinomialInterval.of(hitUnion, askedUnion, Rates.ALPHA).low())
        .isLessThanOrEqualTo(FPP);
    assertThat(BinomialInterval.of(hitView, askedUnion, Rates.ALPHA).low())
        .isLessThanOrEqualTo(2 * FPP);
    assertThat(BinomialInterval.of(hitBoth, askedBoth, Rates.ALPHA).low()).isLessThanOrEqualTo(FPP);
  }

  static boolean[] members(long universe, long[] ids) {
    boolean[] members = new boolean[(int) universe];
    for (long id : ids) {
      members[(int) id] = true;
    }
    return members;
  }

  @Test
  void mergedFiltersAndViewsGoThroughFilesAndGrowOn() throws IOException {
    DynamicPartitionBloomFilter a = fill(create(), Spread.UNIFORM.ids(1 << 20, 900, 6));
    DynamicPartitionBloomFilter b = fill(create(), Spread.SORTED.ids(1 << 20, 3000, 7));
    for (DynamicPartitionBloomFilter merged :
        new DynamicPartitionBloomFilter[] {a.union(b), a.intersection(b)}) {
      DynamicPartitionBloomFilter read = DynamicPartitionBloomFilter.fromBytes(merged.toBytes());
      assertThat(read).isEqualTo(merged);
      assertThat(read.view()).isEqualTo(merged.view());
      fill(merged, LongStream.range(0, 500));
      assertThat(LongStream.range(0, 500)).allMatch(merged::mightContainId);
      assertThat(read).isNotEqualTo(merged);
    }
    PartitionView union = a.view().union(b.view(), 0.5);
    PartitionView nested = union.intersection(a.view(), 0.5).union(b.view(), 0.5);
    assertThat(PartitionView.fromBytes(union.toBytes())).isEqualTo(union);
    assertThat(PartitionView.fromBytes(nested.toBytes())).isEqualTo(nested);
    assertThat(a.view().union(a.view())).isEqualTo(a.view());
    assertThat(Spread.UNIFORM.ids(1 << 20, 900, 6)).allMatch(nested::mightContainId);
    assertThat(a.view().intersection(create().view()).leaves()).isZero();
  }

  @Test
  void universesOfAnySizeWork() throws IOException {
    for (long universe :
        new long[] {
          1, 2, 3, 1000, 1 << 20, 999_999_999_937L, Long.MAX_VALUE, IdPartition.MAX_UNIVERSE
        }) {
      DynamicPartitionBloomFilter filter = builder().universe(universe).unitKeys(16).build();
      SplittableRandom random = new SplittableRandom(8);
      long[] ids =
          LongStream.generate(() -> random.nextLong() >>> 1)
              .map(id -> universe < 0 ? id : id % universe)
              .limit(300)
              .toArray();
      long last = universe - 1;
      fill(filter, LongStream.concat(LongStream.of(ids), LongStream.of(0, last)));
      assertThat(LongStream.of(ids)).allMatch(filter::mightContainId);
      assertThat(filter.mightContainId(last)).isTrue();
      assertThat(filter.mightContainId(-1)).isFalse();
      assertThat(DynamicPartitionBloomFilter.fromBytes(filter.toBytes())).isEqualTo(filter);
      if (universe > 0 && universe < Long.MAX_VALUE) {
        assertThat(filter.mightContainId(universe)).isFalse();
        assertThatThrownBy(() -> filter.putId(universe))
            .hasMessageContaining("outside the universe");
      }
      assertThatThrownBy(() -> filter.putId(-1)).hasMessageContaining("outside the universe");
    }
  }

  @Test
  void anyKeyHasAnId() {
    DynamicPartitionBloomFilter filter = builder().universe(1L << 40).unitKeys(64).build();
    for (int i = 0; i < 2000; i++) {
      filter.put("user " + i, KeyHasher.TEXT);
    }
    PartitionView view = filter.view();
    for (int i = 0; i < 2000; i++) {
      assertThat(filter.mightContain("user " + i, KeyHasher.TEXT)).isTrue();
      assertThat(view.mightContain("user " + i, KeyHasher.TEXT)).isTrue();
      assertThat(filter.idOf("user " + i, KeyHasher.TEXT)).isBetween(0L, (1L << 40) - 1);
    }
    long hits = Rates.count(100_000, i -> filter.mightContain("nobody " + i, KeyHasher.TEXT));
    assertThat(BinomialInterval.of(hits, 100_000, Rates.ALPHA).low()).isLessThanOrEqualTo(FPP);
  }

  @Test
  void otherPlansModesAndSeedsAreRefused() {
    DynamicPartitionBloomFilter a = create();
    DynamicPartitionBloomFilter deeper = builder().universe(1 << 20).depth(15).build();
    DynamicPartitionBloomFilter seeded = builder().universe(1 << 20).depth(14).seed(4).build();
    assertThatThrownBy(() -> a.union(deeper)).hasMessageContaining("depth 15");
    assertThatThrownBy(() -> a.intersection(seeded)).hasMessageContaining("seed 4");
    assertThatThrownBy(() -> a.view().union(deeper.view())).hasMessageContaining("depth 15");
    assertThatThrownBy(() -> a.view().intersection(seeded.view())).hasMessageContaining("seed 4");
    assertThatThrownBy(() -> builder().universe(1L << 60).depth(3).build())
        .hasMessageContaining("use depth");
    assertThatThrownBy(() -> builder().universe(8).depth(4).build()).hasMessageContaining("depth");
    assertThatThrownBy(() -> builder().universe(0).build()).hasMessageContaining("universe");
    assertThatThrownBy(() -> builder().universe(64).hashes(1000).build())
        .hasMessageContaining("256 hashes");
  }

  @Test
  void aSecretKeyIsNeededAndAWrongOneRefused() throws IOException {
    HashScheme secret = HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII));
    DynamicPartitionBloomFilter filter =
        builder().universe(1 << 20).depth(14).hashScheme(secret).build();
    fill(filter, LongStream.range(0, 500));
    byte[] bytes = filter.toBytes();
    Filter read = Filters.fromBytes(bytes, ReadOptions.DEFAULT.withHashScheme(secret));
    assertThat(read).isEqualTo(filter);
    assertThatThrownBy(
            () -> Filters.fromBytes(bytes, ReadOptions.DEFAULT.withHashScheme(HashScheme.DEFAULT)))
        .hasMessageContaining("xxh3-64");
    PartitionView sealed = PartitionView.fromBytes(filter.view().toBytes());
    assertThat(sealed.stats().ones()).isPositive();
    assertThatThrownBy(() -> sealed.mightContainId(3)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void copiesAreIndependentAndExplainDescribesTheFilter() {
    DynamicPartitionBloomFilter filter = fill(create(), LongStream.range(0, 200));
    DynamicPartitionBloomFilter copy = filter.copy();
    assertThat(copy).isEqualTo(filter);
    PartitionView before = filter.view();
    copy.putId(777_777);
    assertThat(copy).isNotEqualTo(filter);
    assertThat(filter.view()).isEqualTo(before);
    assertThat(filter.explain()).contains("units of at most 64 keys", "false positives", "bits");
    assertThat(before.explain()).contains("leaves", "per key", "For comparison");
    assertThat(create().explain()).contains("none");
    assertThat(filter.toString()).contains("200 keys");
    assertThat(before.toString()).contains("200 keys");
  }
}
