package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.bellows.internal.files.PrefixPlanes;
import dev.bellows.internal.prefixes.PrefixSource;
import dev.bellows.internal.prefixes.PrefixStore;
import dev.bellows.internal.prefixes.PrefixStore.Allowed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** Prefixes that no filter of this library creates. */
class HostilePrefixesTest {
  /** Some prefixes of one bit, then many of full length. */
  private static PrefixSource shortAndMany(int few, int many) {
    SplittableRandom random = new SplittableRandom(1);
    long[] hashes = random.longs(many).map(hash -> hash >>> 1).sorted().toArray();
    return new PrefixSource() {
      private int next;

      @Override
      public boolean next() {
        if (next == few + many) {
          return false;
        }
        int index = next++;
        return index < few ? found(0, 1) : found(PrefixSource.first(hashes[index - few], 40), 40);
      }
    };
  }

  @Test
  void aFileOfShortPrefixesIsRefusedBeforeTheyAreCopiedEverywhere() {
    LongConsumer noChunk = bytes -> fail("a chunk was made");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new PrefixStore(false, 12, 511)
                    .load(shortAndMany(100, 200_000), 200_100, 0, Allowed.NOTHING, noChunk));
  }

  @Test
  void aShortPrefixMatchesEveryHashThatItCovers() {
    PrefixStore store =
        new PrefixStore(true, 12, 511)
            .load(shortAndMany(2, 5000), 5000, 0, Allowed.COPYING_AND_COVERING, bytes -> {});
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 10_000; i++) {
      assertThat(store.contains(random.nextLong() >>> 1)).isTrue();
    }
    assertThat(store.tally().rate()).isEqualTo(0.5);
    assertThat(store.tally().total() - store.tally().copies()).isEqualTo(1);
  }

  @Test
  void theLimitCountsHeldMemory() {
    FingerprintFilter filter = FingerprintFilter.create(0.001);
    for (long key = 0; key < 50_000; key++) {
      filter.put(key);
    }
    byte[] bytes = filter.toBytes();
    long held = filter.heapBytes();
    assertThatThrownBy(
            () ->
                FingerprintFilter.FORMAT.fromBytes(
                    bytes, dev.bellows.io.ReadOptions.DEFAULT.withMaxBytes(held / 2)))
        .hasMessageContaining("limit");
  }

  @Test
  void numbersThatNoPrefixesHaveAreRefused() {
    assertThatThrownBy(() -> new PrefixPlanes(-1, 0, 0, 0, false, 0, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PrefixPlanes(5, 3, 64, 64, false, 0, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PrefixPlanes(5, 3, 9, 9, false, 6, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Three prefixes without bits left, copied to more and more buckets of a chunk that is full. */
  @Test
  void aChunkIsNotSplitIntoOneThatCannotHoldItsCopies() {
    FingerprintFilter filter = FingerprintFilter.builder().fpp(0.9).removable().build();
    SplittableRandom random = new SplittableRandom(3);
    List<Long> stored = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      put(filter, (i % 3L) << 51, stored);
    }
    for (int depth = 0; depth < 9; depth++) {
      for (int i = 0; i < 461; i++) {
        put(filter, (1L << (63 - depth)) | (random.nextLong() >>> (depth + 1)), stored);
      }
    }
    for (int i = 0; i < 100_000; i++) {
      put(filter, (3L << 51) | (random.nextLong() >>> 16), stored);
    }
    for (int i = 0; i < 8000; i++) {
      put(filter, random.nextLong() | Long.MIN_VALUE, stored);
    }
    assertThat(stored).hasSizeGreaterThan(10_000).allMatch(filter::mightContainHash);
  }

  private static void put(FingerprintFilter filter, long hash, List<Long> stored) {
    if (filter.putHash(hash)) {
      stored.add(hash);
    }
  }

  /** 255 prefixes stand for more, and do so after they were cut to two lengths. */
  @Test
  void stickyPrefixesSurviveAFold() {
    for (double part : new double[] {1, 1.5, 1.9}) {
      FingerprintFilter filter = FingerprintFilter.builder().fpp(1e-6).removable().build();
      for (int i = 0; i < 300; i++) {
        filter.putHash(0);
      }
      for (int i = 1; i <= 100; i++) {
        filter.putHash((-1L * i) << 40);
      }
      filter.foldInPlace(Math.scalb(355 * part, -20));
      for (int i = 0; i < 299; i++) {
        filter.removeHash(0);
      }
      assertThat(filter.mightContainHash(0)).isTrue();
    }
  }

  /**
   * Sticky prefixes stand for any number of puts: everything that is subtracted may belong to them.
   */
  @Test
  void stickyPrefixesAreNotReplacedByShorterOnes() {
    long often = 0x6b09_498a_81c1_5a44L;
    long near = often ^ 1L << 40;
    FingerprintFilter few = FingerprintFilter.builder().fpp(0.9).removable().build();
    few.putHash(often);
    few.putHash(near);
    FingerprintFilter gone = times(often, 255);
    FingerprintFilter all = times(often, 600).union(few, 1);
    FingerprintFilter rest = all.subtract(gone.union(gone, 1));
    assertThat(rest.mightContainHash(near)).isTrue();
    assertThat(rest.mightContainHash(often)).isTrue();
  }

  private static FingerprintFilter times(long hash, int times) {
    FingerprintFilter filter = FingerprintFilter.builder().fpp(1e-4).removable().build();
    for (int i = 0; i < times; i++) {
      filter.putHash(hash);
    }
    return filter;
  }

  /**
   * A put that is covered by prefixes without bits is not stored; the covering prefixes stay in
   * copies too.
   */
  @Test
  void coveringPrefixesStayInCopiesAndFiles() throws Exception {
    FingerprintFilter filter = FingerprintFilter.builder().fpp(0.1).removable().build();
    long hash = 0x3b4a_4811_4431_31c7L;
    int stored = 0;
    while (stored < 85 && filter.putHash(hash)) {
      stored++;
    }
    SplittableRandom random = new SplittableRandom(7);
    // they agree in seven bits; the chunk splits until the prefixes of the first have no bits left
    while (filter.approximateElementCount() < filter.plan().chunkKeys()) {
      filter.putHash((0x3aL << 56) | (random.nextLong() >>> 8));
    }
    assertThat(filter.putHash(hash)).isFalse();
    FingerprintFilter empty = FingerprintFilter.builder().fpp(1e-6).removable().build();
    for (FingerprintFilter same :
        List.of(
            filter.copy(),
            FingerprintFilter.fromBytes(filter.toBytes()),
            empty.union(filter, 1),
            filter)) {
      for (int i = 0; i < stored; i++) {
        same.removeHash(hash);
      }
      assertThat(same.mightContainHash(hash)).isTrue();
    }
  }

  /** Truncated prefixes later cover whole chunks, which must not split endlessly. */
  @Test
  void aRemovableFilterThatWasFoldedGrowsInLittleMemory() {
    FingerprintFilter filter = FingerprintFilter.builder().fpp(1e-4).removable().build();
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 1000; i++) {
      filter.putHash(random.nextLong());
    }
    filter.foldInPlace(0.5);
    int keys = 50_000;
    for (int i = 0; i < keys; i++) {
      filter.putHash(random.nextLong());
    }
    assertThat(filter.heapBytes()).isLessThan(8L * keys);
  }

  /** A filter whose chunks were deep for many keys, of which those that agree in many bits stay. */
  @Test
  void filtersAfterRemovalsCanBeCopiedAndWritten() throws Exception {
    FingerprintFilter filter = FingerprintFilter.builder().fpp(0.01).removable().build();
    long[] removed = new SplittableRandom(13).longs(1_500_000).toArray();
    for (long hash : removed) {
      filter.putHash(hash);
    }
    SplittableRandom random = new SplittableRandom(14);
    List<Long> kept = new ArrayList<>();
    for (int i = 0; i < 28_000; i++) {
      put(filter, random.nextLong() >>> 16, kept);
    }
    for (long hash : removed) {
      filter.removeHash(hash);
    }
    assertCopiesAndFilesHave(filter, kept);
  }

  /** Short prefixes remain in place when many puts follow that agree with them in many bits. */
  @Test
  void filtersWithPutsAfterAFoldCanBeCopiedAndWritten() throws Exception {
    FingerprintFilter filter = FingerprintFilter.create(1e-4);
    List<Long> kept = new ArrayList<>();
    for (long i = 0; i < 12; i++) {
      put(filter, i << 45, kept);
    }
    filter.foldInPlace(Math.scalb(12.0, -19));
    SplittableRandom random = new SplittableRandom(15);
    for (int i = 0; i < 20_000; i++) {
      put(filter, ((12L + random.nextInt(4)) << 45) | (random.nextLong() >>> 19), kept);
    }
    assertCopiesAndFilesHave(filter, kept);
  }

  /** Prefixes that agree in many bits need a large directory, which the limit counts first. */
  @Test
  void prefixesThatAgreeInManyBitsAreHeldWithinTheLimit() {
    long most = 100L << 20;
    PrefixStore store = agreeing(23, new Limit(most));
    PrefixSource all = agreeing(23);
    while (all.next()) {
      assertThat(store.contains(all.bits())).isTrue();
    }
    assertThat(store.heapBytes()).isBetween(4L << 23, most);
    assertThatThrownBy(() -> agreeing(23, new Limit(4L << 20))).hasMessage("limit");
    assertThatIllegalArgumentException().isThrownBy(() -> agreeing(25, new Limit(most)));
  }

  private static PrefixStore agreeing(int bits, Limit limit) {
    return new PrefixStore(false, 30, 511).load(agreeing(bits), 20_000, 0, Allowed.NOTHING, limit);
  }

  private record Limit(long most) implements LongConsumer {
    @Override
    public void accept(long bytes) {
      if (bytes > most) {
        throw new IllegalStateException("limit");
      }
    }
  }

  private static PrefixSource agreeing(int bits) {
    long[] hashes =
        new SplittableRandom(16).longs(20_000).map(hash -> hash >>> bits).sorted().toArray();
    return new PrefixSource() {
      private int next;

      @Override
      public boolean next() {
        return next < hashes.length && found(PrefixSource.first(hashes[next++], 60), 60);
      }
    };
  }

  private static void assertCopiesAndFilesHave(FingerprintFilter filter, List<Long> kept)
      throws Exception {
    byte[] bytes = filter.toBytes();
    FingerprintFilter read = FingerprintFilter.fromBytes(bytes);
    for (FingerprintFilter same : List.of(filter, filter.copy(), read, read.copy())) {
      assertThat(kept).allMatch(same::mightContainHash);
      assertThat(same.expectedFpp()).isEqualTo(filter.expectedFpp());
    }
    assertThat(read.toBytes()).isEqualTo(bytes);
  }
}
