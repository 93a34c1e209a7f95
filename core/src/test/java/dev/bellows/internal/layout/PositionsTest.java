package dev.bellows.internal.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Layout;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The block of a hash is its upper 62 bits modulo the number of blocks, to the last bit. */
class PositionsTest {
  @ParameterizedTest
  @ValueSource(
      longs = {
        1,
        2,
        3,
        5,
        7,
        64,
        4095,
        4096,
        4097,
        19_800,
        1_000_003,
        (1 << 22) - 1,
        1L << 37,
        (1L << 37) - 1
      })
  void theReciprocalDividesExactly(long blocks) {
    Positions layout = Positions.of(Layout.Family.BLOCKED.withHashes(8), 512 * blocks);
    long multiples = (Long.MAX_VALUE >>> 1) / blocks;
    LongStream nearMultiples =
        new SplittableRandom(blocks)
            .longs(20_000, 0, multiples + 1)
            .map(times -> times * blocks)
            .flatMap(value -> LongStream.of(value - 1, value, value + 1));
    LongStream.concat(LongStream.of(0, 1, Long.MAX_VALUE >>> 1, multiples * blocks), nearMultiples)
        .filter(value -> value >= 0 && value <= Long.MAX_VALUE >>> 1)
        .forEach(
            value -> {
              for (long low = 0; low < 4; low++) {
                long hash = value << 2 | low;
                long first = layout.at(hash, layout.step(layout.begin(hash), 0), 0);
                assertThat(first >>> 9).isEqualTo(value % blocks);
              }
            });
  }

  /** Hashes that a multiplication alone would always send to the same position. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1L << 31, 1L << 58, 1L << 62, 1L << 63, -1})
  void noHashHasOnePositionOnly(long hash) {
    for (long bits : new long[] {64, 120, 840, 55_440, 1 << 20}) {
      Positions layout = Positions.classic(bits, 40);
      Set<Long> seen = new HashSet<>();
      long value = layout.begin(hash);
      for (int i = 0; i < 40; i++) {
        value = layout.step(value, i);
        seen.add(layout.at(hash, value, i));
      }
      // 40 throws into 64 cells hit fewer than 18 different ones with a probability of 1e-5
      assertThat(seen).hasSizeGreaterThan(17);
    }
  }

  /** Two keys that share their first position do not share all others. */
  @Test
  void keysThatShareAPositionDoNotShareTheRest() {
    long bits = 1 << 20;
    Positions layout = Positions.classic(bits, 8);
    SplittableRandom random = new SplittableRandom(5);
    for (int trial = 0; trial < 1000; trial++) {
      long hash = random.nextLong();
      // equal in the lowest 54 bits, on which the first position depends at a power of two
      long twin = hash ^ random.nextLong() << 54;
      if (twin == hash) {
        continue;
      }
      long value = layout.begin(hash);
      long other = layout.begin(twin);
      int same = 0;
      for (int i = 0; i < 8; i++) {
        value = layout.step(value, i);
        other = layout.step(other, i);
        same += layout.at(hash, value, i) == layout.at(twin, other, i) ? 1 : 0;
      }
      assertThat(same).isLessThan(3);
    }
  }

  @Test
  void patternsDocumentTheirChoice() {
    assertThat(new Layout.Blocked(2, 2).describe())
        .endsWith(", the rule's choice for rates above 2.5 %)");
    assertThat(new Layout.Blocked(4, 2).describe())
        .endsWith(", the rule's choice for rates above 0.02 % up to 0.5 %)");
    assertThat(new Layout.Blocked(8, 2).describe())
        .endsWith(", the rule's choice for rates up to 0.001 %)");
    assertThat(new Layout.Blocked(8, 1).describe()).contains("by the caller");
  }
}
