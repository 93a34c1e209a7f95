package dev.bellows.range;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.plan.Oracles;
import dev.bellows.range.ProfilePlan.AttributePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.ProfilePlan.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ProfilePlanTest {
  private static final RangePlan.Scheme BOTH = RangePlan.Scheme.DIVISION_OVERLAPPING;

  /** The ten attributes of the Range thesis, Table 4-2. */
  private static final Profile TEN =
      Profile.of(
          512,
          5,
          List.of(
              RangeAttribute.of("Age", 120, 10),
              RangeAttribute.of("Year", 201, 20),
              RangeAttribute.of("Income", 5_000_001, 500_000),
              RangeAttribute.of("Longitude", 3_600_001, 100),
              RangeAttribute.of("Latitude", 1_800_001, 100)));

  @TestFactory
  Stream<DynamicTest> evaluate() {
    return Oracles.cases(
        "003_ranges",
        "multi_attribute_evaluate",
        (c, all) -> {
          List<Shape> shapes = new ArrayList<>();
          for (Object pair : (List<?>) c.in().get("d_s")) {
            shapes.add(new Shape(c.small("k"), number(pair, 0), (int) number(pair, 1)));
          }
          assertPlan(ProfilePlan.of(profile(c), c.small("k"), shapes), (Map<?, ?>) c.out());
        });
  }

  @TestFactory
  Stream<DynamicTest> optimum() {
    return Oracles.cases(
        "003_ranges",
        "multi_attribute_optimum",
        (c, all) -> {
          ProfilePlan plan = ProfilePlan.best(profile(c), BOTH, c.small("k"));
          List<?> expected = (List<?>) c.expected("d_s");
          for (int i = 0; i < expected.size(); i++) {
            AttributePlan attribute = plan.attributes().get(i);
            assertThat(attribute.divide()).isEqualTo(number(expected.get(i), 0));
            assertThat(attribute.shift()).isEqualTo((int) number(expected.get(i), 1));
          }
          assertPlan(plan, (Map<?, ?>) c.out());
          if (all.get("runner_up_rel_gap") != null) {
            assertClose(plan.runnerUpGap(), all.get("runner_up_rel_gap"), 1e-9);
          }
        });
  }

  private static void assertPlan(ProfilePlan plan, Map<?, ?> out) {
    assertClose(plan.totalBits(), out.get("total_bits"), CLOSED_FORM);
    assertClose(plan.stringFpp(), out.get("fp_plain"), CLOSED_FORM);
    assertClose(plan.totalFpp(), out.get("total_fp"), CLOSED_FORM);
    assertClose(plan.averageFpp(), out.get("average_fp"), CLOSED_FORM);
    for (int i = 0; i < plan.attributes().size(); i++) {
      AttributePlan attribute = plan.attributes().get(i);
      assertClose(attribute.insertionBits(), ((List<?>) out.get("bits")).get(i), CLOSED_FORM);
      assertClose(attribute.fpp(), ((List<?>) out.get("fp")).get(i), CLOSED_FORM);
    }
  }

  private static Profile profile(Oracles.Case c) {
    List<RangeAttribute> attributes = new ArrayList<>();
    for (Object o : (List<?>) c.in().get("attributes")) {
      attributes.add(RangeAttribute.of((String) ((List<?>) o).get(0), number(o, 1), number(o, 2)));
    }
    return Profile.of(c.integer("m"), c.small("plain_attributes"), attributes);
  }

  private static long number(Object list, int index) {
    return ((Number) ((List<?>) list).get(index)).longValue();
  }

  @Test
  void fifteenHashesAreBestForTheTenAttributes() {
    ProfilePlan best = ProfilePlan.bestUpTo(TEN, BOTH, 24);
    assertThat(best.hashes()).isEqualTo(15);
    assertThat(best.uniform()).isTrue();
    assertClose(best.averageFpp(), 5.722761520493674e-4, CLOSED_FORM);
    assertThat(ProfilePlan.best(TEN, BOTH, 14).averageFpp()).isBetween(5.747e-4, 5.749e-4);
    assertThat(ProfilePlan.best(TEN, BOTH, 16).averageFpp()).isBetween(5.728e-4, 5.730e-4);
  }

  /** Every combination of every shape of two attributes. */
  @Test
  void exhaustiveSearchAgrees() {
    SplittableRandom random = new SplittableRandom(5);
    int exact = 0;
    for (int trial = 0; trial < 150; trial++) {
      int hashes = random.nextInt(1, 11);
      List<RangeAttribute> attributes = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        long range = random.nextLong(1, 25);
        attributes.add(
            new RangeAttribute(
                "a" + i, range + random.nextLong(1, 3000), range, random.nextInt(1, 4)));
      }
      Profile profile =
          new Profile(random.nextLong(16, 300), random.nextInt(0, 4), 0.5, attributes);
      double least = Double.POSITIVE_INFINITY;
      double second = Double.POSITIVE_INFINITY;
      for (Shape first : shapes(attributes.get(0), hashes)) {
        for (Shape other : shapes(attributes.get(1), hashes)) {
          double total = ProfilePlan.of(profile, hashes, List.of(first, other)).averageFpp();
          second = Math.min(second, Math.max(least, total));
          least = Math.min(least, total);
        }
      }
      ProfilePlan plan = ProfilePlan.best(profile, BOTH, hashes);
      assertClose(plan.averageFpp(), least, CLOSED_FORM);
      assertThat(plan.runnerUpGap()).isGreaterThan((second - least) / least - 1e-9);
      exact += plan.runnerUpGap() < (second - least) / least + 1e-9 ? 1 : 0;
    }
    assertThat(exact).as("runner-up found").isGreaterThan(140);
  }

  private static List<Shape> shapes(RangeAttribute attribute, int hashes) {
    List<Shape> shapes = new ArrayList<>();
    for (long divide = 1; divide <= attribute.range(); divide++) {
      for (int shift = 1; shift <= hashes; shift++) {
        shapes.add(new Shape(hashes, divide, shift));
      }
    }
    return shapes;
  }

  /** Every combination of every shape of two attributes and the strings. */
  @Test
  void exhaustiveSearchWithOwnHashesAgrees() {
    SplittableRandom random = new SplittableRandom(6);
    for (int trial = 0; trial < 25; trial++) {
      List<RangeAttribute> attributes = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        long range = random.nextLong(1, 7);
        attributes.add(
            new RangeAttribute(
                "a" + i, range + random.nextLong(1, 1000), range, random.nextDouble(0.01, 4)));
      }
      Profile profile =
          new Profile(
              random.nextLong(16, 80),
              random.nextInt(0, 4),
              random.nextDouble(0.01, 2),
              attributes);
      double least = Double.POSITIVE_INFINITY;
      for (int strings = 1; strings <= 6; strings++) {
        for (int a = 1; a <= 6; a++) {
          for (int b = 1; b <= 6; b++) {
            for (Shape first : shapes(attributes.get(0), a)) {
              for (Shape other : shapes(attributes.get(1), b)) {
                least =
                    Math.min(
                        least,
                        ProfilePlan.of(profile, strings, List.of(first, other)).averageFpp());
              }
            }
          }
        }
      }
      ProfilePlan plan = ProfilePlan.bestMixed(profile, BOTH, 6);
      assertClose(plan.averageFpp(), least, CLOSED_FORM);
      assertThat(plan.averageFpp())
          .isLessThanOrEqualTo(ProfilePlan.bestUpTo(profile, BOTH, 6).averageFpp());
    }
  }

  /**
   * Attributes that are queried equally often have the same native term, so individual hashes gain
   * nothing on the ten attributes; they help if the queries are uneven.
   */
  @Test
  void ownHashesPayOffForUnevenQueries() {
    ProfilePlan mixed = ProfilePlan.bestMixed(TEN, BOTH, 16);
    assertClose(mixed.averageFpp(), 5.722761520493674e-4, CLOSED_FORM);
    assertThat(mixed.uniform()).isTrue();
    Profile uneven = new Profile(512, 5, 0.1, TEN.attributes());
    ProfilePlan unevenUniform = ProfilePlan.bestUpTo(uneven, BOTH, 16);
    ProfilePlan unevenMixed = ProfilePlan.bestMixed(uneven, BOTH, 16);
    assertThat(unevenMixed.uniform()).isFalse();
    assertThat(unevenMixed.averageFpp() / unevenUniform.averageFpp()).isBetween(0.95, 0.951);
  }

  @Test
  void oneAttributeAloneIsARangePlan() {
    for (RangePlan.Scheme scheme : RangePlan.Scheme.values()) {
      Profile profile = Profile.of(512, 0, List.of(RangeAttribute.of("income", 10_000, 900)));
      ProfilePlan plan = ProfilePlan.bestUpTo(profile, scheme, 24);
      RangePlan alone = RangePlan.bestUpTo(scheme, 512, 24, 10_000, 900);
      AttributePlan attribute = plan.attributes().get(0);
      assertThat(attribute.name()).isEqualTo("income");
      assertThat(attribute.hashes()).isEqualTo(plan.hashes()).isEqualTo(alone.hashes());
      assertThat(attribute.divide()).isEqualTo(alone.divide());
      assertThat(attribute.shift()).isEqualTo(alone.shift());
      assertClose(attribute.fpp(), alone.fpp(), CLOSED_FORM);
      assertClose(plan.totalBits(), alone.insertionBits(), CLOSED_FORM);
      assertClose(plan.averageFpp(), alone.fpp(), CLOSED_FORM);
    }
  }

  @Test
  void stringsAloneAreABloomFilter() {
    for (RangePlan.Scheme scheme : RangePlan.Scheme.values()) {
      ProfilePlan plan = ProfilePlan.bestUpTo(Profile.of(1000, 70, List.of()), scheme, 24);
      assertThat(plan.hashes()).isEqualTo(BloomRates.bestHashes(1000, 70));
      assertClose(plan.stringFpp(), BloomRates.fpp(1000, 70, plan.hashes()), CLOSED_FORM);
      assertClose(plan.averageFpp(), plan.stringFpp(), CLOSED_FORM);
    }
  }

  @Test
  void exactBitsAreThoseOfBothEnds() {
    assertThat(TEN.exactBits()).isEqualTo(14 + 16 + 46 + 44 + 42);
  }

  @Test
  void refusals() {
    assertThatThrownBy(() -> Profile.of(512, 0, List.of()))
        .hasMessageContaining("0 strings and 0 numeric attributes");
    assertThatThrownBy(() -> RangeAttribute.of("age", 9, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("domain", "age", "10", "9");
    assertThatThrownBy(() -> RangeAttribute.of("age", 9, 1).withWeight(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("weight", "age", "0", "NaN");
    assertThatThrownBy(
            () -> new Profile(512, 1, 0, List.of(RangeAttribute.of("age", 9, 1).withWeight(0))))
        .hasMessageContaining("weights of all attributes are 0");
    assertThatThrownBy(() -> ProfilePlan.of(TEN, 8, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("0", "5");
    assertThatThrownBy(() -> ProfilePlan.best(TEN, BOTH, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("hashes", "1", "256", "0");
  }
}
