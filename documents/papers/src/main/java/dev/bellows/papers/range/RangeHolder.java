package dev.bellows.papers.range;

import dev.bellows.HashScheme;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.function.LongPredicate;

/** Makes a filter for a range of numbers that is queried for single numbers. */
@FunctionalInterface
public interface RangeHolder {
  /**
   * Returns a filter of the numbers from low to high, as a predicate that tells whether a number
   * may be among them.
   *
   * @param instance which hash functions: filters of one instance hash alike
   */
  LongPredicate hold(long instance, long low, long high);

  /** Returns the library's filter, one seed for each instance; numbers count from 0. */
  static RangeHolder library(RangePlan plan) {
    RangeSchema schema = schema(plan);
    return (instance, low, high) -> {
      RangeBloomFilter filter = RangeBloomFilter.create(schema, HashScheme.xxh3(instance));
      filter.putRange("Range", low, high);
      return number -> filter.mightContain("Range", number);
    };
  }

  /**
   * Returns the library's filter, compared as a whole with a second filter of the queried number,
   * as in Algorithm 3-1.
   */
  static RangeHolder compared(RangePlan plan) {
    RangeSchema schema = schema(plan);
    return (instance, low, high) -> {
      HashScheme scheme = HashScheme.xxh3(instance);
      RangeBloomFilter filter = RangeBloomFilter.create(schema, scheme);
      filter.putRange("Range", low, high);
      RangeBloomFilter probe = RangeBloomFilter.create(schema, scheme);
      return number -> {
        probe.clear();
        probe.put("Range", number);
        return probe.isSubsetOf(filter);
      };
    };
  }

  /**
   * Returns the thesis's filter over its own hash functions; the name of the attribute is the
   * instance.
   */
  static RangeHolder thesis(RangePlan plan, String attribute) {
    return new DigestFilter(plan, attribute);
  }

  private static RangeSchema schema(RangePlan plan) {
    return RangeSchema.of(
        plan.bits(),
        plan.hashes(),
        new Attribute(
            "Range",
            Domain.of(0, plan.domain() - 1),
            plan.scheme(),
            plan.hashes(),
            plan.divide(),
            plan.shift()));
  }
}
