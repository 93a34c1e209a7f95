package dev.bellows.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.growth.FingerprintFilter;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a filter that was frozen from a union says about its size and its keys. */
class FrozenUnionTest {
  private static final int KEYS = 400_000;

  private static FingerprintFilter union(double fpp) {
    FingerprintFilter all = FingerprintFilter.create(fpp);
    for (int part = 0; part < 4; part++) {
      FingerprintFilter one = FingerprintFilter.create(fpp);
      LongStream.range(part * (KEYS / 4), (part + 1) * (KEYS / 4)).forEach(one::put);
      all = all.union(one);
    }
    return all;
  }

  @Test
  void itSaysWhatTheShortPrefixesCostAndWhichRateTheSourcesNeed() {
    FrozenFilter frozen = union(0.001).freeze(0.025);
    int missing = frozen.missingPrefixBits();
    double perKey = (double) frozen.bits() / KEYS;
    double fresh = FrozenPlan.of(KEYS, frozen.expectedFpp()).bitsPerKey();
    assertThat(missing > 0).isEqualTo(perKey > 1.06 * fresh);
    assertThat(missing).isPositive();
    assertThat(frozen.explain()).contains("times lower").doesNotContain("nearly as small");

    FrozenFilter better = union(0.001 / (1 << missing)).freeze(0.025);
    assertThat((double) better.bits() / KEYS)
        .isLessThan(1.1 * FrozenPlan.of(KEYS, better.expectedFpp()).bitsPerKey());
    assertThat(better.explain()).contains("nearly as small");
    FrozenFilter built =
        FrozenFilter.builder().fpp(0.025).build(LongStream.range(0, KEYS).toArray());
    assertThat(built.explain()).contains("nearly as small", "keys, estimated");
    assertThat(built.mostKeys()).isEqualTo(KEYS);
  }

  @Test
  void theNumberOfKeysIsABound() {
    FrozenFilter frozen = union(0.001).freeze(0.025);
    assertThat(frozen.mostKeys()).isBetween((double) KEYS, 1.06 * KEYS);
    assertThat(frozen.explain()).contains("keys, at most");
  }
}
