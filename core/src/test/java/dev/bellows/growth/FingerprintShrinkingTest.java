package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.internal.prefixes.PrefixHooks;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fingerprint filter releases the memory of removed keys, and can grow again. */
class FingerprintShrinkingTest {
  private static final int MANY = 1_000_000;
  private static final int FEW = 1000;

  private static FingerprintFilter removable(double fpp) {
    return FingerprintFilter.builder().fpp(fpp).removable().build();
  }

  private static void putAll(FingerprintFilter filter, long[] hashes, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(filter.putHash(hashes[i])).isTrue();
    }
  }

  private static void removeAll(FingerprintFilter filter, long[] hashes, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(filter.removeHash(hashes[i])).isTrue();
    }
  }

  private static void assertHolds(FingerprintFilter filter, long[] hashes, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(filter.mightContainHash(hashes[i])).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.02, 0.004, 1e-4, 1e-6})
  void theHeapFollowsTheKeys(double fpp) {
    long[] hashes = new SplittableRandom(1).longs(MANY).toArray();
    FingerprintFilter filter = removable(fpp);
    putAll(filter, hashes, 0, MANY);
    int removed = 0;
    for (int left : new int[] {MANY / 100, MANY / 1000}) {
      removeAll(filter, hashes, removed, MANY - left);
      removed = MANY - left;
      assertThat((double) filter.heapBytes()).isLessThanOrEqualTo(1.15 * filter.copy().heapBytes());
      assertHolds(filter, hashes, removed, MANY);
      assertThat(filter.approximateElementCount()).isEqualTo(left);
    }
    assertThat(filter.joins()).isEqualTo(filter.splits() - filter.store().chunks() + 1);
    removeAll(filter, hashes, removed, MANY);
    // the copies of prefixes without bits left stay
    long copies = filter.store().tally().copies();
    assertThat(filter.store().tally().total()).isEqualTo(copies);
    assertThat(copies > 0).isEqualTo(fpp == 0.02);
    if (copies == 0) {
      assertThat(filter.store().chunks()).isEqualTo(1);
      assertThat(PrefixHooks.entries(filter.store())).isEqualTo(1);
      assertThat(filter.expectedFpp()).isZero();
    }
  }

  /** A chunk that was joined has room, and one that was split has many keys. */
  @Test
  void aNumberOfKeysThatSwingsSplitsAndJoinsSeldom() {
    FingerprintFilter filter = removable(0.004);
    int chunkKeys = filter.plan().chunkKeys();
    SplittableRandom random = new SplittableRandom(2);
    // at every load a chunk can have, and by swings that cross the border between two depths
    for (int keys = 16 * chunkKeys; keys < 64 * chunkKeys; keys += 5 * chunkKeys) {
      for (int swing : new int[] {keys / 100, keys / 10}) {
        FingerprintFilter swinging = removable(0.004);
        long[] hashes = random.longs(keys).toArray();
        putAll(swinging, hashes, 0, keys);
        long before = swinging.splits() + swinging.joins();
        int operations = 0;
        for (int round = 0; round < 20; round++) {
          removeAll(swinging, hashes, 0, swing);
          putAll(swinging, hashes, 0, swing);
          operations += 2 * swing;
        }
        assertThat(swinging.splits() + swinging.joins() - before)
            .isLessThanOrEqualTo(operations / (chunkKeys / 8));
        assertHolds(swinging, hashes, 0, keys);
      }
    }
  }

  @Test
  void theRateIsTheOneItStatesAfterGrowingShrinkingAndGrowingAgain() {
    SplittableRandom random = new SplittableRandom(3);
    long[] hashes = random.longs(MANY).toArray();
    long[] others = random.longs(MANY).toArray();
    FingerprintFilter filter = removable(0.004);
    FingerprintPlan plan = filter.plan();
    putAll(filter, hashes, 0, FEW);
    double few = assertRate(filter, random);
    putAll(filter, hashes, FEW, MANY);
    double many = assertRate(filter, random);
    removeAll(filter, hashes, FEW, MANY);
    // the first keys have the bits that they had at first
    assertThat(assertRate(filter, random)).isEqualTo(few);
    putAll(filter, others, FEW, MANY);
    assertRate(filter, random);
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(plan.fppAt(MANY) * 1.02);
    // the last keys have more bits than a filter with this few keys needs
    removeAll(filter, hashes, 0, FEW);
    removeAll(filter, others, FEW, MANY - FEW);
    assertThat(filter.expectedFpp()).isLessThan(few / 100);
    FingerprintFilter.Trim trim = filter.trim();
    assertThat(trim.fppBefore()).isLessThan(trim.fppAfter());
    assertThat(trim.fppAfter()).isBetween(few / 2, plan.fppAt(FEW));
    assertThat(assertRate(filter, random)).isEqualTo(trim.fppAfter());
    assertHolds(filter, others, MANY - FEW, MANY);
    putAll(filter, hashes, FEW, MANY);
    assertThat(assertRate(filter, random)).isBetween(many / 1.1, many * 1.1);
    assertHolds(filter, others, MANY - FEW, MANY);
    assertHolds(filter, hashes, FEW, MANY);
  }

  /** Measures the rate with enough hashes to detect a factor of two. */
  private static double assertRate(FingerprintFilter filter, SplittableRandom random) {
    int trials = 1_000_000;
    long passed = random.longs(trials).filter(filter::mightContainHash).count();
    BinomialInterval interval = BinomialInterval.of(passed, trials, Rates.ALPHA);
    double rate = filter.expectedFpp();
    assertThat(interval.contains(rate)).as("%s, %s", rate, interval).isTrue();
    assertThat(interval.contains(rate / 2) || interval.contains(2 * rate)).isFalse();
    return rate;
  }

  @Test
  void trimKeepsAllKeysAndReleasesMemory() {
    long[] hashes = new SplittableRandom(4).longs(200_000).toArray();
    FingerprintFilter filter = removable(0.001);
    FingerprintFilter.Trim none = filter.trim();
    assertThat(none).isEqualTo(new FingerprintFilter.Trim(0, 0));
    putAll(filter, hashes, 0, hashes.length);
    // all bits are needed
    double rate = filter.expectedFpp();
    assertThat(filter.trim().fppAfter()).isBetween(rate, filter.plan().fppAt(hashes.length));
    removeAll(filter, hashes, 2000, hashes.length);
    removeAll(filter, hashes, 0, 1000);
    long before = filter.heapBytes();
    filter.trim();
    assertThat(filter.heapBytes()).isLessThan(before);
    assertHolds(filter, hashes, 1000, 2000);
    // a set can only release spare room in its chunks
    FingerprintFilter set = FingerprintFilter.create(0.01);
    for (long hash : hashes) {
      set.putHash(hash);
    }
    set.trim();
    assertHolds(set, hashes, 0, hashes.length);
    assertThat(set.expectedFpp()).isLessThanOrEqualTo(set.plan().fppAt(hashes.length));
  }

  /** Splits and joins only write prefixes to new arrays. */
  @Test
  void aJoinTakesNoMoreWorkThanASplit() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] hashes = new SplittableRandom(5).longs(100_000).toArray();
    FingerprintFilter filter = removable(0.004);
    long split = 0;
    for (long hash : hashes) {
      long splits = filter.splits();
      long before = threads.getCurrentThreadAllocatedBytes();
      filter.putHash(hash);
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      split = filter.splits() > splits ? Math.max(split, bytes) : split;
    }
    long join = 0;
    for (long hash : hashes) {
      long joins = filter.joins();
      long before = threads.getCurrentThreadAllocatedBytes();
      filter.removeHash(hash);
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      // one removal may join several pairs, one after the other
      join = filter.joins() == joins + 1 ? Math.max(join, bytes) : join;
    }
    assertThat(join).isPositive().isLessThanOrEqualTo(split);
  }

  /** A copy has read the chunks of the lower half when nearly all keys go and all chunks join. */
  @Test
  void aCopyDuringJoinsHasEveryKeyOnce() {
    long[] hashes = new SplittableRandom(6).longs(20_000).toArray();
    FingerprintFilter filter = removable(1e-9);
    putAll(filter, hashes, 0, hashes.length);
    int chunks = filter.store().chunks();
    PrefixHooks.onceInAScan(
        filter.store(), 5L << 60 | 1L << 63, () -> removeAll(filter, hashes, 400, hashes.length));
    FingerprintFilter copy = filter.copy();
    assertThat(filter.store().chunks()).isLessThan(chunks / 10);
    long[] kept = Arrays.copyOf(hashes, 400);
    for (long hash : kept) {
      assertThat(copy.removeHash(hash)).isTrue();
      assertThat(copy.mightContainHash(hash)).isFalse();
    }
  }
}
