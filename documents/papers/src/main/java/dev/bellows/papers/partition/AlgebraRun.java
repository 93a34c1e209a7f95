package dev.bellows.papers.partition;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.Mergeable;
import dev.bellows.papers.Measured;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Random trees of unions and intersections over sets of different sizes, in the partition filter
 * (both modes) and in DBF at once. All sets are drawn from one population, so that they overlap.
 */
public final class AlgebraRun {
  /** The target rate. */
  static final double FPP = 0.01;

  static final int HASHES = 7;
  private static final long UNIVERSE = 1L << 30;
  private static final int DEPTH = 20;

  /** The number of filters per query of DBF above which fewer queries are made. */
  private static final long LIST_TESTS = 8_000_000;

  /**
   * How large a run is.
   *
   * @param sets the number of sets, of sizes that grow by one factor
   * @param least ids of the smallest
   * @param most ids of the largest
   * @param population ids that the sets are drawn from
   * @param queries absent ids to query after each operation, of each kind
   * @param listLimit filters that DBF may have before it is abandoned
   */
  public record Size(int sets, int least, int most, int population, int queries, int listLimit) {
    /** The size of the committed page. */
    public static final Size FULL = new Size(40, 100, 100_000, 250_000, 20_000, 10_000);
  }

  /**
   * The measurements of one structure after an operation.
   *
   * @param time of the operation, in microseconds of the thread's CPU
   * @param queryTime of a query, in nanoseconds
   * @param bytes that it takes
   * @param filters that it holds
   * @param anywhere absent ids from the whole universe
   * @param population ids of the population that are not in the result
   * @param missing ids of the result that it denies
   */
  public record Side(
      double time,
      double queryTime,
      double bytes,
      double filters,
      Queried anywhere,
      Queried population,
      long missing) {}

  /** How many ids passed. */
  public record Queried(long passed, long queries) {
    static final Queried NONE = new Queried(0, 0);

    Queried plus(Queried other) {
      return new Queried(passed + other.passed, queries + other.queries);
    }

    /** Returns the measured rate with its interval. */
    Measured measured() {
      return Measured.of(passed, queries);
    }

    /** Returns the measured rate. */
    double rate() {
      return queries == 0 ? Double.NaN : (double) passed / queries;
    }

    /**
     * Returns the measured rate, or half an id if none passed, which a logarithmic axis can show.
     */
    double drawn() {
      return queries == 0 ? Double.NaN : Math.max(0.5, passed) / queries;
    }
  }

  /** The structures that are compared, by the place of their numbers and their name in tables. */
  public enum Structure {
    /** The partition filter as published. */
    PUBLISHED("published", "PUBLISHED"),
    /** The partition filter with exact leaves. */
    EXACT_LEAVES("exact-leaves", "EXACT_LEAVES"),
    /** One plain filter, of the size that the largest set needs. */
    STANDARD("standard", "standard"),
    /** The list of filters. */
    DBF("dbf", "DBF");

    final String place;
    final String words;

    Structure(String place, String words) {
      this.place = place;
      this.words = words;
    }
  }

  /** One operation: what it was, the size of the result, and the structures that survive it. */
  public record Step(int number, boolean isUnion, int keys, Map<Structure, Side> sides) {}

  /** A set in all its forms; DBF is null once it was abandoned. */
  private record Sets(
      long[] ids,
      DynamicPartitionBloomFilter published,
      DynamicPartitionBloomFilter exact,
      BloomFilter standard,
      @Nullable DynamicBloomFilter list,
      double listFilters) {}

  private final Size size;
  private final PartitionPlan plan = PartitionPlan.of(UNIVERSE, DEPTH, FPP, HASHES);
  private final long[] population;
  private final List<Sets> sets = new ArrayList<>();

  /** Draws the sets and fills the filters. */
  public AlgebraRun(Size size) {
    this.size = size;
    SplittableRandom random = new SplittableRandom(2);
    this.population =
        random.longs(0, UNIVERSE).distinct().limit(size.population).sorted().toArray();
    double factor = Math.pow((double) size.most / size.least, 1.0 / (size.sets - 1));
    for (int i = 0; i < size.sets; i++) {
      sets.add(set((int) Math.round(size.least * Math.pow(factor, i)), random.split()));
    }
  }

  private Sets set(int keys, SplittableRandom random) {
    long[] drawn = population.clone();
    for (int i = 0; i < keys; i++) {
      int other = i + random.nextInt(drawn.length - i);
      long swap = drawn[i];
      drawn[i] = drawn[other];
      drawn[other] = swap;
    }
    long[] ids = Arrays.copyOf(drawn, keys);
    DynamicPartitionBloomFilter published = GrowthWorkload.partition(plan, Mode.PUBLISHED, ids);
    DynamicPartitionBloomFilter exact = GrowthWorkload.partition(plan, Mode.EXACT_LEAVES, ids);
    // a standard filter merges at one size only: that of the largest set
    BloomFilter standard =
        BloomFilter.builder().layout(new Layout.Classic(HASHES)).keys(size.most).fpp(FPP).build();
    Arrays.stream(ids).forEach(standard::put);
    DynamicBloomFilter list = GrowthWorkload.list(plan, ids);
    Arrays.sort(ids);
    return new Sets(ids, published, exact, standard, list, list.size());
  }

  /** Returns the sizes of the units. */
  PartitionPlan plan() {
    return plan;
  }

  /** The ids of all sets. */
  List<long[]> ids() {
    return sets.stream().map(Sets::ids).toList();
  }

  /** Ids of the universe that are in no set. */
  long[] outside(int count) {
    return new SplittableRandom(3)
        .longs(0, UNIVERSE)
        .filter(id -> Arrays.binarySearch(population, id) < 0)
        .limit(count)
        .toArray();
  }

  /** The partition filters of all sets. */
  List<DynamicPartitionBloomFilter> filters(Mode mode) {
    return sets.stream().map(set -> mode == Mode.PUBLISHED ? set.published : set.exact).toList();
  }

  /** Combines two of the sets at random until one is left. */
  public List<Step> tree(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Sets> left = new ArrayList<>(sets);
    List<Step> steps = new ArrayList<>();
    while (left.size() > 1) {
      Sets a = left.remove(random.nextInt(left.size()));
      Sets b = left.remove(random.nextInt(left.size()));
      boolean isUnion = random.nextBoolean();
      left.add(combine(a, b, isUnion, random, steps));
    }
    return steps;
  }

  private Sets combine(Sets a, Sets b, boolean isUnion, SplittableRandom random, List<Step> steps) {
    long[] ids = isUnion ? union(a.ids, b.ids) : intersection(a.ids, b.ids);
    long[] anywhere = absent(random.longs(0, UNIVERSE), ids);
    long[] others = absent(random.ints(0, population.length).mapToLong(i -> population[i]), ids);
    Timed<DynamicPartitionBloomFilter> published = combine(a.published, b.published, isUnion);
    Timed<DynamicPartitionBloomFilter> exact = combine(a.exact, b.exact, isUnion);
    double filters = isUnion ? a.listFilters + b.listFilters : a.listFilters * b.listFilters;
    Map<Structure, Side> sides = new EnumMap<>(Structure.class);
    DynamicBloomFilter both = null;
    if (a.list != null && b.list != null && filters <= size.listLimit) {
      DynamicBloomFilter mine = a.list;
      DynamicBloomFilter theirs = b.list;
      Timed<DynamicBloomFilter> list =
          Timed.of(() -> isUnion ? mine.union(theirs) : mine.intersection(theirs));
      both = list.value;
      int most = (int) Math.max(100, Math.min(size.queries, LIST_TESTS / Math.max(1, both.size())));
      sides.put(
          Structure.DBF,
          side(
              list.micros,
              both::mightContain,
              filters * plan.unitBits() / 8,
              filters,
              every(ids, most),
              new long[][] {first(anywhere, most), first(others, most)}));
    }
    long[][] queries = {anywhere, others};
    Timed<BloomFilter> standard = combine(a.standard, b.standard, isUnion);
    sides.put(Structure.PUBLISHED, side(published, ids, queries));
    sides.put(Structure.EXACT_LEAVES, side(exact, ids, queries));
    long bytes = standard.value.sizeInBytes();
    sides.put(
        Structure.STANDARD,
        side(standard.micros, standard.value::mightContain, bytes, 1, ids, queries));
    steps.add(new Step(steps.size() + 1, isUnion, ids.length, sides));
    return new Sets(ids, published.value, exact.value, standard.value, both, filters);
  }

  private static <F extends Mergeable.Intersectable<F>> Timed<F> combine(
      F a, F b, boolean isUnion) {
    return Timed.of(() -> isUnion ? a.union(b, 1) : a.intersection(b, 1));
  }

  private static Side side(
      Timed<DynamicPartitionBloomFilter> result, long[] ids, long[][] queries) {
    DynamicPartitionBloomFilter filter = result.value;
    return side(
        result.micros,
        filter::mightContainId,
        filter.sizeInBytes(),
        filter.view().leaves(),
        ids,
        queries);
  }

  private static Side side(
      double micros,
      LongPredicate filter,
      double bytes,
      double filters,
      long[] ids,
      long[][] queries) {
    long missing = Arrays.stream(ids).filter(id -> !filter.test(id)).count();
    long start = GrowthWorkload.cpu();
    long anywhere = Arrays.stream(queries[0]).filter(filter).count();
    double nanos = (double) (GrowthWorkload.cpu() - start) / Math.max(1, queries[0].length);
    return new Side(
        micros,
        nanos,
        bytes,
        filters,
        new Queried(anywhere, queries[0].length),
        new Queried(Arrays.stream(queries[1]).filter(filter).count(), queries[1].length),
        missing);
  }

  /** Returns at most this many ids that are not in the result. */
  private long[] absent(LongStream candidates, long[] ids) {
    return candidates
        .limit(4L * size.queries)
        .filter(id -> Arrays.binarySearch(ids, id) < 0)
        .limit(size.queries)
        .toArray();
  }

  /** Returns evenly spaced ids to query. */
  private static long[] every(long[] ids, int most) {
    int step = 1 + ids.length / most;
    return IntStream.range(0, ids.length / step).mapToLong(i -> ids[i * step]).toArray();
  }

  private static long[] first(long[] ids, int most) {
    return ids.length <= most ? ids : Arrays.copyOf(ids, most);
  }

  private static long[] union(long[] a, long[] b) {
    return LongStream.concat(Arrays.stream(a), Arrays.stream(b)).sorted().distinct().toArray();
  }

  private static long[] intersection(long[] a, long[] b) {
    return Arrays.stream(a).filter(id -> Arrays.binarySearch(b, id) >= 0).toArray();
  }

  /** A result and the CPU time that it took, in microseconds. */
  private record Timed<T>(T value, double micros) {
    static <T> Timed<T> of(Supplier<T> operation) {
      long start = GrowthWorkload.cpu();
      T value = operation.get();
      return new Timed<>(value, (GrowthWorkload.cpu() - start) / 1e3);
    }
  }
}
