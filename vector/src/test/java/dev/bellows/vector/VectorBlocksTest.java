package dev.bellows.vector;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bellows.BloomFilter;
import dev.bellows.internal.rates.BlockedCells;
import dev.bellows.internal.store.BlockKernel;
import dev.bellows.internal.store.Positions;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors give the bits and the answers of plain Java. */
class VectorBlocksTest {
  private static final int WORDS = 6 + 8 * 64;

  private final SplittableRandom random = new SplittableRandom(7);
  private final BlockKernel vector = new VectorBlocks();

  @Test
  void theyAreInUseWhereTheMachineHasThem() {
    assertThat(BloomFilter.acceleration()).isEqualTo(vector.isUsable() ? "vector" : "scalar");
  }

  @Test
  void blocksAreSetAndTestedAlike() {
    long[] plain = new long[WORDS];
    long[] lanes = new long[WORDS];
    int passed = 0;
    for (int i = 0; i < 20_000; i++) {
      if (i % 2000 == 0) {
        Arrays.fill(plain, 0);
        Arrays.fill(lanes, 0);
      }
      int block = 6 + 8 * random.nextInt(64);
      long fields = random.nextLong();
      BlockKernel.SCALAR.load(plain, block, fields);
      vector.load(lanes, block, fields);
      assertThat(vector.test(lanes, block, fields)).isTrue();
      long asked = random.nextLong();
      boolean passes = BlockKernel.SCALAR.test(plain, block, asked);
      assertThat(vector.test(lanes, block, asked)).isEqualTo(passes);
      passed += passes ? 1 : 0;
    }
    assertThat(lanes).isEqualTo(plain);
    assertThat(passed).isBetween(1, 19_999);
  }

  @Test
  void oneMissingBitIsSeenInEveryLane() {
    for (int lane = 0; lane < 8; lane++) {
      long fields = random.nextLong();
      long[] words = new long[8];
      Arrays.fill(words, -1);
      words[lane] &= ~(1L << (fields >>> (58 - 6 * lane)));
      assertThat(vector.test(words, 0, fields)).isFalse();
      words[lane] = -1;
      assertThat(vector.test(words, 0, fields)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16})
  void filtersHaveTheFrozenPositions(int hashes) {
    long bits = 512 * 100;
    Positions positions = Positions.of(new BlockedCells(hashes), bits);
    long[] keys = random.longs(3000).toArray();
    boolean[] frozen = new boolean[(int) bits];
    BloomFilter.Builder builder = BloomFilter.builder().bits(bits).hashes(hashes);
    BloomFilter put = builder.build();
    for (long key : keys) {
      long hash = put.hashScheme().hash(key);
      put.putHash(hash);
      for (int probe = 0; probe < hashes; probe++) {
        frozen[(int) positions.position(hash, probe)] = true;
      }
    }
    assertThat(builder.buildFrom(keys)).isEqualTo(put);
    long[] asked = random.longs(20_000).toArray();
    boolean[] hits = new boolean[asked.length];
    put.countMightContain(asked, hits);
    for (int i = 0; i < asked.length; i++) {
      long hash = put.hashScheme().hash(asked[i]);
      boolean expected = true;
      for (int probe = 0; probe < hashes; probe++) {
        expected &= frozen[(int) positions.position(hash, probe)];
      }
      assertThat(hits[i]).isEqualTo(expected);
      assertThat(put.mightContain(asked[i])).isEqualTo(expected);
    }
  }

  @Test
  void compiledVectorsAreNotObjects() {
    long[] keys = random.longs(10_000).toArray();
    BloomFilter filter = BloomFilter.builder().keys(10_000).fpp(0.01).buildFrom(keys);
    boolean[] hits = new boolean[keys.length];
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = Long.MAX_VALUE;
    int found = 0;
    for (int attempt = 0; attempt < 200 && allocated >= keys.length; attempt++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      found += filter.countMightContain(keys, hits);
      for (long key : keys) {
        found += filter.mightContain(key) ? 1 : 0;
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertThat(found).isPositive();
    assertThat(allocated).isLessThan(keys.length);
  }
}
