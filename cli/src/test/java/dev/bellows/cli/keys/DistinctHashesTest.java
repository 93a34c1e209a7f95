package dev.bellows.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DistinctHashesTest {
  private final HashSpill.Distinct distinct = new HashSpill.Distinct();

  @Test
  void keepsTheFirstOfEachInOrder() {
    assertThat(kept()).isEmpty();
    assertThat(kept(0)).containsExactly(0);
    assertThat(kept(0, 0, 5, 0, 5, -1, -1)).containsExactly(0, 5, -1);
    assertThat(kept(3, 2, 1, 2, 3)).containsExactly(3, 2, 1);
  }

  @Test
  void aTableThatWasUsedForgets() {
    long[] many = new Random(3).longs(5000).toArray();
    assertThat(kept(many)).hasSize(5000);
    assertThat(kept(many)).isEqualTo(many);
    assertThat(kept(many[0], many[1])).containsExactly(many[0], many[1]);
  }

  @Test
  void codesThatAreNotHashesAreSpread() {
    long[] codes = new long[20_000];
    for (int i = 0; i < codes.length; i++) {
      codes[i] = Long.reverse(i / 2);
    }
    assertThat(kept(codes)).hasSize(10_000);
  }

  private long[] kept(long... hashes) {
    long[] copy = hashes.clone();
    return Arrays.copyOf(copy, distinct.keepFirst(copy, copy.length));
  }
}
