package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme;
import dev.bellows.internal.codec.PrefixPlanes;
import dev.bellows.internal.store.PrefixSource;
import dev.bellows.internal.store.PrefixStore;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Prefixes that no filter of this library makes. */
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
    long start = System.nanoTime();
    assertThatThrownBy(
            () ->
                PrefixStore.of(shortAndMany(100, 200_000), 200_100, 0, false, 12, 511, bytes -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prefixes");
    assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
  }

  @Test
  void aShortPrefixMeetsEveryHashThatItCovers() {
    PrefixStore store =
        PrefixStore.of(
            PrefixSource.distinct(shortAndMany(2, 5000)), 5000, 0, true, 12, 511, bytes -> {});
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 10_000; i++) {
      assertThat(store.contains(random.nextLong() >>> 1)).isTrue();
    }
    assertThat(store.tally().rate()).isEqualTo(0.5);
    assertThat(store.tally().total() - store.tally().copies()).isEqualTo(1);
  }

  @Test
  void theLimitCountsWhatIsHeld() {
    FingerprintFilter filter = FingerprintFilter.create(0.001);
    for (long key = 0; key < 50_000; key++) {
      filter.put(key);
    }
    byte[] bytes = filter.toBytes();
    long held = filter.heapBytes();
    assertThatThrownBy(
            () ->
                FingerprintFilter.fromBytes(
                    bytes, dev.bellows.io.ReadOptions.DEFAULT.withMaxBytes(held / 2)))
        .hasMessageContaining("limit");
  }

  @Test
  void keysThatSomebodyChoseAreRefusedWhereTheyCannotBeHeld() {
    FingerprintFilter filter =
        FingerprintFilter.builder().fpp(1e-15).hashScheme(HashScheme.DEFAULT).build();
    assertThatThrownBy(
            () -> {
              for (long i = 0; i < 100_000; i++) {
                filter.putHash(i << 8);
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("secret");
    for (long i = 0; i < 16_000; i++) {
      assertThat(filter.mightContainHash(i << 8)).isTrue();
    }
  }

  @Test
  void numbersThatNoPrefixesHaveAreRefused() {
    assertThatThrownBy(() -> new PrefixPlanes(-1, 0, 0, 0, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PrefixPlanes(5, 3, 64, 0, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PrefixPlanes(5, 3, 9, 6, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
