package dev.bellows.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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

  private static PackedHashes packed(long... sorted) {
    return PackedHashes.union(AscendingHashes.of(sorted), AscendingHashes.of(new long[0]));
  }

  private static long[] unpacked(PackedHashes packed) {
    List<Long> hashes = new ArrayList<>();
    packed.forEach(hashes::add);
    return hashes.stream().mapToLong(Long::longValue).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 12, 13, 1000, 20_000, 21_000, 50_000, 200_000})
  void packingKeepsEveryHash(int count) {
    long[] hashes = random(count);
    PackedHashes packed = packed(setOf(hashes).sorted());
    assertThat(packed.count()).isEqualTo(count);
    assertThat(unpacked(packed)).isEqualTo(sortedUnsigned(hashes));
    PackedHashes sent = PackedHashes.of(packed.toBytes((byte) 7));
    assertThat(unpacked(sent)).isEqualTo(sortedUnsigned(hashes));
    assertThat(sent.toBytes((byte) 7)).isEqualTo(packed.toBytes((byte) 7));
  }

  @Test
  void packingKeepsTheEdges() {
    long[] hashes = {0, 1, 2, -1, -2, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, -(1L << 32)};
    assertThat(unpacked(packed(setOf(hashes).sorted()))).isEqualTo(sortedUnsigned(hashes));
    for (long hash : hashes) {
      assertThat(unpacked(packed(hash))).containsExactly(hash);
    }
  }

  /** Extremely uneven gaps: a union of clusters at both ends. */
  @Test
  void clusteredHashesArePackedToo() {
    long[] low = LongStream.range(0, 5000).toArray();
    long[] high = LongStream.range(-5000, 0).toArray();
    long[] both = LongStream.concat(LongStream.of(low), LongStream.of(high)).toArray();
    PackedHashes packed = PackedHashes.union(AscendingHashes.of(high), AscendingHashes.of(low));
    assertThat(unpacked(packed)).isEqualTo(both);
    PackedHashes twice = PackedHashes.union(packed.read(), packed.drain());
    assertThat(unpacked(twice)).isEqualTo(both);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 77, 4000})
  void aUnionHasEveryHashOnce(int common) {
    long[] hashes = random(9000);
    long[] a = Arrays.copyOf(hashes, 5000);
    long[] b = Arrays.copyOfRange(hashes, 5000 - common, 9000);
    PackedHashes union =
        PackedHashes.union(
            packed(setOf(a).sorted()).drain(), AscendingHashes.of(setOf(b).sorted()));
    assertThat(union.count()).isEqualTo(9000);
    assertThat(unpacked(union)).isEqualTo(sortedUnsigned(hashes));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 1000, 50_000})
  void setsAreCountedTogether(int hashes) {
    long[] all = random(hashes);
    Random random = new Random(hashes);
    List<AscendingHashes> sets = new ArrayList<>();
    Set<Long> expected = new HashSet<>();
    long most = 0;
    for (int i = 0; i < 5; i++) {
      double share = random.nextDouble();
      long[] some = LongStream.of(all).filter(hash -> random.nextDouble() < share).toArray();
      sets.add(i % 2 == 0 ? packed(setOf(some).sorted()).read() : ascending(some));
      LongStream.of(some).forEach(expected::add);
      most += some.length;
    }
    assertThat(DistinctHashes.count(sets, most)).isEqualTo(expected.size());
  }

  @Test
  void setsThatCrowdAreCountedTooWithTheEdges() {
    long[] low = LongStream.range(0, 5000).toArray();
    long[] high = LongStream.range(-5000, 0).toArray();
    long[] edges = {0, 4999, 5000, Long.MAX_VALUE, Long.MIN_VALUE, -5001, -5000, -1};
    assertThat(
            DistinctHashes.count(
                List.of(ascending(low), ascending(high), ascending(edges)), 10_008))
        .isEqualTo(10_004);
  }

  private static AscendingHashes ascending(long[] hashes) {
    return AscendingHashes.of(sortedUnsigned(hashes));
  }

  @Test
  void hashesAreChosenByTheirFirstBits() {
    long[] sorted = setOf(random(10_000)).sorted();
    for (int zeros : new int[] {0, 1, 5, 64}) {
      assertThat(unpacked(packed(sorted).withZeros(zeros)))
          .isEqualTo(
              LongStream.of(sorted)
                  .filter(hash -> Long.numberOfLeadingZeros(hash) >= zeros)
                  .toArray());
    }
  }

  /** One by one over the end of a chunk, where the last bits of a set may begin another one. */
  @Test
  void setsEndAnywhereInAChunk() {
    long[] sorted = setOf(random(24_000)).sorted();
    for (int count = 20_400; count < 20_600; count++) {
      long[] some = Arrays.copyOf(sorted, count);
      PackedHashes packed = packed(some);
      assertThat(unpacked(packed)).isEqualTo(some);
      assertThat(unpacked(PackedHashes.of(packed.toBytes((byte) 0)))).isEqualTo(some);
    }
  }

  @Test
  void packedHashesAreSmallerThanHashes() {
    int count = 100_000;
    double bits = 8.0 * packed(setOf(random(count)).sorted()).bytes() / count;
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
  void addReturnsWhetherAHashIsNew() {
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
