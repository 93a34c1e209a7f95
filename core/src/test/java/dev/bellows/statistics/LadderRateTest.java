package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.Layout;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A filter of 100 million bits and 5 million keys, folded by every factor of its ladder. */
class LadderRateTest {
  @ParameterizedTest
  @CsvSource({"CLASSIC, 100000000", "BLOCKED, 99993600"})
  void absentKeysPassEveryFoldingAtTheRateOfItsRealFill(Layout.Family layout, long bits) {
    BloomFilter filter = BloomFilter.builder().bits(bits).hashes(8).layout(layout).build();
    long[] keys = new long[5_000_000];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = i;
    }
    filter.putAll(keys);
    long[] hashes = new long[1_000_000];
    boolean[] hits = new boolean[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = filter.hashScheme().hash(-1L - i);
    }
    List<FoldSize> ladder = filter.ladder();
    assertThat(ladder).hasSizeGreaterThan(60);
    for (FoldSize size : ladder) {
      BloomFilter folded = filter.foldBy(size.factor());
      // a thousand that pass are enough
      int asked = (int) Math.min(hashes.length, 20_000 + 1000 / folded.expectedFpp());
      int passed = folded.countMightContainHashes(hashes, 0, asked, hits);
      BinomialInterval interval = BinomialInterval.of(passed, asked, Rates.ALPHA);
      assertThat(interval.contains(folded.expectedFpp()))
          .as("%s: %d passed, expected %s", size, passed, folded.expectedFpp())
          .isTrue();
      for (long key = 0; key < 5_000_000; key += 499_979) {
        assertThat(folded.mightContain(key)).isTrue();
      }
    }
  }
}
