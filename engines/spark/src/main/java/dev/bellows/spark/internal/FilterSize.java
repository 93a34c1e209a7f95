package dev.bellows.spark.internal;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.internal.math.CompositeNumbers;
import dev.bellows.plan.FoldPlan;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How large the filters of one aggregation become. Their sizes are divisors of one number, the same
 * for every aggregation, so that a filter folds well and two of them have common sizes.
 *
 * @param fpp the target rate
 * @param maxKeys the most distinct keys of one filter
 * @param room no filter is smaller than these keys need, so that filters can be merged
 * @param layout how keys choose bits
 * @param knownBits the size of every filter, if room and the maximum number of keys allow only one,
 *     and its bits are at most half as large as the hashes of that many keys; otherwise 0
 */
record FilterSize(double fpp, long maxKeys, long room, Layout layout, long knownBits) {
  static final String MAX_KEYS = "spark.bellows.maxKeys";
  static final long DEFAULT_MAX_KEYS = 100_000_000;

  /** The most that {@link #MAX_KEYS} can be: packed, their hashes are 1.3 GB of one array. */
  static final long MOST_KEYS = 1 << 28;

  /** The longest BINARY value of Spark, less a header. */
  private static final long MOST_BITS = 8L * (Integer.MAX_VALUE - 1024);

  /**
   * How often the largest filter goes into the number that all sizes divide. A number has the
   * divisors n/64, n/63, n/60 ... and all below them, one every few percent; above there are gaps
   * of up to a half.
   */
  private static final int HEADROOM = 64;

  private static final long[] SIZES = sizes();

  /** See {@link #withSpread}. */
  private static final int SPREAD = 4;

  /** The multiple of its keys up to which a filter can still estimate their number. */
  private static final int MOST_TIMES = 4;

  /**
   * Standard deviations above an estimated number of keys that are added to be on the safe side.
   */
  private static final int MARGIN = 6;

  private static long[] sizes() {
    long blocks = CompositeNumbers.nextHighly(HEADROOM * (MOST_BITS / Layout.Blocked.BLOCK_BITS));
    long[] all = FoldPlan.ladder(blocks * Layout.Blocked.BLOCK_BITS, Layout.Blocked.BLOCK_BITS);
    return Arrays.stream(all).filter(bits -> bits <= MOST_BITS).toArray();
  }

  static FilterSize of(double fpp, long maxKeys, long room) {
    String problem = problemWith(fpp, maxKeys, room);
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    Layout layout = Layout.Family.BLOCKED.forFpp(fpp);
    FilterSize any = new FilterSize(fpp, maxKeys, room, layout, 0);
    return new FilterSize(fpp, maxKeys, room, layout, any.onlyBits());
  }

  private long onlyBits() {
    int smallest = first(room, fpp);
    boolean one =
        room > 0 && smallest < SIZES.length && first(withSpread(maxKeys), fpp) == smallest;
    return one && 2 * SIZES[smallest] <= PackedHashes.bitsFor(maxKeys) ? SIZES[smallest] : 0;
  }

  /**
   * Keys that would fill a filter as much as this many keys rarely do: the fill of n random keys
   * varies about as if they were 0.4 sqrt(n) more or fewer at 1 %, 0.5 at 0.1 %, 1 at 0.01 %.
   */
  private static long withSpread(long keys) {
    return keys + (long) Math.ceil(SPREAD * Math.sqrt(keys));
  }

  /** Why there are no such filters; null if there are. */
  static @Nullable String problemWith(double fpp, long maxKeys, long room) {
    if (!(fpp > 0 && fpp < 1)) {
      return "fpp must be in (0, 1): " + fpp;
    }
    if (maxKeys < 1 || maxKeys > MOST_KEYS) {
      return "%s = %d must be between 1 and %d: group by a part of the key's hash for filters of more keys"
          .formatted(MAX_KEYS, maxKeys, MOST_KEYS);
    }
    if (room < 0 || room > maxKeys) {
      return "the keys to make room for must be between 0 and %s = %d: %d"
          .formatted(MAX_KEYS, maxKeys, room);
    }
    return unreachable(fpp, Math.max(1, room), withSpread(room));
  }

  /** Why no filter holds this many keys at the rate, at a size for this many; null if one does. */
  private static @Nullable String unreachable(double fpp, long keys, long keysOfSize) {
    double floor = keys * 0x1p-64;
    if (fpp <= floor) {
      return "fpp %s cannot be reached: an absent key has the 64-bit hash of one of %d keys with chance %s"
          .formatted(fpp, keys, floor);
    }
    return Layout.Family.BLOCKED.forFpp(fpp).fpp(SIZES[SIZES.length - 1], keysOfSize) <= fpp
        ? null
        : "%d keys at fpp %s need more than the %d bits of one BINARY value: group by a part of the key's hash"
            .formatted(keys, fpp, MOST_BITS);
  }

  private BloomFilter.Builder builder(long bits) {
    return BloomFilter.builder().layout(layout).bits(bits);
  }

  BloomFilter.Loader loader(long bits) {
    return builder(bits).loader();
  }

  /** Returns an empty filter of the size that is known. */
  BloomFilter known() {
    return builder(knownBits).build();
  }

  /**
   * Returns a filter of the size that is known, unless it holds more than the maximum number of
   * keys.
   */
  BloomFilter result(BloomFilter known) {
    long keys = known.approximateElementCount();
    if (keys > MOST_TIMES * maxKeys) {
      throw new IllegalStateException(
          ("many more distinct keys than %s = %d, too many for the room that was "
                  + "made: set it higher, and there is a count of them")
              .formatted(MAX_KEYS, maxKeys));
    }
    if (keys > withSpread(maxKeys)) {
      throw tooMany(keys, 0);
    }
    return known;
  }

  /** Returns the smallest size whose filter, by its actual fill, has at most the target rate. */
  BloomFilter result(long keys, LongFunction<BloomFilter> ofBits) {
    long most = Math.max(1, Math.max(keys, room));
    String problem = unreachable(fpp, most, most);
    if (problem != null) {
      throw new IllegalStateException(problem);
    }
    // few keys scatter widely around the predicted rate; a size is judged by its actual fill
    for (int i = promising(keys); i < SIZES.length; i++) {
      BloomFilter filter = ofBits.apply(SIZES[i]);
      if (filter.expectedFpp() <= fpp) {
        return filter;
      }
    }
    throw new IllegalStateException(
        ("%d keys at fpp %s need more than the %d bits of one BINARY value: group "
                + "by a part of the key's hash")
            .formatted(keys, fpp, MOST_BITS));
  }

  /**
   * Returns the first size whose predicted rate is not too far above the target, that of {@link
   * #SPREAD} sqrt(keys) more keys: one percent more keys raise the rate by about -ln(rate) percent.
   */
  private int promising(long keys) {
    double spread = SPREAD * -Math.log(fpp) / Math.sqrt(keys + 1.0);
    return first(keys, fpp * Math.min(2, 1 + spread));
  }

  /** Returns the first size whose predicted rate for this many keys is at most the target. */
  long sizeFor(long keys) {
    return SIZES[first(keys, fpp)];
  }

  private int first(long keys, double rate) {
    long roomy = withSpread(room);
    int low = 0;
    int high = SIZES.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (layout.fpp(SIZES[middle], keys) <= rate && layout.fpp(SIZES[middle], roomy) <= fpp) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /**
   * Returns the message for too many keys, with a sufficient limit.
   *
   * @param kept the hashes of them that begin with this many zeros
   */
  IllegalStateException tooMany(long kept, int zeros) {
    double about = kept * Math.scalb(1.0, zeros);
    double bound = (kept + MARGIN * Math.sqrt(kept) + 1) * Math.scalb(1.0, zeros);
    long enough = rounded(bound, RoundingMode.UP);
    String wayOut =
        enough <= MOST_KEYS
            ? "set it to %d".formatted(enough)
            : "it can be at most %d, so group by a part of the key's hash".formatted(MOST_KEYS);
    return new IllegalStateException(
        "about %d distinct keys are more than %s = %d: %s"
            .formatted(rounded(about, RoundingMode.HALF_UP), MAX_KEYS, maxKeys, wayOut));
  }

  private static long rounded(double number, RoundingMode mode) {
    return new BigDecimal(number).round(new MathContext(2, mode)).longValue();
  }
}
