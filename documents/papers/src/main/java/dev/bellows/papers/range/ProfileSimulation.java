package dev.bellows.papers.range;

import dev.bellows.HashScheme;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Result;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangeSchema;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The measured rates of texts and numbers that share one filter.
 *
 * @param attributes the rates of the numeric attributes
 * @param text the rate of a text
 * @param average the mean over all attributes by their weights, the texts included
 */
record ProfileSimulation(List<Measured> attributes, Measured text, Measured average) {
  private static final int LOTS = 40;
  private static final int TEXT_QUERIES = 60;

  /** Fills filters of the system defined attributes, each with its own ranges and hashes. */
  static ProfileSimulation of(ProfilePlan plan, int filters) {
    RangeSchema schema = RangeSchema.of(plan, Map.of());
    List<RangePlan> plans =
        IntStream.range(0, plan.attributes().size())
            .mapToObj(i -> ExactRangeRates.alone(plan, i))
            .toList();
    List<AbsentCount> counts = plans.stream().map(p -> new AbsentCount(p, LOTS)).toList();
    SplittableRandom random = new SplittableRandom(plan.hashes());
    long[] starts = new long[plans.size()];
    long texts = 0;
    for (int seed = 0; seed < filters; seed++) {
      RangeBloomFilter filter = RangeBloomFilter.create(schema, HashScheme.xxh3(seed));
      for (String name : SystemAttributes.TEXTS) {
        filter.put(name, text(random));
      }
      for (int i = 0; i < starts.length; i++) {
        RangePlan p = plans.get(i);
        starts[i] = random.nextLong(p.domain() - p.range() + 1);
        filter.putRange(plan.attributes().get(i).name(), starts[i], starts[i] + p.range() - 1);
      }
      for (int i = 0; i < starts.length; i++) {
        String name = plan.attributes().get(i).name();
        counts.get(i).query(number -> filter.mightContain(name, number), starts[i], random);
      }
      for (int i = 0; i < TEXT_QUERIES; i++) {
        String name = SystemAttributes.TEXTS.get(i % SystemAttributes.TEXTS.size());
        texts += filter.mightContain(name, text(random)) ? 1 : 0;
      }
    }
    double share = Result.ALPHA / (counts.size() + 1);
    return new ProfileSimulation(
        counts.stream().map(c -> c.result(Result.ALPHA)).toList(),
        Measured.of(texts, (long) filters * TEXT_QUERIES, Result.ALPHA),
        average(
            plan.profile(),
            counts.stream().map(c -> c.result(share)).toList(),
            Measured.of(texts, (long) filters * TEXT_QUERIES, share)));
  }

  /**
   * Returns the mean by the profile's weights; the probabilities that one of its parts misses add
   * up.
   */
  private static Measured average(
      ProfilePlan.Profile profile, List<Measured> numbers, Measured text) {
    double texts = profile.strings() * profile.stringWeight();
    double rate = texts * text.value();
    double low = texts * text.low();
    double high = texts * text.high();
    for (int i = 0; i < numbers.size(); i++) {
      double weight = profile.attributes().get(i).weight();
      rate += weight * numbers.get(i).value();
      low += weight * numbers.get(i).low();
      high += weight * numbers.get(i).high();
    }
    double all = profile.totalWeight();
    return new Measured(rate / all, low / all, high / all, Result.ALPHA);
  }

  /** Returns a random text of the length given in Table 4-2. */
  static String text(SplittableRandom random) {
    char[] letters = new char[SystemAttributes.TEXT_LENGTH];
    for (int i = 0; i < letters.length; i++) {
      letters[i] = (char) ('a' + random.nextInt(26));
    }
    return new String(letters);
  }
}
