package dev.bellows.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Layout;
import dev.bellows.internal.rates.Cells;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The block of a hash is its upper 62 bits modulo the number of blocks, to the last bit. */
class PositionsTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 7, 64, 4095, 4096, 4097, 19_800, 1_000_003, (1 << 22) - 1})
  void theReciprocalDividesExactly(long blocks) {
    Positions layout = Positions.of(Cells.of(Layout.BLOCKED, 8), 512 * blocks);
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
                assertThat(layout.position(value << 2 | low, 0) >>> 9).isEqualTo(value % blocks);
              }
            });
  }
}
