package dev.bellows.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.Means;
import dev.bellows.Rates;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.io.IOException;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PublishedPartitionTest extends PartitionContract {
  @Override
  Mode mode() {
    return Mode.PUBLISHED;
  }

  @Test
  void unitsHaveTheSizeOfEquationOneAndTheTreeDoesNotFold() {
    DynamicPartitionBloomFilter filter = fill(create(), LongStream.range(0, 100));
    assertThat(filter.stats().bits()).isEqualTo(2 * filter.plan().unitBits());
  }

  @Test
  void unitFiltersCannotRemove() {
    assertThatThrownBy(() -> fill(create(), LongStream.range(0, 9)).removeId(3))
        .hasMessageContaining("EXACT_LEAVES");
    assertThatThrownBy(() -> create().ids()).hasMessageContaining("EXACT_LEAVES");
  }

  /** A unit with one key costs its positions, not its size. */
  @Test
  void unitFiltersWithFewKeysAreSmall() {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .mode(Mode.PUBLISHED)
            .universe(1 << 30)
            .depth(20)
            .fpp(1e-4)
            .build();
    fill(filter, LongStream.range(0, 10_000).map(i -> i * 100_000));
    assertThat(filter.populatedUnits()).isEqualTo(10_000);
    assertThat(filter.plan().unitBits()).isGreaterThan(19_000);
    assertThat(filter.sizeInBytes()).isLessThan(10_000 * 40);
  }

  /** Errata D10: merging on the true count, 64 in all, breaks the rate; bounds keep it. */
  @Test
  void anIntersectionOfFullUnitsIsNotTreatedAsEmpty() {
    DynamicPartitionBloomFilter a =
        DynamicPartitionBloomFilter.builder()
            .mode(Mode.PUBLISHED)
            .universe(1024)
            .depth(4)
            .fpp(0.0146)
            .hashes(4)
            .build();
    DynamicPartitionBloomFilter b = a.copy();
    for (int unit = 0; unit < 16; unit++) {
      for (int i = 0; i < 16; i++) {
        a.putId(64 * unit + i);
        b.putId(64 * unit + 12 + i);
      }
    }
    DynamicPartitionBloomFilter both = a.intersection(b);
    assertThat(Trees.of(both).leaves()).hasSizeGreaterThanOrEqualTo(2);
    for (int unit = 0; unit < 16; unit++) {
      for (int i = 12; i < 16; i++) {
        assertThat(both.mightContainId(64 * unit + i)).isTrue();
      }
    }
  }

  private static DynamicPartitionBloomFilter units(long seed) {
    return DynamicPartitionBloomFilter.builder()
        .mode(Mode.PUBLISHED)
        .universe(1 << 20)
        .depth(14)
        .fpp(FPP)
        .seed(seed)
        .build();
  }

  /** One id per 20 units or fewer: units rarely have ids of both sides, and then only a few. */
  @Test
  void anIntersectionIsCompressedToFewLeaves() throws IOException {
    DynamicPartitionBloomFilter a = fill(units(0), Spread.UNIFORM.ids(1 << 20, 20_000, 1));
    DynamicPartitionBloomFilter b = fill(units(0), Spread.UNIFORM.ids(1 << 20, 3_000, 2));
    fill(a, LongStream.range(0, 500).map(i -> 2000 * i));
    fill(b, LongStream.range(0, 500).map(i -> 2000 * i));
    DynamicPartitionBloomFilter both = a.intersection(b);
    assertThat(LongStream.range(0, 500).map(i -> 2000 * i)).allMatch(both::mightContainId);
    long smaller = Math.min(a.approximateElementCount(), b.approximateElementCount());
    assertThat(both.approximateElementCount()).isBetween(500L, smaller);
    // units of 64 keys: within a factor of two of what the counted keys need
    assertThat(both.leaves())
        .hasSizeLessThan((int) (2 * both.approximateElementCount() / 64) + 32)
        .hasSizeLessThan(a.leaves().size() / 2);
    DynamicPartitionBloomFilter read = DynamicPartitionBloomFilter.fromBytes(both.toBytes());
    assertThat(Trees.of(read)).isEqualTo(Trees.of(both));
    assertThat(read.view()).isEqualTo(both.view());
  }

  /** Errata D9 and D10: no kind of absent id passes more often than the rate, compressed or not. */
  @Test
  void compressedIntersectionsKeepTheRateForIdsOfOneSideToo() {
    Means neither = new Means();
    Means onlyA = new Means();
    Means onlyB = new Means();
    for (int seed = 0; seed < 40; seed++) {
      long[] idsA = Spread.UNIFORM.ids(1 << 20, 12_000, 100 + seed).toArray();
      long[] idsB = Spread.UNIFORM.ids(1 << 20, 9_000, 200 + seed).toArray();
      System.arraycopy(idsA, 0, idsB, 0, 2000);
      DynamicPartitionBloomFilter a = fill(units(seed), LongStream.of(idsA));
      DynamicPartitionBloomFilter b = fill(units(seed), LongStream.of(idsB));
      DynamicPartitionBloomFilter both = a.intersection(b);
      boolean[] inA = members(1 << 20, idsA);
      boolean[] inB = members(1 << 20, idsB);
      // one in eight of the ids of neither: there are a hundred times as many of them
      neither.add(share(both, id -> id % 8 == 0 && !inA[id] && !inB[id]));
      onlyA.add(share(both, id -> inA[id] && !inB[id]));
      onlyB.add(share(both, id -> inB[id] && !inA[id]));
      assertThat(share(both, id -> inA[id] && inB[id])).isEqualTo(1);
    }
    int hashes = units(0).plan().hashes();
    double bound = FPP * (1 + hashes * (hashes + 1.0) / (4 * units(0).plan().unitBits()));
    neither.assertMeanAtMost(bound);
    onlyA.assertMeanAtMost(bound);
    onlyB.assertMeanAtMost(bound);
    assertThat(onlyA.mean()).isGreaterThan(neither.mean());
  }

  private static double share(DynamicPartitionBloomFilter filter, IntPredicate asked) {
    int[] ids = IntStream.range(0, 1 << 20).filter(asked).toArray();
    return (double) Rates.count(ids.length, i -> filter.mightContainId(ids[(int) i])) / ids.length;
  }

  @Test
  void growthAfterAnIntersectionKeepsTheShapeThatTheFileGives() throws IOException {
    DynamicPartitionBloomFilter both =
        fill(units(0), LongStream.range(0, 4000))
            .intersection(fill(units(0), LongStream.range(1000, 6000).map(i -> i + i % 3)));
    fill(both, LongStream.range(500, 3000));
    DynamicPartitionBloomFilter read = DynamicPartitionBloomFilter.fromBytes(both.toBytes());
    assertThat(read).isEqualTo(both);
    assertThat(Trees.of(read)).isEqualTo(Trees.of(both));
    assertThat(LongStream.range(500, 3000)).allMatch(both::mightContainId);
  }
}
