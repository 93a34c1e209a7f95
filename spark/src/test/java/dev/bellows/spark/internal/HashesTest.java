package dev.bellows.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashesTest {
  private static long[] random(int count) {
    return new SplittableRandom(count).longs(count).toArray();
  }

  private static DistinctHashes setOf(long... hashes) {
    DistinctHashes set = new DistinctHashes();
    for (long hash : hashes) {
      set.add(hash);
    }
    return set;
  }

  private static long[] sortedUnsigned(long... hashes) {
    TreeSet<Long> sorted = new TreeSet<>(Long::compareUnsigned);
    for (long hash : hashes) {
      sorted.add(hash);
    }
    return sorted.stream().mapToLong(Long::longValue).toArray();
  }

  private static long[] unpacked(byte[] bytes, int room) {
    List<Long> hashes = new ArrayList<>();
    PackedHashes.forEach(bytes, room, hashes::add);
    return hashes.stream().mapToLong(Long::longValue).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 12, 13, 1000, 50_000})
  void packingKeepsEveryHash(int count) {
    long[] hashes = random(count);
    byte[] bytes = PackedHashes.pack(setOf(hashes).sorted(), 3);
    assertThat(PackedHashes.count(bytes, 3)).isEqualTo(count);
    assertThat(unpacked(bytes, 3)).isEqualTo(sortedUnsigned(hashes));
  }

  @Test
  void packingKeepsTheEdges() {
    long[] hashes = {0, 1, 2, -1, -2, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, -(1L << 32)};
    assertThat(unpacked(PackedHashes.pack(setOf(hashes).sorted(), 0), 0))
        .isEqualTo(sortedUnsigned(hashes));
    for (long hash : hashes) {
      assertThat(unpacked(PackedHashes.pack(new long[] {hash}, 0), 0)).containsExactly(hash);
    }
  }

  @Test
  void packedHashesAreSmallerThanHashes() {
    int count = 100_000;
    double bits = 8.0 * PackedHashes.pack(setOf(random(count)).sorted(), 0).length / count;
    assertThat(bits).isLessThan(66.5 - Math.log(count) / Math.log(2));
  }

  @Test
  void hashesThatCrowdAtBothEndsOfTheTableAreSorted() {
    long[] hashes =
        LongStream.concat(LongStream.rangeClosed(1, 40).map(i -> -i), LongStream.rangeClosed(0, 40))
            .toArray();
    List<Long> shuffled = new ArrayList<>(LongStream.of(hashes).boxed().toList());
    Collections.shuffle(shuffled, new Random(1));
    long[] order = shuffled.stream().mapToLong(Long::longValue).toArray();
    assertThat(setOf(order).sorted()).isEqualTo(sortedUnsigned(hashes));
  }

  @Test
  void addingTellsNewFromKnown() {
    DistinctHashes set = new DistinctHashes();
    for (long hash : new long[] {0, 1, -1, 42}) {
      assertThat(set.add(hash)).isTrue();
      assertThat(set.add(hash)).isFalse();
    }
    assertThat(set.size()).isEqualTo(4);
  }

  @Test
  void sortedHashesFillAReservedTableQuickly() {
    long[] hashes = setOf(random(200_000)).sorted();
    DistinctHashes set = new DistinctHashes();
    set.reserve(hashes.length);
    for (long hash : hashes) {
      set.add(hash);
    }
    assertThat(set.sorted()).isEqualTo(hashes);
  }
}
