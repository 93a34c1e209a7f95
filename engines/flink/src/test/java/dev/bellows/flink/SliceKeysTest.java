package dev.bellows.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;

class SliceKeysTest {
  /** The keys belong to savepoints of version 1: they never change. */
  @Test
  void theKeysOfSlicesAreFrozen() {
    int[] keys = IntStream.range(0, 1024).map(new SliceKeys(1024)::key).toArray();
    assertThat(Arrays.copyOf(keys, 6)).containsExactly(FIRST);
    assertThat(Arrays.hashCode(keys)).isEqualTo(DIGEST);
    assertThat(Arrays.stream(keys).distinct().count()).isEqualTo(1024);
    int[] fewer = IntStream.range(0, 64).map(new SliceKeys(64)::key).toArray();
    assertThat(fewer).isEqualTo(Arrays.copyOf(keys, 64));
  }

  private static final int[] FIRST = {312, 13, 151, 196, 52, 81};
  private static final int DIGEST = 1_306_194_283;

  @Test
  void theSliceIsInTheLowBits() {
    SliceKeys keys = new SliceKeys(256);
    for (long hash : new long[] {0, 1, 255, 256, -1, Long.MIN_VALUE, 0x1234_5678_9abc_def0L}) {
      assertThat(keys.key(hash)).isEqualTo(keys.key(hash & 255));
    }
  }

  @Test
  void everySubtaskHasItsShare() {
    SliceKeys keys = new SliceKeys(1024);
    for (int parallelism : new int[] {1, 2, 3, 5, 7, 16, 64, 100, 128}) {
      int[] slices = new int[parallelism];
      for (int slice = 0; slice < 1024; slice++) {
        slices[
            KeyGroupRangeAssignment.assignKeyToParallelOperator(
                keys.key(slice), 128, parallelism)]++;
      }
      int groups = (128 + parallelism - 1) / parallelism;
      assertThat(Arrays.stream(slices).boxed())
          .allMatch(count -> count <= 8 * groups && count >= 8 * (groups - 1));
    }
  }
}
