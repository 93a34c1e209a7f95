package dev.bellows.internal.rates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BlockedRatesTest {
  /** The mean over binomial loads, written out for small filters. */
  @Test
  void theRateIsTheMeanOverTheLoadsOfBlocks() {
    for (int hashes : new int[] {8, 16}) {
      for (int blocks = 1; blocks <= 5; blocks++) {
        for (int keys = 0; keys <= 60; keys += 7) {
          double sum = 0;
          for (int load = 0; load <= keys; load++) {
            double ways = 1;
            for (int i = 0; i < load; i++) {
              ways = ways * (keys - i) / (i + 1);
            }
            double share = 1.0 / blocks;
            sum +=
                ways
                    * Math.pow(share, load)
                    * Math.pow(1 - share, keys - load)
                    * direct(load, hashes);
          }
          assertThat(BlockedRates.fpp(blocks, keys, hashes))
              .isCloseTo(sum, within(1e-12 * sum + 1e-300));
        }
      }
    }
  }

  private static double direct(int load, int hashes) {
    double q = 63.0 / 64;
    if (hashes == 8) {
      return Math.pow(1 - Math.pow(q, load), 8);
    }
    double same = 1 - Math.pow(q, 2 * load);
    double different = 1 - 2 * Math.pow(q, 2 * load) + Math.pow(62.0 / 64, 2 * load);
    return Math.pow(same / 64 + different * q, 8);
  }

  @Test
  void sizesAndKeyCountsAreTheLastOnesThatHoldTheRate() {
    for (int hashes : new int[] {8, 16}) {
      for (double fpp : new double[] {0.9, 0.3, 0.01, 1e-4, 1e-8, 1e-12}) {
        double perKey = BlockedRates.bitsPerKey(hashes, fpp);
        for (long keys : new long[] {1, 17, 1000, 123_456, 50_000_000}) {
          long blocks = BlockedRates.blocksFor(keys, hashes, fpp);
          assertThat(BlockedRates.fpp(blocks, keys, hashes)).isLessThanOrEqualTo(fpp);
          if (blocks > 1) {
            assertThat(BlockedRates.fpp(blocks - 1, keys, hashes)).isGreaterThan(fpp);
          }
          long most = BlockedRates.keysFor(blocks, hashes, fpp);
          assertThat(most).isGreaterThanOrEqualTo(keys);
          assertThat(BlockedRates.fpp(blocks, most, hashes)).isLessThanOrEqualTo(fpp);
          assertThat(BlockedRates.fpp(blocks, most + 1, hashes)).isGreaterThan(fpp);
          if (keys > 1e7) {
            assertThat(blocks * 512.0 / keys).isCloseTo(perKey, within(1e-4 * perKey));
          }
        }
      }
    }
  }

  @Test
  void onlyWholeLanesAreAccepted() {
    assertThatThrownBy(() -> BlockedRates.fpp(1, 1, 7)).hasMessageContaining("8 or 16");
    assertThatThrownBy(() -> BlockedRates.fpp(0, 1, 8)).hasMessageContaining("blocks");
    assertThat(BlockedRates.hashesFor(0.01)).isEqualTo(8);
    assertThat(BlockedRates.hashesFor(1e-6)).isEqualTo(16);
  }
}
