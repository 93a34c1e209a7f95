package dev.bellows.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.growth.FingerprintFilter;
import dev.bellows.growth.FingerprintPlan;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The size of fingerprint filter files, compared with the information-theoretic minimum. */
class LeastFileBitsTest {
  private static double log2(double x) {
    return Math.log(x) / Math.log(2);
  }

  /** Files are within 0.2 bits per key of the minimum, whatever the filter was built for. */
  @ParameterizedTest
  @CsvSource({
    "0.01, 0.01, 5000",
    "0.01, 0.01, 100000",
    "0.004, 0.004, 100000",
    "0.004, 0.004, 800000",
    "0.001, 0.004, 100000",
    "0.001, 0.001, 300000",
    "1e-6, 0.004, 100000"
  })
  void filesAreLittleLargerThanTheMinimum(double built, double fpp, int keys) {
    FingerprintFilter filter = FingerprintFilter.create(built);
    new SplittableRandom(keys).longs(keys).forEach(filter::putHash);
    FingerprintFilter sent = filter.foldToFpp(fpp);
    double bits = 8.0 * sent.fileSize().payloadBytes() / sent.approximateElementCount();
    double least = LeastFileBits.of(filter.plan(), sent.approximateElementCount(), fpp);
    // the number of prefixes of each length is random: the minimum varies by some thousandths
    assertThat(bits).isBetween(least - 0.005, least + 0.2);
  }

  /** Prefixes of one length: the logarithm of the number of sets, or a mixture of two lengths. */
  @Test
  void equalLengthsHaveTheirEntropy() {
    for (int bits = 3; bits < 15; bits++) {
      double fpp = Math.scalb(1.0, -bits);
      // 256 keys cut to 8 + bits bits have exactly this rate
      double least = LeastFileBits.of(FingerprintPlan.of(1e-9), 256, fpp);
      double entropy = bits - (1 - fpp) / fpp * log2(1 - fpp);
      assertThat(least).isCloseTo(entropy, within(1e-6));
      double between = LeastFileBits.of(FingerprintPlan.of(1e-9), 256, 1.5 * fpp);
      double half = bits - 1 - (1 - 2 * fpp) / (2 * fpp) * log2(1 - 2 * fpp);
      assertThat(between).isCloseTo((entropy + half) / 2, within(1e-6));
    }
  }

  /** Two lengths, with every choice of cuts tried: kept apart, or cut to one. */
  @Test
  void theMinimumIsThatOfTheBestChoices() {
    FingerprintPlan plan = FingerprintPlan.of(0.01);
    double first = plan.chunkKeys();
    double keys = 2 * first;
    int bits = plan.slack() + 9;
    double fpp = 0.9 * plan.fppAt(keys) + 0.1 * Math.scalb(keys, -bits);
    double least = LeastFileBits.of(plan, keys, fpp);
    double best = Double.POSITIVE_INFINITY;
    double[][] choices = new double[400][];
    int count = 0;
    for (int one = bits; one > bits - 6; one--) {
      choices[count++] = new double[] {set(keys, one), Math.scalb(keys, -one)};
      for (int other = bits + 1; other > bits - 6; other--) {
        double rate = Math.scalb(first, -one) + Math.scalb(first, -other);
        choices[count++] = new double[] {set(first, one) + set(first, other), rate};
      }
    }
    // mixtures of two choices that have the rate
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        double low = choices[i][1];
        double high = choices[j][1];
        if (low <= fpp && high >= fpp && low < high) {
          double share = (fpp - low) / (high - low);
          best = Math.min(best, choices[i][0] + share * (choices[j][0] - choices[i][0]));
        }
      }
    }
    assertThat(least).isCloseTo(best / keys, within(1e-6));
  }

  private static double set(double count, int bits) {
    double share = Math.scalb(count, -bits);
    return count * (-log2(share) - (1 - share) / share * log2(1 - share));
  }
}
