package dev.bellows.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import org.junit.jupiter.api.Test;

/** Default sizes can be folded. */
class DefaultSizesTest {
  private static final int BLOCK = Layout.Blocked.BLOCK_BITS;
  private static final Layout LAYOUT = new Layout.Blocked(2, 3);

  @Test
  void blocksAreDivisibleByTwoOrThreeAndThenByBoth() {
    for (long need = 1; need < 100_000; need += need < 5000 ? 1 : 7) {
      long blocks = LAYOUT.foldableBits((double) need * BLOCK) / BLOCK;
      if (need >= 8) {
        assertThat(blocks % 2 == 0 || blocks % 3 == 0).as("%d for %d", blocks, need).isTrue();
      }
      if (need >= 170) {
        assertThat(blocks % 6).as("%d for %d", blocks, need).isZero();
      }
    }
  }

  /** One block more at most below 170, less than 3 % above, and never fewer than needed. */
  @Test
  void defaultSizesCostLittle() {
    for (long need = 1; need < 20_000; need++) {
      long blocks = LAYOUT.foldableBits((double) need * BLOCK) / BLOCK;
      long most =
          need < 8
              ? need
              : need < 170 ? Math.max(need + 1, need * 102 / 100) : need + Math.max(5, need / 50);
      assertThat(blocks).as("for %d", need).isBetween(need, most);
      if (need >= 64) {
        assertThat((double) blocks / need).isLessThan(1.03);
      }
    }
    for (double need = 1e6; need < 1e15; need *= 7.3) {
      long bits = LAYOUT.foldableBits(need);
      assertThat(bits % (6L * BLOCK)).isZero();
      assertThat(bits / need).isBetween(1.0, 1.02 + BLOCK / need);
    }
  }

  @Test
  void ordinaryFiltersOfDifferentSizesMerge() {
    BloomFilter two = BloomFilter.create(2000, 0.01);
    BloomFilter three = BloomFilter.create(3000, 0.01);
    assertThat(two.bits()).isEqualTo(42L * BLOCK);
    assertThat(two.ladder()).hasSize(8);
    assertThat(three.ladder()).hasSize(4);
    two.put("a");
    three.put("b");
    assertThat(two.union(three).bits()).isGreaterThan(BLOCK);
  }

  @Test
  void explicitBitsStayExact() {
    assertThat(BloomFilter.builder().bits(41L * BLOCK).fpp(0.01).build().bits())
        .isEqualTo(41L * BLOCK);
    assertThat(BloomFilter.builder().capacity(43L * BLOCK).fpp(0.01).build().bits())
        .isEqualTo(43L * BLOCK);
  }
}
