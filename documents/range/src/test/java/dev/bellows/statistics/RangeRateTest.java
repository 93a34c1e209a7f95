package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.internal.range.BorderRates;
import dev.bellows.internal.range.DyadicRates;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.ProfilePlan.Shape;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The formulas of the Range thesis are means over hash functions (erratum R16): every trial has its
 * own hash and range and queries one number outside, so that the hits are binomial. The formulas
 * treat a number's positions as independent, which the real rate exceeds by {@code k(k+1)/(4m)} at
 * most (erratum C1).
 */
class RangeRateTest {
  private static final int TRIALS = 20_000;

  private static final double C1_REMAINDER = 0.003;

  @ParameterizedTest(name = "{0}: m {1}, k {2}, domain {3}, range {4}, divide {5}, shift {6}")
  @CsvSource({
    "PLAIN, 512, 8, 1000, 100, 1, 8",
    "PLAIN, 512, 8, 1000, 40, 1, 8",
    "PLAIN, 512, 4, 1000, 100, 1, 4",
    "PLAIN, 512, 1, 500, 60, 1, 1",
    "PLAIN, 840, 6, 300, 120, 1, 6",
    "PLAIN, 60, 8, 200, 5, 1, 8",
    "PLAIN, 120, 6, 120, 14, 1, 6",
    "PLAIN, 64, 3, 64, 10, 1, 3",
    "PLAIN, 257, 2, 1000, 50, 1, 2",
    "PLAIN, 100, 12, 50, 1, 1, 12",
    "PLAIN, 2048, 5, 10000, 700, 1, 5",
    "PLAIN, 33, 2, 40, 8, 1, 2",
    "DIVISION, 512, 8, 1000, 100, 2, 8",
    "DIVISION, 512, 8, 1000, 100, 3, 8",
    "DIVISION, 512, 8, 1000, 100, 5, 8",
    "DIVISION, 512, 4, 1000, 300, 7, 4",
    "DIVISION, 256, 6, 500, 50, 4, 6",
    "DIVISION, 512, 8, 10000, 1000, 20, 8",
    "DIVISION, 128, 3, 120, 10, 8, 3",
    "DIVISION, 64, 2, 100, 30, 9, 2",
    "DIVISION, 509, 7, 1000, 99, 11, 7",
    "DIVISION, 300, 1, 700, 1, 6, 1",
    "DIVISION, 1024, 10, 5000, 450, 30, 10",
    "DIVISION, 90, 5, 64, 20, 3, 5",
    "OVERLAPPING, 512, 8, 1000, 100, 1, 1",
    "OVERLAPPING, 512, 8, 1000, 100, 1, 2",
    "OVERLAPPING, 512, 8, 1000, 100, 1, 3",
    "OVERLAPPING, 512, 8, 1000, 100, 1, 5",
    "OVERLAPPING, 512, 8, 1000, 100, 1, 7",
    "OVERLAPPING, 120, 12, 100, 10, 1, 4",
    "OVERLAPPING, 128, 7, 120, 44, 1, 2",
    "OVERLAPPING, 64, 6, 60, 20, 1, 1",
    "OVERLAPPING, 256, 4, 400, 200, 1, 1",
    "OVERLAPPING, 509, 12, 300, 50, 1, 5",
    "OVERLAPPING, 200, 9, 90, 1, 1, 4",
    "OVERLAPPING, 1000, 5, 2000, 500, 1, 2",
    "DIVISION_OVERLAPPING, 512, 8, 1000, 100, 2, 1",
    "DIVISION_OVERLAPPING, 512, 8, 1000, 100, 3, 3",
    "DIVISION_OVERLAPPING, 512, 8, 1000, 100, 5, 3",
    "DIVISION_OVERLAPPING, 512, 8, 10000, 1000, 6, 1",
    "DIVISION_OVERLAPPING, 256, 10, 600, 80, 4, 3",
    "DIVISION_OVERLAPPING, 128, 6, 120, 10, 8, 1",
    "DIVISION_OVERLAPPING, 100, 5, 200, 60, 7, 2",
    "DIVISION_OVERLAPPING, 512, 12, 2000, 400, 3, 2",
    "DIVISION_OVERLAPPING, 64, 7, 150, 30, 10, 4",
    "DIVISION_OVERLAPPING, 333, 4, 500, 250, 2, 3",
    "DIVISION_OVERLAPPING, 60, 12, 300, 3, 9, 5",
    "DIVISION_OVERLAPPING, 1024, 9, 3000, 1500, 12, 4",
    "DYADIC, 512, 1, 10000, 1000, 1, 1",
    "DYADIC, 512, 2, 10000, 1000, 1, 2",
    "DYADIC, 256, 3, 10000, 1000, 1, 3",
    "DYADIC, 128, 4, 10000, 1000, 1, 4",
    "DYADIC, 64, 4, 1000, 100, 1, 4",
    "DYADIC, 60, 3, 120, 44, 1, 3",
    "DYADIC, 100, 6, 300, 255, 1, 6",
    "DYADIC, 90, 5, 5000, 30, 1, 5",
    "DYADIC, 128, 2, 1048576, 77777, 1, 2",
    "DYADIC, 200, 8, 100000, 50001, 1, 8",
    "DYADIC, 40, 3, 64, 1, 1, 3",
    "DYADIC, 33, 1, 257, 3, 1, 1",
  })
  void theRealFilterHasTheRateOfTheFormula(
      RangePlan.Scheme scheme,
      long bits,
      int hashes,
      long domain,
      long range,
      long divide,
      int shift) {
    long low = -7 * divide;
    RangeSchema schema =
        RangeSchema.of(
            bits,
            hashes,
            new Attribute("x", Domain.of(low, low + domain - 1), scheme, hashes, divide, shift, 0));
    SplittableRandom random = new SplittableRandom(schema.schemaHash());
    long hits =
        Rates.count(
            TRIALS,
            trial -> {
              RangeBloomFilter filter =
                  RangeBloomFilter.create(schema, HashScheme.xxh3(random.nextLong()));
              long start = random.nextLong(domain - range + 1);
              filter.putRange("x", low + start, low + start + range - 1);
              return filter.mightContain("x", low + outside(random, domain, start, range));
            });
    double formula =
        scheme == RangePlan.Scheme.DYADIC
            ? DyadicRates.fpp(bits, hashes, domain, range)
            : BorderRates.fpp(bits, hashes, domain, range, divide, shift);
    assertAgrees(hits, formula, formula * (1 + slack(hashes, bits)));
  }

  private static long outside(SplittableRandom random, long domain, long start, long range) {
    long number = random.nextLong(domain - range);
    return number < start ? number : number + range;
  }

  private static double slack(int hashes, long bits) {
    return hashes * (hashes + 1) / (4.0 * bits) + C1_REMAINDER;
  }

  private static void assertAgrees(long hits, double low, double high) {
    BinomialInterval interval = BinomialInterval.of(hits, TRIALS, Rates.ALPHA);
    assertThat(interval.low() <= high && low <= interval.high())
        .as("%d hits of %d: %s should meet [%s, %s]", hits, TRIALS, interval, low, high)
        .isTrue();
  }

  private static final List<RangeAttribute> NUMBERS =
      List.of(
          RangeAttribute.of("Age", 120, 10),
          RangeAttribute.of("Year", 201, 20),
          RangeAttribute.of("Income", 5_000_001, 500_000),
          RangeAttribute.of("Longitude", 3_600_001, 100),
          RangeAttribute.of("Latitude", 1_800_001, 100));

  private static final Profile PROFILE = Profile.of(512, 5, NUMBERS);

  @ParameterizedTest
  @ValueSource(strings = {"k = 8", "k = 15", "mixed", "dyadic"})
  void tenAttributesShareTheFillOfOneFilter(String which) {
    ProfilePlan plan =
        switch (which) {
          case "k = 8" ->
              ProfilePlan.of(
                  PROFILE,
                  8,
                  List.of(
                      new Shape(8, 1, 3),
                      new Shape(8, 1, 2),
                      new Shape(8, 9135, 1),
                      new Shape(8, 100, 1),
                      new Shape(8, 81, 1)));
          case "k = 15" ->
              ProfilePlan.of(
                  PROFILE,
                  15,
                  List.of(
                      new Shape(15, 1, 6),
                      new Shape(15, 1, 4),
                      new Shape(15, 5129, 1),
                      new Shape(15, 65, 1),
                      new Shape(15, 46, 1)));
          case "mixed" ->
              ProfilePlan.of(
                  PROFILE,
                  5,
                  List.of(
                      new Shape(3, 1, 2),
                      new Shape(9, 2, 4),
                      new Shape(12, 9135, 5),
                      new Shape(2, 100, 1),
                      new Shape(7, 30, 3)));
          default -> ProfilePlan.best(PROFILE, RangePlan.Scheme.DYADIC, 3);
        };
    RangeSchema schema = RangeSchema.of(plan, Map.of());
    SplittableRandom random = new SplittableRandom(schema.schemaHash());
    long[] hits = new long[6];
    for (int trial = 0; trial < TRIALS; trial++) {
      RangeBloomFilter filter = RangeBloomFilter.create(schema, HashScheme.xxh3(random.nextLong()));
      for (String name : List.of("Name", "Nick Name", "University", "Hobby", "Professional")) {
        filter.put(name, "in " + random.nextLong());
      }
      long[] starts = new long[5];
      for (int i = 0; i < 5; i++) {
        RangeAttribute a = NUMBERS.get(i);
        starts[i] = random.nextLong(a.domain() - a.range() + 1);
        filter.putRange(a.name(), starts[i], starts[i] + a.range() - 1);
      }
      for (int i = 0; i < 5; i++) {
        RangeAttribute a = NUMBERS.get(i);
        long number = outside(random, a.domain(), starts[i], a.range());
        hits[i] += filter.mightContain(a.name(), number) ? 1 : 0;
      }
      hits[5] += filter.mightContain("Name", "out " + trial) ? 1 : 0;
    }
    // borders lower the fill, and with it every rate, by up to 2 % (erratum R6)
    for (int i = 0; i < 5; i++) {
      double fpp = plan.attributes().get(i).fpp();
      assertAgrees(hits[i], 0.98 * fpp, fpp * (1 + slack(plan.attributes().get(i).hashes(), 512)));
    }
    assertAgrees(
        hits[5], 0.98 * plan.stringFpp(), plan.stringFpp() * (1 + slack(plan.hashes(), 512)));
  }

  @Test
  void absentKeysPassOneFilterAtTheRateOfItsRealFill() {
    for (Attribute attribute :
        List.of(
            Attribute.divisionOverlapping("x", Domain.of(0, 1L << 40), 5, 64, 2),
            Attribute.dyadic("x", Domain.of(0, 1L << 40), 8))) {
      RangeBloomFilter filter =
          RangeBloomFilter.create(RangeSchema.of(500, 3, attribute).withTexts("name"));
      filter.putRange("x", 1000, 6000);
      for (int i = 0; i < 20; i++) {
        filter.put("name", "in " + i);
      }
      Rates.assertRate(
          200_000, i -> filter.mightContain("name", "out " + i), filter.expectedFpp("name"));
      Rates.assertRate(
          200_000, i -> filter.mightContain("x", (i + 1) << 20), filter.expectedFpp("x"));
    }
  }
}
