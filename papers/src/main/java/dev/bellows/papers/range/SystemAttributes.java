package dev.bellows.papers.range;

import dev.bellows.HashScheme;
import dev.bellows.RangeBloomFilter;
import dev.bellows.RangeSchema;
import dev.bellows.RangeSchema.Domain;
import dev.bellows.papers.Result;
import dev.bellows.plan.AttributePlan;
import dev.bellows.plan.BinomialInterval;
import dev.bellows.plan.ExactRangeRates;
import dev.bellows.plan.Profile;
import dev.bellows.plan.ProfilePlan;
import dev.bellows.plan.RangeAttribute;
import dev.bellows.plan.RangePlan;
import dev.bellows.plan.RangeScheme;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The attributes of Table 4-2 with ranges of a tenth to the whole of the largest: five strings and
 * five numeric attributes in 512 bits (domains counted with both ends: errata R8).
 */
final class SystemAttributes {
  /** The steps from the smallest ranges to the largest. */
  static final int STEPS = 10;

  private static final int STRINGS = 5;
  private static final int OUTSIDERS = 40;

  private SystemAttributes() {}

  /** The profile with ranges of so many tenths. */
  static Profile profile(int step) {
    return Profile.of(
        512,
        STRINGS,
        List.of(
            RangeAttribute.of("Age", 120, step),
            RangeAttribute.of("Year", 201, 2L * step),
            RangeAttribute.of("Income", 5_000_001, 50_000L * step),
            RangeAttribute.of("Longitude", 3_600_001, 10L * step),
            RangeAttribute.of("Latitude", 1_800_001, 10L * step)));
  }

  /** All elements put: the numbers of the ranges and the strings. */
  static long elements(int step) {
    return STRINGS + profile(step).attributes().stream().mapToLong(RangeAttribute::range).sum();
  }

  /** The best shapes with so many hash functions. */
  static ProfilePlan plan(int step, int hashes) {
    return ProfilePlan.best(profile(step), RangeScheme.DIVISION_OVERLAPPING, hashes);
  }

  /** The average rate that a simulation converges to. */
  static double exact(ProfilePlan plan) {
    double sum = STRINGS * ExactRangeRates.stringFpp(plan);
    for (int i = 0; i < plan.attributes().size(); i++) {
      sum += ExactRangeRates.attributeFpp(plan, i);
    }
    return sum / (STRINGS + plan.attributes().size());
  }

  /** The measured average rate; every filter has ranges, strings and a hash of its own. */
  static RangeSimulation simulate(ProfilePlan plan, int filters) {
    Map<String, Domain> domains = new HashMap<>();
    List<OutsiderCount> counts = new ArrayList<>();
    for (AttributePlan attribute : plan.attributes()) {
      domains.put(attribute.name(), Domain.of(0, attribute.attribute().domain() - 1));
      counts.add(new OutsiderCount(shape(plan, attribute), OUTSIDERS));
    }
    RangeSchema schema = RangeSchema.of(plan, domains);
    SplittableRandom random = new SplittableRandom(plan.hashes());
    long passed = 0;
    for (int instance = 0; instance < filters; instance++) {
      RangeBloomFilter filter = RangeBloomFilter.create(schema, HashScheme.xxh3(instance));
      for (int i = 0; i < STRINGS; i++) {
        filter.put("string" + i, "inside");
      }
      long[] starts = new long[plan.attributes().size()];
      for (int i = 0; i < starts.length; i++) {
        RangeAttribute attribute = plan.attributes().get(i).attribute();
        starts[i] = random.nextLong(attribute.domain() - attribute.range() + 1);
        filter.putRange(attribute.name(), starts[i], starts[i] + attribute.range() - 1);
      }
      for (int i = 0; i < starts.length; i++) {
        String name = plan.attributes().get(i).name();
        counts.get(i).ask(number -> filter.mightContain(name, number), starts[i], random);
      }
      for (int i = 0; i < OUTSIDERS; i++) {
        passed += filter.mightContain("string0", "outside" + i) ? 1 : 0;
      }
    }
    return average(counts, passed, (long) filters * OUTSIDERS);
  }

  private static RangePlan shape(ProfilePlan plan, AttributePlan attribute) {
    return RangePlan.of(
        plan.scheme(),
        plan.profile().bits(),
        attribute.hashes(),
        attribute.attribute().domain(),
        attribute.attribute().range(),
        attribute.divide(),
        attribute.shift());
  }

  /** The mean of the parts; their intervals share the chance of a miss. */
  private static RangeSimulation average(List<OutsiderCount> counts, long passed, long asked) {
    double alpha = Result.ALPHA / (counts.size() + 1);
    BinomialInterval strings = BinomialInterval.of(passed, asked, alpha);
    double rate = STRINGS * (double) passed / asked;
    double low = STRINGS * strings.low();
    double high = STRINGS * strings.high();
    for (OutsiderCount count : counts) {
      RangeSimulation part = count.result(alpha);
      rate += part.rate();
      low += part.low();
      high += part.high();
    }
    int all = STRINGS + counts.size();
    return new RangeSimulation(rate / all, low / all, high / all, Result.ALPHA);
  }
}
