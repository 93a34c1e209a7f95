package dev.bellows.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bellows.AllKinds;
import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.Foldable;
import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.Mergeable;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.scalable.ScalableBloomFilter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files that were changed on purpose, with right checksums: whatever is read from them can be used,
 * and no operation takes far more time or memory than the bytes justify. A refusal by an operation
 * is an {@link IllegalArgumentException} or an {@link IllegalStateException}.
 *
 * <p>A change replaces bytes anywhere, or a whole number of a header (a parameter, a length) by one
 * that an attacker would choose: a border of its type, a neighbor, a hostile double. Checksums are
 * corrected after each change, so that it reaches the code behind them.
 */
class MutatedFiltersTest {
  private static final ReadOptions LIMIT = ReadOptions.DEFAULT.withMaxBytes(1 << 20);

  /** What was read within the limit, and a few puts later, is written and read again. */
  private static final ReadOptions AGAIN = ReadOptions.DEFAULT.withMaxBytes(64 << 20);

  private static final int PUTS = 20;

  /** Mutations of one example with one seed. */
  private static final int ROUNDS = 2500;

  private static final long MANY = 10_000_000;

  /** The limit for one operation on a filter that was read from a few hundred bytes. */
  private static final long MOST_CPU_NANOS = 1_500_000_000L;

  private static final long MOST_BYTES = 64L << 20;

  private static final double[] HOSTILE = {
    Double.MIN_VALUE,
    2.5e-321,
    Double.MIN_NORMAL,
    0x1p-64,
    Math.nextUp(0x1p-64),
    1e-19,
    1e-15,
    0.5,
    Math.nextDown(1.0),
    1,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN,
    -1
  };

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static Stream<AllKinds.Example> examples() {
    return AllKinds.examples().stream();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void mutatedFiltersThatAreReadCanBeUsed(AllKinds.Example example) {
    mutate(example, ROUNDS, 1);
  }

  /** The long run of docs/reliability.md, in as many threads as there are; it prints its row. */
  @Tag("scale")
  @Test
  void tenMillionMutatedFiltersThatAreReadCanBeUsed() throws Exception {
    List<AllKinds.Example> examples = AllKinds.examples();
    int seeds = (int) (MANY / (examples.size() * (long) ROUNDS) + 1);
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int seed = 2; seed < 2 + seeds; seed++) {
        for (AllKinds.Example example : examples) {
          int own = seed;
          all.add(pool.submit(() -> mutate(example, ROUNDS, own)));
        }
      }
      long read = 0;
      Map<FilterKind, long[]> kinds = new EnumMap<>(FilterKind.class);
      for (int i = 0; i < all.size(); i++) {
        int used = all.get(i).get();
        read += used;
        long[] sums =
            kinds.computeIfAbsent(examples.get(i % examples.size()).kind(), kind -> new long[2]);
        sums[0] += ROUNDS;
        sums[1] += used;
      }
      System.out.printf(
          Locale.ROOT,
          "| changed files, of %d examples of all kinds | %,d, of which %,d were still filters and"
              + " used | 0 out of bounds | `MutatedFiltersTest` | %s |%n",
          examples.size(),
          (long) all.size() * ROUNDS,
          read,
          LocalDate.now());
      kinds.forEach(
          (kind, sums) ->
              System.out.printf(
                  Locale.ROOT, "%s: %,d changed, %,d used%n", kind.word(), sums[0], sums[1]));
    } finally {
      pool.shutdownNow();
    }
  }

  private static int mutate(AllKinds.Example example, int rounds, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] written = example.filter().toBytes();
    byte[] full = Forgery.full(written);
    List<Integer> numbers = new ArrayList<>();
    Forgery.headers(full).forEach(header -> numbers.addAll(Forgery.fields(full, header)));
    int read = 0;
    for (int round = 0; round < rounds; round++) {
      byte[] bytes =
          switch (round % 4) {
            case 0 -> mutated(written, 7, random);
            case 1 -> renumbered(full, numbers, random);
            default -> mutated(full, 24, random);
          };
      Filter filter;
      try {
        filter = bounded(example, "reading", bytes, () -> Filters.fromBytes(bytes, LIMIT));
      } catch (FilterFormatException refused) {
        continue;
      } catch (Exception e) {
        throw new AssertionError(example + ": " + e, e);
      }
      read++;
      use(example, filter, bytes);
    }
    assertThat(read).as("%s: some mutations are filters", example).isPositive();
    return read;
  }

  /** The bytes with some changes, not before an offset. */
  private static byte[] mutated(byte[] original, int from, SplittableRandom random) {
    byte[] bytes = original.clone();
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int place =
          from == 24 && random.nextInt(3) > 0
              ? 64 + random.nextInt(Math.min(128, bytes.length - 64))
              : from + random.nextInt(bytes.length - from);
      bytes[place] = (byte) (random.nextBoolean() ? random.nextInt() : 1 << random.nextInt(8));
    }
    return Forgery.sign(bytes);
  }

  /** The bytes with other numbers in their headers. */
  private static byte[] renumbered(byte[] original, List<Integer> places, SplittableRandom random) {
    byte[] bytes = original.clone();
    ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int place = places.get(random.nextInt(places.size()));
      numbers.putLong(place, hostile(numbers.getLong(place), random));
    }
    return Forgery.sign(bytes);
  }

  private static long hostile(long number, SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> (1L << random.nextInt(64)) + random.nextInt(-1, 2);
      case 1 -> number + random.nextInt(-2, 3);
      case 2 -> number << random.nextInt(1, 40);
      case 3 -> Double.doubleToRawLongBits(HOSTILE[random.nextInt(HOSTILE.length)]);
      case 4 ->
          Double.doubleToRawLongBits(
              Math.scalb(1 + random.nextDouble(), random.nextInt(Double.MIN_EXPONENT - 52, 2)));
      default -> random.nextInt(1 << random.nextInt(1, 31));
    };
  }

  @FunctionalInterface
  private interface Operation<T> {
    T run() throws Exception;
  }

  /** Runs an operation and refuses what takes too long or too much. */
  private static <T> T bounded(
      AllKinds.Example example, String what, byte[] bytes, Operation<T> operation)
      throws Exception {
    long cpu = THREADS.getCurrentThreadCpuTime();
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    try {
      return operation.run();
    } finally {
      long nanos = THREADS.getCurrentThreadCpuTime() - cpu;
      long taken = THREADS.getCurrentThreadAllocatedBytes() - allocated;
      if (nanos > MOST_CPU_NANOS || taken > MOST_BYTES) {
        throw new AssertionError(
            "%s, %s: %d ms and %d bytes for a file of %d bytes: %s"
                .formatted(
                    example,
                    what,
                    nanos / 1_000_000,
                    taken,
                    bytes.length,
                    HexFormat.of().formatHex(bytes)));
      }
    }
  }

  private static void use(AllKinds.Example example, Filter filter, byte[] bytes) {
    operations(filter)
        .forEach(
            (what, operation) -> {
              try {
                bounded(example, what, bytes, operation);
              } catch (IllegalArgumentException | IllegalStateException refused) {
                // a clear refusal
              } catch (Exception e) {
                throw new AssertionError(example + ", " + what + ": " + e, e);
              }
            });
  }

  private static Map<String, Operation<?>> operations(Filter filter) {
    Map<String, Operation<?>> all = new LinkedHashMap<>();
    all.put("stats", filter::stats);
    all.put("explain", filter::explain);
    all.put("rate", filter::expectedFpp);
    if (filter instanceof Membership membership) {
      all.put("query", () -> membership.mightContainHash(0x123456789abcdefL));
    }
    if (filter instanceof GradedMembership graded) {
      all.put("accept", () -> graded.acceptsHash(5));
    }
    if (filter instanceof AutoscalingBloomFilter autoscaling) {
      all.put("rates", autoscaling::rates);
    }
    if (filter instanceof DynamicPartitionBloomFilter ids) {
      all.put("query an id", () -> ids.mightContainId(3));
      all.put("put an id", () -> ids.putId(3));
      all.put("view", ids::view);
    }
    if (filter instanceof PartitionView view) {
      all.put("query an id", () -> view.mightContainId(3));
    }
    if (filter instanceof RangeBloomFilter range) {
      for (Attribute attribute : range.schema().attributes()) {
        all.put("contains " + attribute, () -> range.mightContain(attribute.name(), 3));
        all.put("covers " + attribute, () -> range.mightContainRange(attribute.name(), 3, 40));
        all.put("meets " + attribute, () -> range.mightIntersect(attribute.name(), 3, 4000));
        all.put("puts " + attribute, () -> range.putRange(attribute.name(), 3, 9));
      }
    }
    if (filter instanceof Foldable<?> foldable) {
      all.put("ladder", foldable::ladder);
    }
    if (filter instanceof Mergeable<?> mergeable) {
      all.put("copy", mergeable::copy);
      all.put("union", () -> unionWithItself(mergeable));
    }
    if (filter instanceof ScalableBloomFilter scalable) {
      all.put("compact", scalable::compact);
      all.put("intersection", () -> scalable.intersection(scalable, 1));
    }
    if (filter instanceof KeyFilter keys) {
      all.put("put", () -> keys.putHash(77));
      all.put("put more", () -> keys.putHash(78));
    }
    if (filter instanceof KeyFilter.Removable removable) {
      all.put("remove", () -> removable.removeHash(77));
    }
    if (filter instanceof KeyFilter keys) {
      // a put may begin a new level, and so may the next
      all.put("put many", () -> putMany(keys));
    }
    all.put("write and read", () -> Filters.fromBytes(filter.toBytes(), AGAIN));
    Operation<?> clear = clearing(filter);
    if (clear != null) {
      all.put("clear", clear);
      all.put(
          "put after clear",
          () ->
              filter instanceof DynamicPartitionBloomFilter ids
                  ? ids.putId(2)
                  : ((KeyFilter) filter).putHash(79));
      all.put("write and read after clear", () -> Filters.fromBytes(filter.toBytes(), AGAIN));
    }
    return all;
  }

  private static <F extends Mergeable<F>> F unionWithItself(Mergeable<F> filter) {
    return filter.union(filter.copy(), 1);
  }

  private static int putMany(KeyFilter filter) {
    SplittableRandom random = new SplittableRandom(5);
    int changed = 0;
    for (int i = 0; i < PUTS; i++) {
      changed += filter.putHash(random.nextLong()) ? 1 : 0;
    }
    return changed;
  }

  private static @Nullable Operation<?> clearing(Filter filter) {
    Runnable clear = null;
    if (filter instanceof BloomFilter bloom) {
      clear = bloom::clear;
    } else if (filter instanceof CountingBloomFilter counting) {
      clear = counting::clear;
    } else if (filter instanceof ElasticBloomFilter elastic) {
      clear = elastic::clear;
    } else if (filter instanceof ScalableBloomFilter scalable) {
      clear = scalable::clear;
    } else if (filter instanceof FingerprintFilter fingerprint) {
      clear = fingerprint::clear;
    } else if (filter instanceof DynamicPartitionBloomFilter partition) {
      clear = partition::clear;
    }
    return clear == null ? null : Executors.callable(clear)::call;
  }
}
