package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bellows.KeyHasher;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.internal.prefixes.PrefixSource;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Confirmed keys restore all bits of their prefixes. */
class FingerprintConfirmTest {
  private static FingerprintFilter removable(double fpp) {
    return FingerprintFilter.builder().fpp(fpp).removable().build();
  }

  /** The rate falls to that of a filter whose keys have all their bits, and every key stays. */
  @Test
  void confirmingKeysLowersTheRate() {
    int keys = 300_000;
    SplittableRandom random = new SplittableRandom(1);
    long[] hashes = random.longs(keys).toArray();
    FingerprintFilter filter = removable(0.02);
    for (long hash : hashes) {
      filter.putHash(hash);
    }
    double before = filter.expectedFpp();
    int longer = 0;
    for (int i = 0; i < keys; i++) {
      boolean isLonger = filter.confirmHash(hashes[i]);
      longer += isLonger ? 1 : 0;
      // a second time there is nothing to do
      assertThat(isLonger && filter.confirmHash(hashes[i])).isFalse();
    }
    assertThat(longer).isGreaterThan(keys / 3);
    double after = filter.expectedFpp();
    assertThat(after).isLessThan(before / 3);
    int trials = 2_000_000;
    long passed = random.longs(trials).filter(filter::mightContainHash).count();
    assertThat(BinomialInterval.of(passed, trials, Rates.ALPHA).contains(after)).isTrue();
    for (long hash : hashes) {
      assertThat(filter.mightContainHash(hash)).isTrue();
    }
    long copies = filter.store().tally().copies();
    for (long hash : hashes) {
      assertThat(filter.removeHash(hash)).isTrue();
    }
    assertThat(filter.store().tally().total()).isEqualTo(copies);
  }

  /** No key is lost, in any order, if prefixes are equal or one is a prefix of another. */
  @Test
  void keysThatShareAPrefixAreAllKept() {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      FingerprintFilter filter = removable(0.01);
      long[] near = new long[6];
      long base = random.nextLong();
      int agreeing = 15 + random.nextInt(15);
      for (int i = 0; i < near.length; i++) {
        near[i] = base ^ random.nextLong() >>> agreeing;
        filter.putHash(near[i]);
        for (int j = random.nextInt(2000); j > 0; j--) {
          filter.putHash(random.nextLong());
        }
      }
      for (int i = 0; i < 12; i++) {
        filter.confirmHash(near[random.nextInt(near.length)]);
        for (long hash : near) {
          assertThat(filter.mightContainHash(hash)).isTrue();
        }
      }
      for (int i = 0; i < near.length; i++) {
        assertThat(filter.removeHash(near[i])).isTrue();
        for (int j = i + 1; j < near.length; j++) {
          assertThat(filter.mightContainHash(near[j])).isTrue();
        }
      }
    }
  }

  /** Prefixes that stand for any number of puts stay as they are. */
  @Test
  void prefixesThatStandForSeveralKeysStay() {
    FingerprintFilter filter = removable(0.01);
    for (int i = 0; i < 300; i++) {
      filter.putHash(-1L);
    }
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 5000; i++) {
      filter.putHash(random.nextLong());
    }
    FingerprintFilter before = filter.copy();
    assertThat(filter.confirmHash(-1L)).isFalse();
    assertThat(filter).isEqualTo(before);
    // nor does a key that is certainly absent change anything
    long absent =
        random.longs().filter(hash -> !before.mightContainHash(hash)).findFirst().orElse(0);
    assertThat(filter.confirmHash(absent)).isFalse();
    assertThat(filter).isEqualTo(before);
  }

  @Test
  void setsRefuse() {
    FingerprintFilter set = FingerprintFilter.create(0.01);
    set.put("a");
    assertThatIllegalStateException()
        .isThrownBy(() -> set.confirm("a"))
        .withMessageContaining("removable()");
  }

  /** Each form of a key confirms the hash that a put of it stores. */
  @Test
  void allFormsOfKeys() {
    UUID id = new UUID(7, 8);
    FingerprintFilter filter = removable(0.01);
    filter.put(5L);
    filter.put("text");
    filter.put('c');
    filter.put(new byte[] {1, 2, 3});
    filter.put(id, KeyHasher.UUIDS);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 20_000; i++) {
      filter.putHash(random.nextLong());
    }
    int longest = filter.prefixes().longest();
    assertThat(filter.confirm(5L)).isTrue();
    assertThat(filter.confirm("text")).isTrue();
    assertThat(filter.confirm('c')).isTrue();
    assertThat(filter.confirm(new byte[] {1, 2, 3})).isTrue();
    assertThat(filter.confirm(id, KeyHasher.UUIDS)).isTrue();
    long hash = filter.hashScheme().hash("text");
    int matching = 0;
    for (PrefixSource all = filter.store().prefixes(); all.next(); ) {
      boolean matches = PrefixSource.first(hash, all.length()) == all.bits();
      matching = matches ? Math.max(matching, all.length()) : matching;
    }
    assertThat(matching).isBetween(longest - 1, longest);
  }
}
