package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Layout;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import dev.bellows.scalable.ScalableBloomFilter;
import java.time.LocalDate;
import java.util.Locale;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Puts from several threads into every thread-safe kind while other threads query, copy, fold and
 * write: no key is ever lost.
 */
class ManyPutsTest {
  private static final long IN_THE_BUILD = 300_000;
  private static final long MANY = 100_000_000;

  @Test
  void noPutIsLost() throws Exception {
    assertThat(put(IN_THE_BUILD)).isGreaterThanOrEqualTo(IN_THE_BUILD);
  }

  /** The long run of docs/reliability.md; it prints its row. */
  @Tag("scale")
  @Test
  void noPutOfAHundredMillionIsLost() throws Exception {
    long puts = put(MANY);
    assertThat(puts).isGreaterThanOrEqualTo(MANY);
    System.out.printf(
        Locale.ROOT,
        "| concurrent puts | %,d from %d threads, during queries, copies, foldings and files | 0"
            + " lost | `ManyPutsTest` | %s |%n",
        puts,
        Stress.WRITERS,
        LocalDate.now());
  }

  /**
   * Puts about this many keys, divided so that each kind takes about the same time; returns how
   * many.
   */
  private static long put(long keys) throws Exception {
    long puts = 0;
    puts += bits(Layout.Family.BLOCKED, keys * 30 / 100);
    puts += bits(Layout.Family.CLASSIC, keys * 20 / 100);
    puts += counters(keys * 10 / 100);
    puts += elastic(keys * 15 / 100);
    puts += levels(keys * 10 / 100);
    puts += thresholds(keys * 8 / 100);
    puts += ids(Mode.EXACT_LEAVES, keys * 4 / 100);
    puts += ids(Mode.PUBLISHED, keys / 100);
    puts += ranges(keys * 2 / 100);
    return puts;
  }

  /** The number of keys of each writer, so that all of them together put at least this many. */
  private static long each(long keys) {
    return keys / Stress.WRITERS + 1;
  }

  private static long finish(long keys, Stress stress, Stress.Put put, LongPredicate contains)
      throws Exception {
    stress.put(each(keys), put, contains);
    long puts = each(keys) * Stress.WRITERS;
    for (long key = 0; key < puts; key++) {
      if (!contains.test(key)) {
        throw new AssertionError("lost key " + key);
      }
    }
    return puts;
  }

  private static long bits(Layout.Family layout, long keys) throws Exception {
    BloomFilter shared = BloomFilter.builder().keys(keys).fpp(0.01).layout(layout).id(3).build();
    long factor = shared.ladder().get(shared.ladder().size() - 2).factor();
    Stress stress =
        new Stress()
            .concurrently(shared::mightContain)
            .besideMade(() -> shared.copy()::mightContain)
            .besideMade(() -> shared.foldBy(factor)::mightContain)
            .besideMade(() -> BloomFilter.fromBytes(shared.toBytes())::mightContain);
    return finish(keys, stress, (writer, key) -> shared.put(key), shared::mightContain);
  }

  private static long counters(long keys) throws Exception {
    CountingBloomFilter shared = CountingBloomFilter.create(keys, 0.01);
    long factor = shared.ladder().get(shared.ladder().size() - 2).factor();
    Stress stress =
        new Stress()
            .concurrently(shared::mightContain)
            .besideMade(() -> shared.copy()::mightContain)
            .besideMade(() -> shared.foldBy(factor)::mightContain)
            .besideMade(() -> CountingBloomFilter.fromBytes(shared.toBytes())::mightContain);
    return finish(keys, stress, (writer, key) -> shared.put(key), shared::mightContain);
  }

  private static long elastic(long keys) throws Exception {
    ElasticBloomFilter shared = ElasticBloomFilter.builder().keys(keys).fpp(0.01).id(4).build();
    Stress stress =
        new Stress()
            .concurrently(shared::mightContain)
            .besideMade(() -> shared.snapshot()::mightContain)
            .besideMade(() -> ElasticBloomFilter.fromBytes(shared.toBytes())::mightContain);
    return finish(keys, stress, (writer, key) -> shared.put(key), shared::mightContain);
  }

  private static long levels(long keys) throws Exception {
    ScalableBloomFilter shared = ScalableBloomFilter.builder().initialKeys(64).fpp(0.01).build();
    Stress stress =
        new Stress()
            .concurrently(shared::mightContain)
            .besideMade(() -> shared.copy()::mightContain)
            .besideMade(() -> ScalableBloomFilter.fromBytes(shared.toBytes())::mightContain);
    return finish(keys, stress, (writer, key) -> shared.put(key), shared::mightContain);
  }

  /** Read as a plain filter, it misses no stored key. */
  private static long thresholds(long keys) throws Exception {
    AutoscalingBloomFilter shared =
        AutoscalingBloomFilter.builder().bits(8 * keys).hashes(5).thresholds(0, 5).build();
    Stress stress =
        new Stress()
            .concurrently(shared::accepts)
            .besideMade(() -> shared.copy()::accepts)
            .besideMade(() -> shared.binarize()::accepts)
            .besideMade(() -> AutoscalingBloomFilter.fromBytes(shared.toBytes())::accepts);
    long puts = finish(keys, stress, (writer, key) -> shared.put(key), shared::accepts);
    assertThat(shared.approximateElementCount()).isEqualTo(puts);
    return puts;
  }

  private static long ids(Mode mode, long keys) throws Exception {
    DynamicPartitionBloomFilter shared =
        DynamicPartitionBloomFilter.builder().universe(8 * keys).fpp(0.01).mode(mode).build();
    Stress stress =
        new Stress()
            .concurrently(shared::mightContainId)
            .besideMade(() -> shared.copy()::mightContainId)
            .besideMade(() -> shared.view()::mightContainId)
            .besideMade(
                () -> DynamicPartitionBloomFilter.fromBytes(shared.toBytes())::mightContainId);
    return finish(keys, stress, (writer, key) -> shared.putId(key), shared::mightContainId);
  }

  private static long ranges(long keys) throws Exception {
    RangeSchema schema =
        RangeSchema.of(64 * keys, 4, Attribute.division("n", Domain.of(0, 4 * keys), 4, 4));
    RangeBloomFilter shared = RangeBloomFilter.create(schema);
    Stress stress =
        new Stress()
            .besideMade(() -> asked(shared.copy()))
            .besideMade(() -> asked(RangeBloomFilter.fromBytes(shared.toBytes())));
    return finish(keys, stress, (writer, key) -> shared.putRange("n", key, key + 3), asked(shared));
  }

  private static LongPredicate asked(RangeBloomFilter filter) {
    return key -> filter.mightContainRange("n", key, key + 3);
  }
}
