import dev.bellows.HashScheme;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.function.IntPredicate;

/**
 * One user publishes the number 15 under the name Age, another asks for 10 to 60 (Range thesis,
 * Section 2.2): both are filters, and any peer that has them compares bits. The published
 * number matches if all its bits are in the question.
 *
 * <p>In a small filter the 51 numbers of the question set most of the bits if each is put by
 * itself, and then everything matches. Divided and overlapping, they set few. Every filter is
 * hashed a few hundred times, because the domain has only 120 numbers.
 */
public final class PublishAndAsk {
  private static final int BITS = 256;
  private static final int HASHES = 8;
  private static final int LOW = 10;
  private static final int HIGH = 60;
  private static final Domain AGES = Domain.of(1, 120);
  private static final int SEEDS = 400;

  public static void main(String[] arguments) {
    long range = HIGH - LOW + 1;
    RangePlan best =
        RangePlan.best(
            RangePlan.Scheme.DIVISION_OVERLAPPING, BITS, HASHES, AGES.size(), range);
    System.out.printf(
        "Ages from %d to %d in a filter of %d bits, %d bits per number%n%n",
        LOW, HIGH, BITS, HASHES);
    show("each number by itself", Attribute.plain("Age", AGES, HASHES));
    show(
        "divide %d, shift %d".formatted(best.divide(), best.shift()),
        Attribute.divisionOverlapping("Age", AGES, HASHES, best.divide(), best.shift()));
  }

  private static void show(String words, Attribute attribute) {
    RangeSchema schema = RangeSchema.of(BITS, HASHES, attribute);
    RangeBloomFilter published = RangeBloomFilter.create(schema, HashScheme.xxh3(1));
    published.put("Age", 15);
    RangeBloomFilter question = question(schema, 1);
    System.out.println(words);
    System.out.printf("  15 published, %d..%d asked: %s%n", LOW, HIGH, word(published, question));
    System.out.printf("  bits set by the question: %.0f %%%n", 100 * question.fill());
    System.out.printf(
        "  ages inside that are missed: %.2f %%%n",
        100 * (1 - matches(schema, age -> age >= LOW && age <= HIGH)));
    System.out.printf(
        "  ages outside that match: %.2f %%%n%n",
        100 * matches(schema, age -> age < LOW || age > HIGH));
  }

  private static String word(RangeBloomFilter published, RangeBloomFilter question) {
    return published.isSubsetOf(question) ? "matches" : "does not match";
  }

  private static RangeBloomFilter question(RangeSchema schema, long seed) {
    RangeBloomFilter question = RangeBloomFilter.create(schema, HashScheme.xxh3(seed));
    question.putRange("Age", LOW, HIGH);
    return question;
  }

  /** The share of these ages that match, over all seeds. */
  private static double matches(RangeSchema schema, IntPredicate which) {
    long asked = 0;
    long matched = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      RangeBloomFilter question = question(schema, seed);
      for (int age = (int) AGES.low(); age <= AGES.high(); age++) {
        if (which.test(age)) {
          RangeBloomFilter published = RangeBloomFilter.create(schema, HashScheme.xxh3(seed));
          published.put("Age", age);
          asked++;
          matched += published.isSubsetOf(question) ? 1 : 0;
        }
      }
    }
    return (double) matched / asked;
  }
}
