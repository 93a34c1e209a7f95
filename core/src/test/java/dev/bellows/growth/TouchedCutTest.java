package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A filter that was cut stays near its size when it takes a few more keys. */
class TouchedCutTest {
  private static final int KEYS = 200_000;

  private static FingerprintFilter cut() {
    FingerprintFilter filter = FingerprintFilter.create(0.001);
    for (long key = 0; key < KEYS; key++) {
      filter.put(key);
    }
    return filter.foldToFpp(0.01);
  }

  @Test
  void oneMoreKeyTakesAHundredBytes() throws Exception {
    FingerprintFilter cut = cut();
    FingerprintFilter touched = cut.copy();
    touched.put(-1L);
    // the few planes of the longer prefix are sections of their own, padded to 64 bytes
    assertThat(touched.sizeInBytes() - cut.sizeInBytes()).isBetween(0L, 2000L);
    FingerprintFilter read = FingerprintFilter.fromBytes(touched.toBytes());
    assertThat(read).isEqualTo(touched);
    assertThat(read.toBytes()).isEqualTo(touched.toBytes());
    assertThat(read.mightContain(-1L)).isTrue();
  }

  @Test
  void aFortiethMoreKeysTakeSevenPercentAndNoCliffFollows() {
    FingerprintFilter touched = cut();
    long before = touched.sizeInBytes();
    for (long key = KEYS; key < KEYS + KEYS / 40; key++) {
      touched.put(key);
    }
    for (long key = 0; key < KEYS + KEYS / 40; key++) {
      assertThat(touched.mightContain(key)).isTrue();
    }
    assertThat(touched.sizeInBytes()).isLessThan(before + before / 13);
    double rate = touched.expectedFpp();
    assertThat((double) touched.foldToFpp(rate).sizeInBytes())
        .isLessThan(1.06 * touched.foldToFpp(1.05 * rate).sizeInBytes());
  }
}
