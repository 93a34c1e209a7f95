package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.MappedFilter;
import dev.bellows.Rates;
import dev.bellows.frozen.FrozenFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten million keys in many segments, on the heap and from a stream. */
@Tag("scale")
class FrozenScaleTest {
  private static final int KEYS = 10_000_000;

  /** Ascending as unsigned numbers: one at a random place of each of equal parts. */
  private static long[] ascending() {
    long[] hashes = new long[KEYS];
    SplittableRandom random = new SplittableRandom(4);
    long step = Long.divideUnsigned(-1L, KEYS + 1L);
    long hash = 0;
    for (int i = 0; i < KEYS; i++) {
      hashes[i] = hash + random.nextLong(step);
      hash += step;
    }
    return hashes;
  }

  @Test
  void tenMillionKeysAreWithinOnePercentOfTheLimit(@TempDir Path folder) throws IOException {
    long[] hashes = new SplittableRandom(3).longs(KEYS).toArray();
    for (double fpp : new double[] {0.01, 0.001}) {
      FrozenFilter filter = FrozenFilter.builder().fpp(fpp).build(hashes);
      boolean[] hits = new boolean[KEYS];
      assertThat(filter.countMightContainHashes(hashes, 0, KEYS, hits)).isEqualTo(KEYS);
      assertThat(8.0 * filter.sizeInBytes() / filter.keys() / filter.columns()).isLessThan(1.008);
      SplittableRandom absent = new SplittableRandom(9);
      Rates.assertRate(
          4_000_000, i -> filter.mightContainHash(absent.nextLong()), filter.expectedFpp());
    }
    Path file = folder.resolve("stream");
    long[] sorted = ascending();
    int[] next = {0};
    try (MappedFilter<FrozenFilter> mapped =
        FrozenFilter.builder()
            .fpp(0.01)
            .build(
                file,
                KEYS,
                (into, at, most) -> {
                  int length = Math.min(most, KEYS - next[0]);
                  System.arraycopy(sorted, next[0], into, at, length);
                  next[0] += length;
                  return length;
                })) {
      boolean[] hits = new boolean[KEYS];
      assertThat(mapped.filter().countMightContainHashes(sorted, 0, KEYS, hits)).isEqualTo(KEYS);
    }
    assertThat(Files.readAllBytes(file))
        .isEqualTo(FrozenFilter.builder().fpp(0.01).build(sorted).toBytes());
  }
}
