package dev.bellows.internal.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctPositionsTest {
  private static List<Long> draw(DistinctPositions positions, long hash) {
    DistinctPositions.Draw draw = positions.draw(hash);
    List<Long> drawn = new ArrayList<>();
    for (int i = 0; i < positions.hashes(); i++) {
      drawn.add(draw.next());
    }
    return drawn;
  }

  /** The rule of spec/HASHING.md, section 6, word for word. */
  private static Set<Long> byTheBook(long bits, int hashes, long hash) {
    Set<Long> cells = new LinkedHashSet<>();
    long x = hash;
    for (int i = 1; i <= hashes; i++) {
      long y = x * 0xd1342543de82ef95L + 0x9e3779b97f4a7c15L;
      x = y ^ (y >>> 32);
      BigInteger choices = BigInteger.valueOf(bits - hashes + i);
      long cell = BigInteger.valueOf(x >>> 2).multiply(choices).shiftRight(62).longValue();
      if (!cells.add(cell)) {
        cells.add(bits - hashes + i - 1);
      }
    }
    return cells;
  }

  @Test
  void positionsAreThoseOfTheSpecification() {
    SplittableRandom random = new SplittableRandom(11);
    int[][] shapes = {
      {1, 1},
      {2, 1},
      {2, 2},
      {3, 2},
      {20, 3},
      {20, 10},
      {20, 11},
      {20, 19},
      {20, 20},
      {64, 33},
      {1000, 100},
      {1000, 500},
      {1000, 501},
      {1000, 1000},
      {10_000, 100},
      {1 << 30, 20}
    };
    for (int[] shape : shapes) {
      DistinctPositions positions = new DistinctPositions(shape[0], shape[1]);
      for (int i = 0; i < 200; i++) {
        long hash = random.nextLong();
        assertThat(draw(positions, hash))
            .containsExactlyElementsOf(byTheBook(shape[0], shape[1], hash));
        long[] taken = positions.draw(hash).take(shape[1]);
        assertThat(Arrays.stream(taken).limit(shape[1]).boxed())
            .containsExactlyElementsOf(byTheBook(shape[0], shape[1], hash));
      }
    }
  }

  @Test
  void manyHashesStayDistinct() {
    DistinctPositions positions = new DistinctPositions(100_000, Positions.MAX_HASHES);
    assertThat(new HashSet<>(draw(positions, 5))).hasSize(Positions.MAX_HASHES);
    assertThat(new HashSet<>(draw(new DistinctPositions(1L << 36, 300), 5))).hasSize(300);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 1L << 31, 1L << 58, 1L << 62, 1L << 63})
  void everyHashEndsWithDistinctPositions(long hash) {
    for (int hashes : new int[] {1, 2, 13, 63, 64}) {
      assertThat(new HashSet<>(draw(new DistinctPositions(64, hashes), hash))).hasSize(hashes);
    }
    int most = Positions.MAX_HASHES;
    assertThat(new HashSet<>(draw(new DistinctPositions(most, most), hash))).hasSize(most);
  }

  @Test
  void everySetOfPositionsIsAsLikelyAsEveryOther() {
    for (int hashes : new int[] {2, 3, 4}) {
      DistinctPositions positions = new DistinctPositions(6, hashes);
      Map<Set<Long>, Integer> seen = new HashMap<>();
      int draws = 30_000;
      SplittableRandom random = new SplittableRandom(hashes);
      for (int i = 0; i < draws; i++) {
        seen.merge(new HashSet<>(draw(positions, random.nextLong())), 1, Integer::sum);
      }
      int sets = hashes == 3 ? 20 : 15;
      assertThat(seen).hasSize(sets);
      double expected = (double) draws / sets;
      double chiSquared =
          seen.values().stream().mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
      assertThat(ChiSquaredDistribution.of(sets - 1).survivalProbability(chiSquared))
          .isGreaterThan(1e-9);
    }
  }

  @Test
  void moreHashesThanCellsAreRefused() {
    assertThatThrownBy(() -> new DistinctPositions(10, 11))
        .hasMessageContaining("11 hashes")
        .hasMessageContaining("10 bits");
    assertThatThrownBy(() -> new DistinctPositions(10, 0)).hasMessageContaining("hashes");
  }
}
