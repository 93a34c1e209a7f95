package dev.bellows.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ExactPartitionTest extends PartitionContract {
  @Override
  Mode mode() {
    return Mode.EXACT_LEAVES;
  }

  @Test
  void putsAndRemovesInAnyOrderGiveTheFilterOfTheSet() {
    SplittableRandom random = new SplittableRandom(11);
    for (long universe : new long[] {5000, 1 << 20, Long.MAX_VALUE}) {
      DynamicPartitionBloomFilter filter = builder().universe(universe).unitKeys(32).build();
      TreeSet<Long> set = new TreeSet<>();
      for (int i = 0; i < 6000; i++) {
        long id = random.nextLong(Math.min(universe, 8000)) * Math.max(1, universe / 8000);
        if (random.nextInt(5) < (i < 4000 ? 3 : 1)) {
          assertThat(filter.putId(id)).isEqualTo(set.add(id));
        } else {
          assertThat(filter.removeId(id)).isEqualTo(set.remove(id));
        }
      }
      DynamicPartitionBloomFilter built =
          fill(
              builder().universe(universe).unitKeys(32).build(),
              set.stream().mapToLong(Long::longValue));
      assertThat(filter).isEqualTo(built);
      assertThat(filter.approximateElementCount()).isEqualTo(set.size());
      assertThat(Trees.of(filter))
          .isEqualTo(Trees.of(built))
          .isEqualTo(Trees.of(filter, set.stream().mapToLong(Long::longValue)));
      assertThat(filter.view()).isEqualTo(built.view());
      assertThat(filter.ids()).isEqualTo(set.stream().mapToLong(Long::longValue).toArray());
    }
  }

  @Test
  void unionsAndIntersectionsAreThoseOfTheSets() {
    for (Spread spread : Spread.values()) {
      long[] a = spread.ids(1 << 20, 3000, 1).toArray();
      long[] b = Spread.UNIFORM.ids(1 << 20, 40_000, 2).toArray();
      DynamicPartitionBloomFilter one = fill(create(), LongStream.of(a));
      DynamicPartitionBloomFilter two = fill(create(), LongStream.of(b));
      DynamicPartitionBloomFilter union =
          fill(create(), LongStream.concat(LongStream.of(a), LongStream.of(b)));
      boolean[] inB = members(1 << 20, b);
      DynamicPartitionBloomFilter both =
          fill(create(), LongStream.of(a).filter(id -> inB[(int) id]));
      assertThat(one.union(two)).isEqualTo(union).isEqualTo(two.union(one));
      assertThat(one.union(two).view()).isEqualTo(union.view());
      assertThat(one.intersection(two)).isEqualTo(both).isEqualTo(two.intersection(one));
      assertThat(one.intersection(two).view()).isEqualTo(both.view());
    }
  }

  @Test
  void memoryFollowsTheKeys() {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder().universe(1 << 30).depth(20).fpp(1e-4).build();
    SplittableRandom random = new SplittableRandom(12);
    for (int count = 1; count <= 100_000; count++) {
      while (!filter.putId(random.nextLong(1 << 30))) {}
      if (count >= 100 && count % 1009 == 0) {
        assertThat(filter.stats().bits() / (double) count).isBetween(19.0, 30.0);
      }
    }
  }

  @Test
  void removedIdsAreGone() {
    DynamicPartitionBloomFilter filter = fill(create(), LongStream.range(0, 5000));
    LongStream.range(0, 4990).forEach(filter::removeId);
    assertThat(filter.removeId(3)).isFalse();
    assertThat(filter.approximateElementCount()).isEqualTo(10);
    assertThat(LongStream.range(4990, 5000)).allMatch(filter::mightContainId);
    assertThat(filter).isEqualTo(fill(create(), LongStream.range(4990, 5000)));
  }
}
