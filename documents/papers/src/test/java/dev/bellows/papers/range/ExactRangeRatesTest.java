package dev.bellows.papers.range;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.range.HashOffset;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.plan.Oracles;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.ProfilePlan.Shape;
import dev.bellows.range.RangePlan;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExactRangeRatesTest {
  @ParameterizedTest
  @CsvSource({"3, 2, 4, 2, 1, 1", "3, 2, 6, 3, 2, 1", "2, 3, 5, 2, 1, 2", "4, 2, 5, 1, 3, 2"})
  void aMeanOverAllHashFunctions(
      int bits, int hashes, int domain, int range, int divide, int shift) {
    int inputs = shift * ((domain - 1) / divide + 1 + HashOffset.reach(hashes, shift));
    double sum = 0;
    long functions = Math.round(Math.pow(bits, inputs));
    for (long function = 0; function < functions; function++) {
      int[] positions = digits(function, bits, inputs);
      for (int start = 0; start <= domain - range; start++) {
        long filter = 0;
        for (int number = start; number < start + range; number++) {
          filter |= mask(positions, number / divide, hashes, shift);
        }
        for (int number = 0; number < domain; number++) {
          long queried = mask(positions, number / divide, hashes, shift);
          boolean outside = number < start || number >= start + range;
          sum += outside && (queried & ~filter) == 0 ? 1 : 0;
        }
      }
    }
    double mean = sum / functions / (domain - range + 1) / (domain - range);
    assertThat(ExactRangeRates.fpp(shape(bits, hashes, domain, range, divide, shift)))
        .isCloseTo(mean, within(1e-12));
  }

  /** A string, an attribute that overlaps and one that divides, in three bits. */
  @Test
  void aProfileIsAMeanOverAllHashFunctionsAndAllRanges() {
    Profile profile =
        Profile.of(3, 1, List.of(RangeAttribute.of("a", 3, 2), RangeAttribute.of("b", 4, 2)));
    ProfilePlan plan = ProfilePlan.of(profile, 2, List.of(new Shape(2, 1, 1), new Shape(2, 2, 2)));
    long functions = Math.round(Math.pow(3, 12));
    double[] sums = new double[3];
    for (long function = 0; function < functions; function++) {
      int[] all = digits(function, 3, 12);
      int[] a = Arrays.copyOfRange(all, 0, 4);
      int[] b = Arrays.copyOfRange(all, 4, 8);
      for (int startA = 0; startA < 2; startA++) {
        for (int startB = 0; startB < 3; startB++) {
          long filter =
              mask(a, startA, 2, 1)
                  | mask(a, startA + 1, 2, 1)
                  | mask(b, startB / 2, 2, 2)
                  | mask(b, (startB + 1) / 2, 2, 2)
                  | 1L << all[8]
                  | 1L << all[9];
          int outsideA = startA == 0 ? 2 : 0;
          sums[0] += (mask(a, outsideA, 2, 1) & ~filter) == 0 ? 1 : 0;
          for (int number = 0; number < 4; number++) {
            boolean outside = number < startB || number > startB + 1;
            sums[1] += outside && (mask(b, number / 2, 2, 2) & ~filter) == 0 ? 0.5 : 0;
          }
          sums[2] += ((1L << all[10] | 1L << all[11]) & ~filter) == 0 ? 1 : 0;
        }
      }
    }
    double cases = functions * 6.0;
    assertThat(ExactRangeRates.attributeFpp(plan, 0)).isCloseTo(sums[0] / cases, within(1e-12));
    assertThat(ExactRangeRates.attributeFpp(plan, 1)).isCloseTo(sums[1] / cases, within(1e-12));
    assertThat(ExactRangeRates.stringFpp(plan)).isCloseTo(sums[2] / cases, within(1e-12));
  }

  @Test
  void aPlainRangeIsAStandardFilter() {
    assertThat(ExactRangeRates.fpp(shape(512, 8, 1000, 100, 1, 8)))
        .isCloseTo(BloomRates.fppExact(512, 100, 8), withPercentage(1e-9));
  }

  @Test
  void anAttributeAloneIsAProfile() {
    Profile profile = Profile.of(512, 0, List.of(RangeAttribute.of("a", 1000, 70)));
    ProfilePlan plan = ProfilePlan.of(profile, 8, List.of(new Shape(8, 3, 2)));
    assertThat(ExactRangeRates.attributeFpp(plan, 0))
        .isCloseTo(ExactRangeRates.fpp(shape(512, 8, 1000, 70, 3, 2)), withPercentage(1e-9));
  }

  private static RangePlan shape(
      long bits, int hashes, long domain, long range, long divide, int shift) {
    return new OneRange(bits, hashes, domain, range).shape(divide, shift);
  }

  /** The mean over every start, with the mean fill of each. */
  private static double withBorders(
      long bits, int hashes, long domain, long range, long divide, int shift) {
    return ExactRangeRates.meanOverStarts(
        shape(bits, hashes, domain, range, divide, shift),
        insertions ->
            IntStream.rangeClosed(0, hashes)
                .mapToDouble(i -> Math.pow(RangeRates.fill(bits, insertions), i))
                .toArray());
  }

  @TestFactory
  Stream<DynamicTest> rateWithBorders() {
    return Oracles.cases(
        "003_ranges",
        "f_with_true_borders",
        (c, all) ->
            assertClose(
                withBorders(
                    c.integer("m"),
                    c.small("k"),
                    c.integer("R"),
                    c.integer("n"),
                    c.integer("d"),
                    c.small("s")),
                c.out(),
                CLOSED_FORM));
  }

  /** Every number outside, every start, one by one. */
  @Test
  void bordersAgreeWithCounting() {
    long bits = 64;
    for (long[] p : new long[][] {{40, 7, 3, 2}, {25, 20, 4, 5}, {30, 1, 1, 1}, {33, 8, 8, 3}}) {
      long domain = p[0];
      long range = p[1];
      long divide = p[2];
      int shift = (int) p[3];
      double sum = 0;
      for (long start = 0; start + range <= domain; start++) {
        RangeCover cover = RangeCover.of(start, range, divide, shift, 5);
        double fill = RangeRates.fill(bits, cover.insertionBits());
        for (long v = 0; v < domain; v++) {
          if (v < start || v >= start + range) {
            long own = v / divide;
            long distance =
                Math.max(0, Math.max(cover.firstDivision() - own, own - cover.lastDivision()));
            sum += Math.pow(fill, Math.min(5, distance * shift));
          }
        }
      }
      double mean = sum / (domain - range + 1) / (domain - range);
      assertThat(withBorders(bits, 5, domain, range, divide, shift)).isCloseTo(mean, within(1e-12));
    }
  }

  @Test
  void coincidencesMatterInSmallFiltersOnly() {
    double small = ExactRangeRates.fpp(shape(64, 8, 1000, 20, 2, 2));
    double large = ExactRangeRates.fpp(shape(16_384, 8, 10_000, 5_000, 2, 2));
    assertThat(small).isGreaterThan(1.03 * withBorders(64, 8, 1000, 20, 2, 2));
    assertThat(large).isCloseTo(withBorders(16_384, 8, 10_000, 5_000, 2, 2), withPercentage(0.2));
  }

  @Test
  void uncoveredCasesAreRefused() {
    assertThatThrownBy(() -> ExactRangeRates.fpp(shape(1L << 40, 8, 1L << 25, 1L << 24, 1, 8)))
        .hasMessageContaining("insertions")
        .hasMessageContaining("use RangeRates");
  }

  private static long mask(int[] positions, int division, int hashes, int shift) {
    long mask = 0;
    for (HashOffset index : HashOffset.indices(hashes, shift)) {
      mask |= 1L << positions[(division + index.offset()) * shift + index.hash() - 1];
    }
    return mask;
  }

  private static int[] digits(long number, int base, int count) {
    int[] digits = new int[count];
    for (int i = 0; i < count; i++) {
      digits[i] = (int) (number % base);
      number /= base;
    }
    return digits;
  }
}
