package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.prefixes.PrefixHooks;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Copies, merges and files of a fingerprint filter that another thread changes belong to one of its
 * states: the prefixes, the plan, and the record that a prefix stands for more puts than are
 * stored.
 */
class FingerprintRacesTest {
  private static final long KEY = 0xF5A5_1234_5678_9ABDL;
  private static final int TIMES = 20;

  private final SplittableRandom random = new SplittableRandom(3);

  /**
   * A removable filter with the key in a chunk that is so deep that the prefixes of the key have no
   * bits left, and so full that the next hash near it splits the chunk.
   */
  private FingerprintFilter aboutToSplit(List<Long> others) {
    // the same each time: by chance others may have no bits left too
    SplittableRandom same = new SplittableRandom(7);
    FingerprintFilter filter = FingerprintFilter.builder().fpp(0.05).removable().build();
    for (int i = 0; i < TIMES; i++) {
      filter.putHash(KEY);
    }
    List<Long> first = new ArrayList<>();
    while (filter.store().chunks() == 1) {
      int bits = filter.plan().slack();
      first.add((KEY & -1L << (64 - bits)) | same.nextLong() >>> bits);
      filter.putHash(first.get(first.size() - 1));
    }
    // a sibling with too many keys for the chunk to be joined with it
    int depth = filter.plan().slack();
    for (int i = 1; i < filter.plan().chunkKeys(); i++) {
      long sibling = (KEY ^ 1L << (64 - depth)) & -1L << (64 - depth);
      filter.putHash(sibling | same.nextLong() >>> depth);
    }
    first.forEach(filter::removeHash);
    while (filter.store().tally().total() < 2 * filter.plan().chunkKeys() - 1) {
      others.add(near(filter, same));
      filter.putHash(others.get(others.size() - 1));
    }
    assertThat(filter.store().tally().copies()).isZero();
    return filter;
  }

  /** A hash of the chunk of the key and of another bucket, however deep the chunk is. */
  private static long near(FingerprintFilter filter, SplittableRandom random) {
    int bits = filter.plan().slack() + 1;
    long other = ~KEY & 1L << (63 - bits);
    return (KEY & -1L << (64 - bits)) | other | random.nextLong() >>> (bits + 1);
  }

  private static boolean staysThoughRemoved(FingerprintFilter filter) {
    for (int i = 1; i < TIMES; i++) {
      filter.removeHash(KEY);
    }
    return filter.mightContainHash(KEY);
  }

  /** A split between what a copy reads of two chunks, and one before it reads any. */
  @Test
  void aFileWrittenDuringASplitRecordsStickyPrefixes() throws Exception {
    for (boolean isBefore : new boolean[] {false, true}) {
      FingerprintFilter filter = aboutToSplit(new ArrayList<>());
      for (int i = 0; i < 5000; i++) {
        filter.putHash(random.nextLong() >>> 1);
      }
      long next = near(filter, random);
      if (isBefore) {
        // the key is in the last chunk, which is not read yet
        PrefixHooks.onceInAScan(filter.store(), 0, () -> filter.putHash(next));
      } else {
        PrefixHooks.onceInAScan(filter.store(), KEY | -1L >>> 8, () -> filter.putHash(next));
      }
      byte[] file = filter.toBytes();
      assertThat(filter.store().tally().copies()).isPositive();
      assertThat(staysThoughRemoved(FingerprintFilter.fromBytes(file))).isTrue();
    }
  }

  /** A union has read this filter and reads the other one when this one is cleared. */
  @Test
  void aUnionDuringAClearRecordsStickyPrefixes() {
    FingerprintFilter large = FingerprintFilter.builder().fpp(1e-6).removable().build();
    for (int i = 0; i < 20_000; i++) {
      large.putHash(random.nextLong());
    }
    List<Long> others = new ArrayList<>();
    FingerprintFilter filter = aboutToSplit(others);
    others.add(near(filter, random));
    filter.putHash(others.get(others.size() - 1));
    others.forEach(filter::removeHash);
    PrefixHooks.onceInAScan(large.store(), 1L << 63, filter::clear);
    FingerprintFilter union = filter.union(large, 1);
    assertThat(filter.approximateElementCount()).isZero();
    assertThat(union.mightContainHash(KEY)).isTrue();
    assertThat(staysThoughRemoved(union)).isTrue();
  }

  /** A fold in place begins while a copy reads, and waits until it has ended. */
  @Test
  void aCopyDuringFoldInPlaceHasThePlanOfItsPrefixes() throws Exception {
    for (boolean isFile : new boolean[] {false, true}) {
      FingerprintFilter filter = FingerprintFilter.create(1e-6);
      for (int i = 0; i < 3000; i++) {
        filter.putHash(random.nextLong());
      }
      Thread folding = new Thread(() -> filter.foldInPlace(0.01));
      PrefixHooks.onceInAScan(
          filter.store(),
          1L << 63,
          () -> {
            folding.start();
            while (folding.getState() != Thread.State.WAITING && folding.isAlive()) {
              Thread.onSpinWait();
            }
          });
      FingerprintFilter copy =
          isFile ? FingerprintFilter.fromBytes(filter.toBytes()) : filter.copy();
      folding.join();
      assertThat(copy.plan().fpp()).isEqualTo(1e-6);
      assertThat(copy.expectedFpp()).isLessThanOrEqualTo(1e-6);
      assertThat(filter.plan().fpp()).isEqualTo(0.01);
      assertThat(filter.copy().expectedFpp()).isBetween(1e-6, 0.01);
    }
  }

  /** An intersection without a key has nothing that stays, and later puts that do are recorded. */
  @Test
  void filesRecordStickyPrefixesOfAnEmptyIntersection() throws Exception {
    FingerprintFilter none = grown(0).intersection(grown(1L << 63), 0.999);
    List<Long> others = new ArrayList<>();
    for (int i = 0; i < TIMES; i++) {
      none.putHash(KEY);
    }
    for (int i = 0; i < 700; i++) {
      others.add(random.nextLong());
      none.putHash(others.get(i));
    }
    int covered = 0;
    for (double fpp = none.expectedFpp(); fpp < 0.999; fpp += 0.0005) {
      FingerprintFilter folded = none.copy();
      folded.foldInPlace(fpp);
      if (!folded.putHash(KEY ^ 1)) {
        covered++;
        others.forEach(folded::removeHash);
        FingerprintFilter read = FingerprintFilter.fromBytes(folded.toBytes());
        for (int i = 0; i < TIMES; i++) {
          read.removeHash(KEY);
        }
        assertThat(read.mightContainHash(KEY ^ 1)).isTrue();
      }
    }
    assertThat(covered).isPositive();
  }

  private FingerprintFilter grown(long top) {
    FingerprintFilter filter = FingerprintFilter.builder().fpp(0.5).removable().build();
    long key = top | random.nextLong() >>> 1;
    for (int i = 0; i < TIMES; i++) {
      filter.putHash(key);
    }
    for (int i = 0; i < 60_000; i++) {
      filter.putHash(top | random.nextLong() >>> 1);
    }
    return filter;
  }
}
