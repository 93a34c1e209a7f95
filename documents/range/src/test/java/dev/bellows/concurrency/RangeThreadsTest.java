package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A range filter that several threads fill, query, copy, merge and write. */
class RangeThreadsTest {
  private static final long KEYS = 300;

  /** Few words, so that threads contend for them. */
  private static final RangeSchema SCHEMA =
      RangeSchema.of(1 << 12, 4, Attribute.division("age", Domain.of(0, 1 << 10), 4, 4));

  @Test
  void noPutIsLost() throws Exception {
    RangeBloomFilter alone = RangeBloomFilter.create(SCHEMA);
    LongStream.range(0, KEYS * Stress.WRITERS).forEach(key -> put(alone, key));
    for (int round = 0; round < 60; round++) {
      RangeBloomFilter shared = RangeBloomFilter.create(SCHEMA);
      RangeBloomFilter empty = RangeBloomFilter.create(SCHEMA);
      new Stress()
          .besideMade(() -> asked(shared.copy()))
          .besideMade(() -> asked(empty.union(shared, 1)))
          .besideMade(() -> asked(RangeBloomFilter.fromBytes(shared.toBytes())))
          .put(KEYS, (writer, key) -> put(shared, key), asked(shared));
      assertThat(shared).isEqualTo(alone);
    }
  }

  private static void put(RangeBloomFilter filter, long key) {
    filter.putRange("age", key, key + 3);
  }

  private static LongPredicate asked(RangeBloomFilter filter) {
    return key -> filter.mightContainRange("age", key, key + 3);
  }
}
