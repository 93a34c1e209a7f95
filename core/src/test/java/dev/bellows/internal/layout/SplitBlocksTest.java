package dev.bellows.internal.layout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.math.BinomialInterval;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SplitBlocksTest {
  private static long[] hashes(int count, long seed) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  private static HeapBits built(long blocks, long[] hashes) {
    HeapBits bits = HeapBits.aligned(blocks * SplitBlocks.BLOCK_BITS);
    for (long hash : hashes) {
      SplitBlocks.put(bits, hash);
    }
    return bits;
  }

  @Test
  void anySizeBecomesAnyOtherWithoutLosingAKey() {
    for (int from = 1; from <= 40; from++) {
      long[] hashes = hashes(5 * from, from);
      HeapBits bits = built(from, hashes);
      for (int to = 1; to <= 50; to++) {
        HeapBits resized = SplitBlocks.resize(bits, to);
        HeapBits direct = built(to, hashes);
        assertThat(SplitBlocks.blocks(resized)).isEqualTo(to);
        assertThat(direct.isSubsetOf(resized)).as("%d to %d", from, to).isTrue();
        if (from % to == 0) {
          assertThat(resized).as("%d to %d", from, to).isEqualTo(direct);
        }
      }
    }
  }

  @Test
  void keysAtTheEndsOfABlockStayToo() {
    int from = 24_576;
    int to = 16_384;
    for (int block = 0; block < from; block += 1_023) {
      // the least and the greatest upper half that chooses the block, by search
      long low = 0;
      for (long step = 1L << 31; step > 0; step >>= 1) {
        low += ((low + step - 1) * from) >>> 32 < block ? step : 0;
      }
      for (long half : new long[] {low, Math.max(0, low - 1)}) {
        long[] hash = {half << 32 | 0x12345678L};
        HeapBits resized = SplitBlocks.resize(built(from, hash), to);
        assertThat(SplitBlocks.test(resized, hash[0])).isTrue();
      }
    }
  }

  @Test
  void theRateOfAFilterIsMeasured() {
    HeapBits bits = built(100, hashes(2_000, 1));
    int asked = 200_000;
    long passed = 0;
    for (long hash : hashes(asked, 2)) {
      passed += SplitBlocks.test(bits, hash) ? 1 : 0;
    }
    assertThat(BinomialInterval.of(passed, asked, 1e-9).contains(SplitBlocks.fpp(bits))).isTrue();
  }

  @Test
  void thePredictedRateIsTheMeanOverFilters() {
    long blocks = 1 << 14;
    for (int keysPerBlock : new int[] {5, 20, 60}) {
      long keys = keysPerBlock * blocks;
      int asked = 400_000;
      HeapBits bits = built(blocks, hashes((int) keys, keysPerBlock));
      long passed = 0;
      for (long hash : hashes(asked, 3)) {
        passed += SplitBlocks.test(bits, hash) ? 1 : 0;
      }
      double predicted = SplitBlocks.fpp(blocks, keys);
      assertThat(BinomialInterval.of(passed, asked, 1e-9).contains(predicted))
          .as("%d per block: %s of %d, predicted %s", keysPerBlock, passed, asked, predicted)
          .isTrue();
    }
    assertThat(SplitBlocks.fpp(1, 0)).isZero();
    assertThat(SplitBlocks.fpp(1, 1_000_000)).isEqualTo(1);
  }
}
