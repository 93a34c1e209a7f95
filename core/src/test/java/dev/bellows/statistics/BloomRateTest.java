package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.KeyHasher;
import dev.bellows.Layout;
import dev.bellows.Means;
import dev.bellows.Rates;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.plan.BloomPlan;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BloomRateTest {
  /** Three kinds of keys; numbers below 0 are absent. */
  enum Keys {
    LONG(i -> i, KeyHasher.LONGS),
    TEXT(i -> "user:" + i, KeyHasher.TEXT),
    BYTES(i -> ByteBuffer.allocate(16).putLong(i).putLong(~i).array(), KeyHasher.BYTES);

    final LongFunction<Object> make;
    final KeyHasher<Object> hasher;

    @SuppressWarnings("unchecked")
    <T> Keys(LongFunction<T> make, KeyHasher<? super T> hasher) {
      this.make = make::apply;
      this.hasher = (key, scheme) -> ((KeyHasher<Object>) hasher).hash(key, scheme);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 1000, LONG", "CLASSIC, 1000, TEXT", "CLASSIC, 1000, BYTES",
    "CLASSIC, 100000, LONG", "CLASSIC, 100000, TEXT", "CLASSIC, 100000, BYTES",
    "CLASSIC, 10000000, LONG", "CLASSIC, 1000000, TEXT", "CLASSIC, 1000000, BYTES",
    "BLOCKED, 1000, LONG", "BLOCKED, 1000, TEXT", "BLOCKED, 1000, BYTES",
    "BLOCKED, 100000, LONG", "BLOCKED, 100000, TEXT", "BLOCKED, 100000, BYTES",
    "BLOCKED, 10000000, LONG", "BLOCKED, 1000000, TEXT", "BLOCKED, 1000000, BYTES",
  })
  void absentKeysPassOneFilterAtTheRateOfItsRealFill(Layout.Family layout, long keys, Keys type) {
    BloomFilter filter = BloomFilter.builder().keys(keys).fpp(0.01).layout(layout).build();
    for (long i = 0; i < keys; i++) {
      filter.put(type.make.apply(i), type.hasher);
    }
    Rates.assertRate(
        200_000,
        i -> filter.mightContain(type.make.apply(-1 - i), type.hasher),
        filter.expectedFpp());
    for (long i = 0; i < keys; i += 1 + keys / 100_000) {
      assertThat(filter.mightContain(type.make.apply(i), type.hasher)).isTrue();
    }
    Means.assertEstimate(
        filter.approximateElementCount(),
        keys,
        filter.bits(),
        filter.hashes(),
        layout == Layout.Family.CLASSIC ? filter.bits() : 512);
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void manyFiltersHaveThePlannedRateOnAverage(Layout.Family layout) {
    int keys = 1000;
    int filters = 100;
    long queries = 100_000;
    for (double fpp : new double[] {0.1, 0.01, 0.001}) {
      BloomPlan plan = BloomPlan.foldable(keys, fpp, layout);
      double exact =
          layout == Layout.Family.CLASSIC
              ? BloomRates.fppExact(plan.bits(), keys, plan.hashes())
              : plan.layout().fpp(plan.bits(), keys);
      assertThat(plan.fpp()).isLessThanOrEqualTo(fpp);
      assertThat(exact).isLessThanOrEqualTo(fpp);
      Means rates = new Means();
      for (int seed = 1; seed <= filters; seed++) {
        BloomFilter filter =
            BloomFilter.builder().keys(keys).fpp(fpp).layout(layout).seed(seed).build();
        for (long i = 0; i < keys; i++) {
          filter.put(i);
        }
        rates.add(Rates.count(queries, i -> filter.mightContain(-1 - i)) / (double) queries);
      }
      rates.assertMean(exact);
    }
  }

  @ParameterizedTest
  @CsvSource({"60, 8, 5", "120, 6, 14", "720, 7, 70", "840, 6, 90", "509, 7, 50", "512, 7, 50"})
  void smallAndCompositeSizesKeepTheFormula(long bits, int hashes, int keys) {
    int filters = 4000;
    int queries = 250;
    Means rates = new Means();
    for (int seed = 0; seed < filters; seed++) {
      BloomFilter filter =
          BloomFilter.builder()
              .bits(bits)
              .hashes(hashes)
              .layout(Layout.Family.CLASSIC)
              .seed(seed)
              .build();
      for (long i = 0; i < keys; i++) {
        filter.put(i);
      }
      rates.add(Rates.count(queries, i -> filter.mightContain(-1 - i)) / (double) queries);
    }
    rates.assertMean(BloomRates.fppExact(bits, keys, hashes));
  }

  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 0.01, 1.03",
    "CLASSIC, 0.001, 1.03",
    "BLOCKED, 0.01, 1.09",
    "BLOCKED, 0.001, 1.13"
  })
  void bitsStayNearTheSmallestFilter(Layout.Family layout, double fpp, double factor) {
    for (long keys : new long[] {1_000, 3_333, 10_000, 77_777, 1_000_000, 123_456_789}) {
      double smallest = BloomPlan.smallest(keys, fpp, Layout.Family.CLASSIC).bits();
      long part = layout == Layout.Family.BLOCKED ? 512 : 0; // of a block, which is indivisible
      assertThat((double) BloomPlan.foldable(keys, fpp, layout).bits())
          .as("%d keys", keys)
          .isLessThanOrEqualTo(factor * smallest + part);
    }
  }
}
