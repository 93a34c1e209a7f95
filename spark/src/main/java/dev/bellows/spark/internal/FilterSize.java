package dev.bellows.spark.internal;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.internal.numbers.CompositeNumbers;
import dev.bellows.internal.rates.Cells;
import dev.bellows.plan.FoldPlan;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongFunction;

/**
 * What every buffer of one aggregation agrees on: the capacity that all of them fold from.
 *
 * @param fpp the asked rate
 * @param maxKeys the most distinct keys that the capacity must hold at the rate
 * @param room no result is smaller than these keys need, so that results can be united
 * @param capacity highly composite cells, enough for maxKeys
 * @param cells the layout, with its bits per key
 */
record FilterSize(double fpp, long maxKeys, long room, long capacity, Cells cells) {
  static final String MAX_KEYS = "spark.bellows.maxKeys";
  static final long DEFAULT_MAX_KEYS = 100_000_000;

  /** The longest BINARY value of Spark, less a header. */
  private static final long MOST_BITS = 8L * (Integer.MAX_VALUE - 1024);

  private record Wish(double fpp, long maxKeys, long room) {}

  /** What was planned before: every task of a process asks again. */
  private static final ConcurrentMap<Wish, FilterSize> PLANNED = new ConcurrentHashMap<>();

  static FilterSize of(double fpp, long maxKeys, long room) {
    return PLANNED.computeIfAbsent(
        new Wish(fpp, maxKeys, room), wish -> planned(fpp, maxKeys, room));
  }

  private static FilterSize planned(double fpp, long maxKeys, long room) {
    if (maxKeys < 1 || room > maxKeys) {
      throw new IllegalArgumentException(
          "%s = %d must be positive and at least the %d keys to make room for"
              .formatted(MAX_KEYS, maxKeys, room));
    }
    Cells cells = Cells.forFpp(Layout.BLOCKED, fpp);
    // a little more than the need: a full capacity must hold the rate by its real fill too
    long need = cells.bitsFor(maxKeys, 0.95 * fpp);
    long count = need / cells.cellBits();
    if (need <= MOST_BITS) {
      count = CompositeNumbers.nextHighly(count);
    }
    long capacity = count * cells.cellBits();
    if (capacity > MOST_BITS) {
      throw new IllegalArgumentException(
          "%d keys at fpp %s need %d bits, more than the %d of one BINARY value: lower %s, or group"
                  .formatted(maxKeys, fpp, capacity, MOST_BITS, MAX_KEYS)
              + " by a part of the key's hash");
    }
    return new FilterSize(fpp, maxKeys, room, capacity, cells);
  }

  /** The most hashes that a buffer keeps as they are: beyond, the bits are smaller. */
  int mostHashes() {
    return DistinctHashes.mostIn(capacity / Byte.SIZE);
  }

  BloomFilter empty(long bits) {
    return BloomFilter.builder().layout(cells.layout()).bits(bits).hashes(cells.hashes()).build();
  }

  /**
   * The smallest folding of the capacity whose rate, from its real fill, is at most the asked one:
   * the same whether it is folded from the capacity's bits or built at its size from hashes.
   */
  BloomFilter result(long keys, LongFunction<BloomFilter> foldedTo) {
    long[] ladder = FoldPlan.ladder(capacity, cells.cellBits());
    // few keys scatter widely around the predicted rate; a size is judged by its real fill
    double promising = fpp * Math.min(2, 1 + 40 / Math.sqrt(keys + 1.0));
    int low = 0;
    int high = ladder.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (rate(ladder[middle], keys) <= promising && rate(ladder[middle], room) <= fpp) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    for (int i = low; i < ladder.length; i++) {
      BloomFilter filter = foldedTo.apply(ladder[i]);
      if (filter.expectedFpp() <= fpp) {
        return filter;
      }
    }
    throw new IllegalStateException(
        "at least %d distinct keys do not fit: %s = %d gives %d bits, in which they have fpp %s and not %s; set it to more than %d"
            .formatted(keys, MAX_KEYS, maxKeys, capacity, rate(capacity, keys), fpp, keys));
  }

  private double rate(long bits, long keys) {
    return cells.fpp(bits, keys);
  }
}
