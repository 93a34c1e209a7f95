package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.HashScheme;
import dev.bellows.Rates;
import dev.bellows.contract.KeyFilterContract;
import dev.bellows.growth.FingerprintFilter.PrefixStream;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.io.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FingerprintFilterTest extends KeyFilterContract<FingerprintFilter> {
  private static final long ABSENT = 1L << 40;

  @Override
  protected FingerprintFilter create(HashScheme scheme) {
    return FingerprintFilter.builder().fpp(0.01).hashScheme(scheme).build();
  }

  private static FingerprintFilter set(double fpp, long from, long to) {
    return fill(FingerprintFilter.create(fpp), from, to);
  }

  private static FingerprintFilter removable(double fpp, long from, long to) {
    return fill(FingerprintFilter.builder().fpp(fpp).removable().build(), from, to);
  }

  private static FingerprintFilter fill(FingerprintFilter filter, long from, long to) {
    LongStream.range(from, to).forEach(filter::put);
    return filter;
  }

  private static void assertHolds(FingerprintFilter filter, long from, long to) {
    for (long key = from; key < to; key++) {
      assertThat(filter.mightContain(key)).isTrue();
    }
  }

  /** The measured rate lies in the exact interval of the stated one. */
  private static void assertRate(FingerprintFilter filter, double stated) {
    int trials = 300_000;
    long passed = LongStream.range(ABSENT, ABSENT + trials).filter(filter::mightContain).count();
    BinomialInterval interval = BinomialInterval.of(passed, trials, Rates.ALPHA);
    assertThat(stated).isBetween(interval.low(), interval.high());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.1, 0.01, 0.004, 0.001, 1e-6, 1e-12})
  void theRateIsTheSumOverPrefixesAndNeverAboveTheTarget(double fpp) {
    FingerprintFilter filter = FingerprintFilter.create(fpp);
    long next = 1;
    for (long key = 0; key < 200_000; key++) {
      filter.put(key);
      if (key == next) {
        assertThat(filter.expectedFpp()).isLessThanOrEqualTo(fpp);
        next *= 2;
      }
    }
    assertHolds(filter, 0, 200_000);
    assertRate(filter, filter.expectedFpp());
    assertThat(filter.expectedFpp())
        .isCloseTo(filter.plan().fppAt(200_000), within(0.1 * filter.expectedFpp()));
  }

  @Test
  void memoryIsAsPlanned() {
    FingerprintFilter filter = FingerprintFilter.create(0.004);
    double sum = 0;
    double most = 0;
    int points = 0;
    long key = 0;
    for (double n = 100_000; n <= 1_000_000; n *= Math.pow(2, 0.125)) {
      for (; key < (long) n; key++) {
        filter.put(key);
      }
      double bits = 8.0 * filter.heapBytes() / key;
      assertThat(bits).isCloseTo(filter.plan().bitsPerKey(key), within(1.2));
      sum += bits;
      most = Math.max(most, bits);
      points++;
    }
    assertThat(sum / points).isLessThanOrEqualTo(17.5);
    assertThat(most).isLessThanOrEqualTo(19.5);
  }

  @Test
  void repetitionsDoNotMakeItGrow() {
    FingerprintFilter filter = set(0.01, 0, 20_000);
    byte[] before = filter.toBytes();
    for (long key = 0; key < 20_000; key++) {
      assertThat(filter.put(key)).isFalse();
    }
    assertThat(filter.toBytes()).isEqualTo(before);
  }

  @Test
  void growthContinuesAfterAReload() throws IOException {
    for (boolean removable : new boolean[] {false, true}) {
      FingerprintFilter whole = removable ? removable(0.01, 0, 0) : set(0.01, 0, 0);
      FingerprintFilter reloaded = whole.copy();
      for (long key = 0; key < 40_000; key++) {
        if (key % 1777 == 0) {
          reloaded = FingerprintFilter.fromBytes(reloaded.toBytes());
        }
        whole.put(key);
        reloaded.put(key);
      }
      assertThat(reloaded).isEqualTo(whole);
      assertThat(reloaded.expectedFpp()).isEqualTo(whole.expectedFpp());
      assertThat(reloaded.approximateElementCount()).isEqualTo(whole.approximateElementCount());
    }
  }

  @Test
  void everyPutCanBeRemovedOnce() {
    FingerprintFilter filter = removable(0.05, 0, 30_000);
    fill(filter, 10_000, 30_000);
    assertThat(filter.approximateElementCount()).isEqualTo(50_000);
    for (long key = 0; key < 20_000; key++) {
      assertThat(filter.remove(key)).isTrue();
    }
    assertHolds(filter, 10_000, 30_000);
    assertThat(filter.approximateElementCount()).isEqualTo(30_000);
    for (long key = 10_000; key < 30_000; key++) {
      assertThat(filter.remove(key)).isTrue();
      assertHolds(filter, Math.max(20_000, key + 1), Math.min(30_000, Math.max(20_000, key + 3)));
    }
    for (long key = 20_000; key < 30_000; key++) {
      assertThat(filter.remove(key)).isTrue();
    }
    assertThat(filter.approximateElementCount()).isZero();
    assertThat(filter.expectedFpp()).isZero();
    assertThat(filter.mightContain(5L)).isFalse();
  }

  @Test
  void randomPutsAndRemovesLoseNothing() throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 8; round++) {
      double fpp = Math.pow(10, -0.3 - random.nextDouble(4));
      FingerprintFilter filter = removable(fpp, 0, 0);
      int[] counts = new int[6000];
      for (int i = 0; i < 60_000; i++) {
        int key = random.nextInt(counts.length);
        if (counts[key] > 0 && random.nextInt(5) < 2) {
          assertThat(filter.remove((long) key)).isTrue();
          counts[key]--;
        } else if (counts[key] < 200) {
          assertThat(filter.put((long) key)).isTrue();
          counts[key]++;
        }
        if (i % 9000 == 0) {
          filter =
              random.nextBoolean() ? filter.copy() : FingerprintFilter.fromBytes(filter.toBytes());
        }
      }
      for (int key = 0; key < counts.length; key++) {
        assertThat(counts[key] == 0 || filter.mightContain((long) key)).isTrue();
      }
    }
  }

  @Test
  void aKeyPutVeryOftenIsKept() {
    FingerprintFilter filter = removable(0.01, 0, 100);
    int stored = 0;
    for (int i = 0; i < 5000; i++) {
      stored += filter.put("often") ? 1 : 0;
    }
    assertThat(stored).isEqualTo(255);
    assertThat(filter.remove("often")).isFalse();
    assertThat(filter.mightContain("often")).isTrue();
    assertHolds(filter, 0, 100);
  }

  @Test
  void aSetRefusesToRemove() {
    FingerprintFilter filter = set(0.01, 0, 10);
    assertThatThrownBy(() -> filter.remove(3L))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("removable()");
    assertThatThrownBy(() -> filter.subtract(filter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("removable()");
  }

  @Test
  void unionsOfAnySizesHoldAllKeysAndTheirRatesAddUp() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 12; round++) {
      double fpp = Math.pow(10, -1 - random.nextDouble(3));
      double otherFpp = Math.pow(10, -1 - random.nextDouble(3));
      long keys = (long) Math.pow(10, random.nextDouble(4.7));
      long others = (long) Math.pow(10, random.nextDouble(4.7));
      FingerprintFilter one = set(fpp, 0, keys);
      FingerprintFilter other = set(otherFpp, keys, keys + others);
      FingerprintFilter union = one.union(other);
      assertHolds(union, 0, keys + others);
      double sum = one.expectedFpp() + other.expectedFpp();
      assertThat(union.expectedFpp())
          .isLessThanOrEqualTo(sum * (1 + 1e-9))
          .isGreaterThan(0.8 * sum);
      assertRate(union, union.expectedFpp());
      assertThat(other.union(one)).isEqualTo(union);
      fill(union, keys + others, keys + others + 5000);
      assertHolds(union, 0, keys + others + 5000);
    }
  }

  @Test
  void aUnionWithItselfIsTheFilter() {
    FingerprintFilter filter = set(0.01, 0, 30_000);
    assertThat(filter.union(filter)).isEqualTo(filter);
    assertThat(filter.intersection(filter)).isEqualTo(filter);
    assertThat(filter.union(FingerprintFilter.create(0.01))).isEqualTo(filter);
    assertThat(filter.intersection(FingerprintFilter.create(0.01)).approximateElementCount())
        .isZero();
  }

  @Test
  void intersectionsHoldWhatIsInBoth() {
    for (boolean removable : new boolean[] {false, true}) {
      FingerprintFilter one = removable ? removable(0.01, 0, 30_000) : set(0.01, 0, 30_000);
      FingerprintFilter other =
          removable ? removable(0.001, 25_000, 25_900) : set(0.001, 25_000, 25_900);
      for (FingerprintFilter both :
          new FingerprintFilter[] {one.intersection(other), other.intersection(one)}) {
        assertHolds(both, 25_000, 25_900);
        assertThat(both.expectedFpp()).isLessThanOrEqualTo(other.expectedFpp());
        long passed = LongStream.range(0, 25_000).filter(both::mightContain).count();
        // a key of one side passes at the rate of the other
        BinomialInterval interval = BinomialInterval.of(passed, 25_000, Rates.ALPHA);
        assertThat(interval.low()).isLessThanOrEqualTo(0.01);
      }
    }
  }

  @Test
  void whatWasPutBeforeCanBeSubtracted() {
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 10; round++) {
      long gone = random.nextLong(20_000);
      long rest = random.nextLong(20_000);
      FingerprintFilter before = removable(0.01, 0, gone);
      FingerprintFilter after = fill(before.copy(), gone, gone + rest);
      FingerprintFilter left = after.subtract(before);
      assertHolds(left, gone, gone + rest);
      assertThat(left.approximateElementCount()).isBetween(rest, rest + Math.max(40, gone / 10));
    }
    // a filter of other lengths: nothing that stays is lost
    FingerprintFilter all = removable(0.001, 0, 20_000);
    FingerprintFilter shorter = removable(0.2, 0, 15_000);
    assertHolds(all.subtract(shorter), 15_000, 20_000);
    assertHolds(removable(0.2, 0, 20_000).subtract(removable(0.001, 0, 15_000)), 15_000, 20_000);
  }

  @Test
  void foldingToARateGivesThatRate() throws IOException {
    for (boolean removable : new boolean[] {false, true}) {
      FingerprintFilter filter = removable ? removable(1e-5, 0, 50_000) : set(1e-5, 0, 50_000);
      for (double fpp : new double[] {1e-4, 0.001, 0.0173, 0.1, 0.4}) {
        FingerprintFilter folded = filter.foldToFpp(fpp);
        assertHolds(folded, 0, 50_000);
        assertThat(folded.expectedFpp()).isBetween(removable ? fpp * 0.9999 : fpp * 0.7, fpp);
        if (!removable) {
          assertRate(folded, folded.expectedFpp());
        }
        assertThat(folded.heapBytes()).isLessThan(filter.heapBytes());
        assertThat(FingerprintFilter.fromBytes(folded.toBytes())).isEqualTo(folded);
        assertThat(filter.toBytes(fpp)).isEqualTo(folded.toBytes());
        fill(folded, 50_000, 60_000);
        assertHolds(folded, 0, 60_000);
      }
      assertThatThrownBy(() -> filter.foldToFpp(1e-9))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot be restored");
    }
  }

  @Test
  void foldingInPlaceReleasesMemory() {
    FingerprintFilter filter = set(1e-6, 0, 100_000);
    FingerprintFilter folded = filter.foldToFpp(0.01);
    long before = filter.heapBytes();
    filter.foldInPlace(0.01);
    assertThat(filter).isEqualTo(folded);
    assertThat(filter.heapBytes()).isLessThan(before / 2);
    filter.clear();
    assertThat(filter.mightContain(1L)).isFalse();
    assertThat(filter.approximateElementCount()).isZero();
    assertHolds(fill(filter, 0, 5000), 0, 5000);
  }

  @Test
  void theWireTakesLittleMoreThanTheLogarithmOfTheRate() {
    for (int keys : new int[] {1000, 100_000}) {
      FingerprintFilter filter = set(1e-5, 0, keys);
      for (double fpp : new double[] {0.01, 0.004, 0.001}) {
        FingerprintFilter folded = filter.foldToFpp(fpp);
        double bits = 8.0 * folded.fileSize().payloadBytes() / keys;
        double over = bits - Math.log(1 / fpp) / Math.log(2);
        assertThat(over).isLessThanOrEqualTo(keys == 1000 ? 1.8 : 1.65);
      }
    }
  }

  @Test
  void aStreamThatEndsEarlyIsAFilterOfAHigherRate() throws IOException {
    SplittableRandom random = new SplittableRandom(11);
    FingerprintFilter filter = set(0.001, 0, 30_000);
    byte[] bytes = filter.toBytes();
    int lastPlanes = -1;
    for (int cut = 0; cut <= bytes.length; cut += 1 + random.nextInt(700)) {
      byte[] part = Arrays.copyOf(bytes, cut);
      assertThatThrownBy(() -> FingerprintFilter.fromBytes(part))
          .isInstanceOf(FilterFormatException.class);
      PrefixStream arrived;
      try {
        arrived = PrefixStream.readFrom(new ByteArrayInputStream(part));
      } catch (FilterFormatException e) {
        assertThat(lastPlanes).as("the first part was there").isEqualTo(-1);
        continue;
      }
      assertThat(arrived.planes()).isBetween(Math.max(0, lastPlanes), arrived.allPlanes());
      if (arrived.planes() > lastPlanes) {
        lastPlanes = arrived.planes();
        assertHolds(arrived.filter(), 0, 30_000);
        assertRate(arrived.filter(), arrived.filter().expectedFpp());
      }
    }
    PrefixStream whole = PrefixStream.readFrom(new ByteArrayInputStream(bytes));
    assertThat(whole.isWhole()).isTrue();
    assertThat(whole.filter()).isEqualTo(filter);
    bytes[bytes.length / 2] ^= 4;
    assertThatThrownBy(() -> PrefixStream.readFrom(new ByteArrayInputStream(bytes)))
        .isInstanceOf(FilterFormatException.class);
  }

  @Test
  void keysWhoseHashesAgreeAreNotLost() {
    for (boolean removable : new boolean[] {false, true}) {
      FingerprintFilter filter = removable ? removable(0.01, 0, 3000) : set(0.01, 0, 3000);
      long same = 0x0123_4567_89AB_0000L;
      for (long i = 0; i < 5000; i++) {
        filter.putHash(same | i);
      }
      for (long i = 0; i < 5000; i++) {
        assertThat(filter.mightContainHash(same | i)).isTrue();
      }
      assertHolds(filter, 0, 3000);
      assertThat(filter.heapBytes()).isLessThan(200_000);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.1})
  void removingAFrequentKeyRemovesNoOtherKey(double fpp) throws IOException {
    FingerprintFilter filter = removable(fpp, 0, 0);
    for (int i = 0; i < 300; i++) {
      filter.put("often");
    }
    fill(filter, 0, 300_000);
    assertHolds(filter, 0, 300_000);
    assertThat(filter.mightContain("often")).isTrue();
    FingerprintFilter read = FingerprintFilter.fromBytes(filter.toBytes());
    assertHolds(read, 0, 300_000);
    assertThat(filter.copy()).isEqualTo(filter);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.5, 0.1, 0.01})
  void subtractingRemovesNothingElse(double fpp) {
    FingerprintFilter other = removable(fpp, 0, 60_000);
    FingerprintFilter all = fill(removable(fpp, 60_000, 120_000), 0, 60_000);
    FingerprintFilter rest;
    try {
      rest = all.subtract(other);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("lower fpp");
      assertThat(fpp).isGreaterThan(0.01);
      return;
    }
    assertHolds(rest, 60_000, 120_000);
  }

  @Test
  void mergedFiltersCanBeWrittenAndRead() throws IOException {
    for (double fpp : new double[] {0.9, 0.1, 0.01, 0.001}) {
      for (boolean removable : new boolean[] {false, true}) {
        FingerprintFilter one = removable ? removable(fpp, 0, 60_000) : set(fpp, 0, 60_000);
        FingerprintFilter other =
            removable ? removable(fpp, 60_000, 120_000) : set(fpp, 60_000, 120_000);
        assertRead(one.intersection(other, 1), 0, 0);
        assertRead(one.union(one.copy(), 1), 0, 60_000);
        FingerprintFilter grown = fill(one.intersection(other, 1), 200_000, 260_000);
        assertRead(grown, 200_000, 260_000);
        assertRead(one.foldToFpp(Math.max(0.9, fpp)), 0, 60_000);
      }
    }
    for (int times : new int[] {2, 250}) {
      for (long keys : new long[] {1000, 20_000}) {
        FingerprintFilter filter = removable(0.01, 0, keys);
        for (int i = 0; i < times; i++) {
          filter.put("twice");
        }
        for (double fpp : new double[] {0.1, 0.4, 0.9}) {
          assertRead(filter.foldToFpp(fpp), 0, keys);
        }
      }
    }
  }

  private static void assertRead(FingerprintFilter filter, long from, long to) throws IOException {
    FingerprintFilter read = FingerprintFilter.fromBytes(filter.toBytes());
    assertThat(read).isEqualTo(filter).hasSameHashCodeAs(filter);
    assertThat(read.approximateElementCount()).isEqualTo(filter.copy().approximateElementCount());
    assertHolds(filter, from, to);
    assertHolds(read, from, to);
  }

  /** Two hashes that agree in 23 bits, one put often enough to saturate with the other. */
  @Test
  void removingOneKeyDoesNotFreeThePrefixesOfAnother() {
    FingerprintFilter filter = removable(0.01, 0, 0);
    long x = 0x0123_4500_0000_0000L;
    long y = x | 0x8000_0000L;
    for (int i = 0; i < 100; i++) {
      filter.putHash(x);
    }
    fill(filter, 0, 20_000);
    int put = 0;
    for (int i = 0; i < 200; i++) {
      put += filter.putHash(y) ? 1 : 0;
    }
    for (int i = 0; i < 100; i++) {
      filter.removeHash(x);
    }
    for (int i = 0; i < put - 1; i++) {
      filter.removeHash(y);
    }
    assertThat(filter.mightContainHash(y)).isTrue();
  }

  /** A frequent key loses prefixes in splits, which must not hide that others were copied. */
  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.5, 0.1})
  void aFrequentKeyHidesNoCopies(double fpp) throws IOException {
    int keys = fpp > 0.5 ? 10_000 : fpp > 0.1 ? 40_000 : 80_000;
    FingerprintFilter other = removable(fpp, 0, 0);
    FingerprintFilter all = removable(0.001, 0, 0);
    for (int i = 0; i < (fpp == 0.5 ? 5 : 1) * 255; i++) {
      other.put("often " + i / 255);
      all.put("often " + i / 255);
    }
    fill(other, 0, keys);
    fill(all, 0, 2L * keys);
    assertThat(FingerprintFilter.fromBytes(other.toBytes()).approximateElementCount())
        .isEqualTo(other.approximateElementCount());
    assertThatThrownBy(() -> all.subtract(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("copied");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.5})
  void stickyPrefixesStayInCopiesFoldingsAndMerges(double fpp) throws IOException {
    FingerprintFilter filter = removable(fpp, 0, 0);
    for (int i = 0; i < 250; i++) {
      filter.put("often");
    }
    fill(filter, 0, 20_000);
    LongStream.range(0, 20_000).forEach(filter::remove);
    FingerprintFilter file = FingerprintFilter.fromBytes(filter.toBytes());
    FingerprintFilter both = filter.union(removable(fpp, 0, 1), 1);
    FingerprintFilter rest = filter.copy();
    FingerprintFilter folded = filter.foldToFpp(0.95);
    filter.foldInPlace(0.95);
    for (FingerprintFilter each : new FingerprintFilter[] {file, both, rest, folded, filter}) {
      for (int i = 0; i < 240; i++) {
        each.remove("often");
      }
      assertThat(each.mightContain("often")).isTrue();
    }
  }

  /** What is copied for a frequent key does not grow with all the others. */
  @Test
  void aFilterWithAFrequentKeyCanBeWrittenWhenTheOthersHaveGone() throws IOException {
    FingerprintFilter filter = removable(0.1, 0, 0);
    for (int i = 0; i < 250; i++) {
      filter.put("often");
    }
    fill(filter, 0, 1_500_000);
    LongStream.range(0, 1_500_000).forEach(filter::remove);
    assertThat(FingerprintFilter.fromBytes(filter.toBytes()).mightContain("often")).isTrue();
  }

  @Test
  void aPlanRefusesAnInvalidNumberOfKeys() {
    for (double keys : new double[] {Double.NaN, -1}) {
      assertThatThrownBy(() -> FingerprintPlan.of(0.01).fppAt(keys))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("keys");
    }
    assertThat(FingerprintPlan.of(0.01).fppAt(0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, -1, 2, Double.POSITIVE_INFINITY})
  void aLimitThatIsNotARateIsRefused(double maxFpp) {
    FingerprintFilter filter = FingerprintFilter.create(0.01);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> filter.union(filter, maxFpp))
        .withMessageContaining("maxFpp");
  }

  @Test
  void itReportsWhenItExceedsItsRate() {
    FingerprintFilter rare = FingerprintFilter.create(1e-6);
    FingerprintFilter often = FingerprintFilter.create(0.01);
    for (long key = 0; key < 10_000; key++) {
      rare.put(key);
      often.put(-key);
    }
    assertThat(rare.explain()).contains("holds its rate at 0.0001000 % (1 in 1,000,000) or below");
    assertThat(rare.union(often).explain())
        .contains("built for a rate of 0.0001000 % (1 in 1,000,000), which it has exceeded");
  }
}
