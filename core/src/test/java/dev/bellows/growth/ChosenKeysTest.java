package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.Rates;
import dev.bellows.growth.FingerprintFilter.PrefixStream;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.internal.prefixes.PrefixHooks;
import dev.bellows.internal.prefixes.PrefixSource;
import dev.bellows.internal.prefixes.PrefixStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Keys of an adversary who knows the seed and can choose hashes that agree in any number of bits:
 * the only damage is false positives near the chosen hashes.
 */
class ChosenKeysTest {
  private static final long CHOSEN = 0x5A5A_1234_5678_9ABCL;

  private final SplittableRandom random = new SplittableRandom(29);

  private static FingerprintFilter filter(boolean removable) {
    FingerprintFilter.Builder builder = FingerprintFilter.builder().fpp(0.01);
    return (removable ? builder.removable() : builder).build();
  }

  /** Hashes that agree in their first bits. */
  private long[] agreeing(int bits, int count) {
    long rest = bits == 64 ? 0 : -1L >>> bits;
    return random.longs(count).map(hash -> (CHOSEN & ~rest) | (hash & rest)).toArray();
  }

  private static void putAll(FingerprintFilter filter, long[] hashes) {
    for (long hash : hashes) {
      filter.putHash(hash);
    }
  }

  private static void assertHolds(FingerprintFilter filter, long[] hashes) {
    for (long hash : hashes) {
      if (!filter.mightContainHash(hash)) {
        throw new AssertionError("lost " + Long.toHexString(hash) + " of " + filter);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "false, 9", "false, 15", "false, 17", "false, 24", "false, 40", "false, 64",
    "true, 9", "true, 15", "true, 17", "true, 24", "true, 40", "true, 64"
  })
  void otherKeysAreFoundWhateverKeysAreChosen(boolean removable, int bits) throws IOException {
    FingerprintFilter filter = filter(removable);
    long[] chosen = agreeing(bits, 50_000);
    long[] before = random.longs(10_000).toArray();
    long[] after = random.longs(60_000).toArray();
    // the first alone, the others among ordinary keys
    putAll(filter, Arrays.copyOf(chosen, 17_000));
    putAll(filter, before);
    putAll(filter, chosen);
    putAll(filter, after);
    FingerprintFilter other = filter(removable);
    putAll(other, agreeing(bits, 20_000));
    for (FingerprintFilter each :
        List.of(
            filter,
            filter.copy(),
            FingerprintFilter.fromBytes(filter.toBytes()),
            filter.union(other, 1),
            filter.foldToFpp(0.1),
            filter.intersection(filter, 1))) {
      assertHolds(each, chosen);
      assertHolds(each, before);
      assertHolds(each, after);
      FingerprintFilter read = FingerprintFilter.fromBytes(each.toBytes());
      assertThat(read).isEqualTo(each.copy());
      assertThat(each.heapBytes()).isLessThan(1_000_000);
    }
    assertThat(filter.expectedFpp()).isLessThan(0.02);
    assertThat(PrefixHooks.mostSlots(filter.store())).isLessThanOrEqualTo(8192);
    assertThat(PrefixHooks.mostInBucket(filter.store())).isLessThanOrEqualTo(511);
  }

  @ParameterizedTest
  @CsvSource({"false, 6", "false, 20", "true, 6", "true, 20"})
  void aMillionChosenKeysAreAccepted(boolean removable, int bits) throws IOException {
    FingerprintFilter filter = filter(removable);
    long[] chosen = agreeing(bits, 1_000_000);
    putAll(filter, chosen);
    assertHolds(filter, chosen);
    assertHolds(FingerprintFilter.fromBytes(filter.toBytes()), chosen);
    assertThat(filter.heapBytes()).isLessThan(3_000_000);
    assertThat(PrefixHooks.mostSlots(filter.store())).isLessThanOrEqualTo(8192);
    assertThat(PrefixHooks.mostInBucket(filter.store())).isLessThanOrEqualTo(511);
  }

  /** Hashes that differ only in their low bits, at the lowest rate, where all bits are kept. */
  @Test
  void consecutiveHashesAreAccepted() throws IOException {
    for (boolean removable : new boolean[] {false, true}) {
      FingerprintFilter.Builder builder = FingerprintFilter.builder().fpp(1e-15);
      FingerprintFilter filter = (removable ? builder.removable() : builder).build();
      long[] chosen = new long[100_000];
      Arrays.setAll(chosen, i -> (long) i << 8);
      putAll(filter, chosen);
      assertHolds(filter, chosen);
      assertHolds(FingerprintFilter.fromBytes(filter.toBytes()), chosen);
    }
  }

  @Test
  void theRateOfASetIsStillTheOneItStates() {
    FingerprintFilter filter = filter(false);
    putAll(filter, random.longs(20_000).toArray());
    for (int i = 0; i < 200; i++) {
      long first = random.nextLong() & -1L << 44;
      putAll(filter, random.longs(1000).map(hash -> first | hash >>> 20).toArray());
    }
    int trials = 1_000_000;
    long passed = random.longs(trials).filter(filter::mightContainHash).count();
    BinomialInterval interval = BinomialInterval.of(passed, trials, Rates.ALPHA);
    assertThat(interval.contains(filter.expectedFpp())).isTrue();
  }

  /**
   * The bound without a secret: N chosen keys that arrive when a set has n others raise its rate by
   * at most N / 2^21, and by N / 900 n once that is lower. The worst ones known fill one chunk, in
   * which they are spread evenly.
   */
  @ParameterizedTest
  @CsvSource({"0, 9", "1000, 9", "10000, 11", "67416, 13", "200000, 15"})
  void chosenKeysRaiseTheRateByNoMoreThanTheBound(int others, int bits) {
    FingerprintFilter filter = FingerprintFilter.create(1e-6);
    putAll(filter, random.longs(others).toArray());
    int chosen = 8_200;
    long rest = -1L >>> bits;
    for (long i = 0; i < chosen; i++) {
      long spread = Long.reverse(i) >>> bits;
      filter.putHash((CHOSEN & ~rest) | spread | random.nextLong() >>> 32);
    }
    double rate = filter.expectedFpp();
    double bound = chosen / Math.max(1 << 21, 900.0 * others);
    assertThat(rate).isBetween(bound / 4, bound + 1e-6);
    int trials = 4_000_000;
    long passed = random.longs(trials).filter(filter::mightContainHash).count();
    assertThat(BinomialInterval.of(passed, trials, Rates.ALPHA).contains(rate)).isTrue();
  }

  /** A full chunk splits once ordinary keys have made the filter large enough. */
  @Test
  void aFullChunkSplitsWhenTheFilterHasGrown() {
    FingerprintFilter filter = filter(false);
    putAll(filter, agreeing(9, 17_000));
    int few = filter.store().chunks();
    putAll(filter, random.longs(200_000).toArray());
    assertThat(filter.store().chunks()).isGreaterThan(few + 300);
    putAll(filter, agreeing(9, 17_000));
    assertThat(PrefixHooks.mostSlots(filter.store())).isLessThan(2000);
  }

  /** Prefixes that differ only in bits that have not arrived. */
  @Test
  void aStreamThatEndsEarlyHoldsChosenKeys() throws IOException {
    long[] chosen = agreeing(20, 20_000);
    Arrays.sort(chosen);
    PrefixSource prefixes =
        new PrefixSource() {
          private int next;

          @Override
          public boolean next() {
            return next < chosen.length && found(PrefixSource.first(chosen[next++], 60), 60);
          }
        };
    FingerprintPlan plan = FingerprintPlan.of(0.01);
    PrefixStore store =
        FingerprintFilter.emptyStore(plan, true)
            .load(prefixes, chosen.length, 0, PrefixStore.Allowed.NOTHING, bytes -> {});
    byte[] bytes = new FingerprintFilter(plan, HashScheme.DEFAULT, true, store).toBytes();
    for (int cut : new int[] {bytes.length / 2, bytes.length / 6}) {
      PrefixStream stream =
          PrefixStream.readFrom(new ByteArrayInputStream(Arrays.copyOf(bytes, cut)));
      assertHolds(stream.filter(), chosen);
      assertHolds(FingerprintFilter.fromBytes(stream.filter().toBytes()), chosen);
      assertThat(stream.planes() < 4).isEqualTo(cut < bytes.length / 2);
    }
  }

  /** A union of many filters with the same keys, each with the maximum count. */
  @Test
  void aUnionOfFrequentKeysIsPossible() throws IOException {
    long[] often = agreeing(64, 1);
    FingerprintFilter one = filter(true);
    for (int i = 0; i < 255; i++) {
      putAll(one, often);
    }
    FingerprintFilter all = one;
    for (int i = 0; i < 8; i++) {
      all = all.union(all, 1);
    }
    assertHolds(all, often);
    for (int i = 0; i < 300; i++) {
      all.removeHash(often[0]);
    }
    assertHolds(all, often);
    assertHolds(FingerprintFilter.fromBytes(all.toBytes()), often);
  }
}
