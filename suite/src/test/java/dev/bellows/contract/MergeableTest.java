package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellows.AllKinds;
import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.KeyFilter;
import dev.bellows.Mergeable;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every mergeable filter and every copy promises. */
class MergeableTest {
  /**
   * How to make filters of a kind.
   *
   * @param some a filter with a few keys, for a hash scheme
   * @param full one that is so full that the union of two is useless, from a first key on
   */
  record Maker(FilterKind kind, Function<HashScheme, Filter> some, LongFunction<Filter> full) {
    @Override
    public String toString() {
      return kind.word();
    }
  }

  private static <F extends KeyFilter> F fill(F filter, long from, long to) {
    LongStream.range(from, to).forEach(key -> filter.putHash(HashScheme.DEFAULT.hash(key)));
    return filter;
  }

  private static DynamicPartitionBloomFilter ids(double fpp, HashScheme scheme, LongStream ids) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(1024)
            .depth(4)
            .fpp(fpp)
            .hashScheme(scheme)
            .mode(Mode.PUBLISHED)
            .build();
    // the hash with this id in a universe of 2^10, for any key type
    ids.forEach(id -> filter.putHash(id << 54));
    return filter;
  }

  private static RangeBloomFilter ranges(long bits, HashScheme scheme, long from, long to) {
    RangeSchema.Domain domain = RangeSchema.Domain.of(0, 10_000);
    RangeSchema schema = RangeSchema.of(bits, 3, RangeSchema.Attribute.division("x", domain, 3, 4));
    RangeBloomFilter filter = RangeBloomFilter.create(schema, scheme);
    filter.putRange("x", from, to);
    return filter;
  }

  static Stream<Maker> makers() {
    return Stream.of(
        new Maker(
            FilterKind.BLOOM,
            scheme ->
                fill(BloomFilter.builder().keys(500).fpp(0.01).hashScheme(scheme).build(), 0, 100),
            from -> fill(BloomFilter.builder().bits(512).hashes(8).build(), from, from + 90)),
        new Maker(
            FilterKind.COUNTING,
            scheme ->
                fill(
                    CountingBloomFilter.builder().keys(500).fpp(0.01).hashScheme(scheme).build(),
                    0,
                    100),
            from ->
                fill(CountingBloomFilter.builder().bits(512).hashes(8).build(), from, from + 90)),
        new Maker(
            FilterKind.AUTOSCALING,
            scheme ->
                fill(
                    AutoscalingBloomFilter.builder()
                        .bits(5000)
                        .hashes(8)
                        .hashScheme(scheme)
                        .build(),
                    0,
                    100),
            from ->
                fill(
                    AutoscalingBloomFilter.builder().bits(512).hashes(8).thresholds(0, 8).build(),
                    from,
                    from + 90)),
        new Maker(
            FilterKind.SCALABLE,
            scheme -> fill(ScalableBloomFilter.builder().hashScheme(scheme).build(), 0, 100),
            from ->
                fill(
                    ScalableBloomFilter.builder().initialKeys(50).horizonKeys(100).fpp(0.9).build(),
                    from,
                    from + 2000)),
        new Maker(
            FilterKind.FINGERPRINT,
            scheme -> fill(FingerprintFilter.builder().hashScheme(scheme).build(), 0, 100),
            from -> fill(FingerprintFilter.create(0.01), from, from + 900).foldToFpp(0.45)),
        new Maker(
            FilterKind.WINDOW,
            scheme -> fill(window(WindowFilter.builder().keys(200).hashScheme(scheme)), 0, 100),
            from -> fill(window(WindowFilter.builder().keys(100)), from, from + 900)),
        new Maker(
            FilterKind.WINDOW_PREFIXES,
            scheme -> fill(window(WindowFilter.builder().hashScheme(scheme)), 0, 100),
            from -> fill(window(WindowFilter.builder()), from, from + 900).foldToFpp(0.45)),
        new Maker(
            FilterKind.PARTITION,
            scheme -> ids(0.01, scheme, LongStream.range(0, 100)),
            from ->
                ids(0.9, HashScheme.DEFAULT, LongStream.range(0, 500).map(i -> 2 * i + from % 2))),
        new Maker(
            FilterKind.PARTITION_VIEW,
            scheme -> ids(0.01, scheme, LongStream.range(0, 100)).view(),
            from ->
                ids(0.4, HashScheme.DEFAULT, LongStream.range(0, 500).map(i -> 2 * i + from % 2))
                    .view()),
        new Maker(
            FilterKind.PARTITION_COMPACT,
            scheme -> ids(0.01, scheme, LongStream.range(0, 100)).view().compact(),
            from ->
                ids(0.4, HashScheme.DEFAULT, LongStream.range(0, 500).map(i -> 2 * i + from % 2))
                    .view()
                    .compact()),
        new Maker(
            FilterKind.RANGE,
            scheme -> ranges(4000, scheme, 0, 100),
            from -> ranges(64, HashScheme.DEFAULT, from, from + 100)));
  }

  private static WindowFilter window(WindowFilter.Builder builder) {
    WindowFilter filter = builder.window(Duration.ofHours(1)).build();
    filter.advanceTo(Instant.EPOCH);
    return filter;
  }

  @Test
  void everyMergeableKindIsTested() {
    assertThat(makers().map(Maker::kind))
        .containsExactlyInAnyOrder(
            Filters.formats().stream()
                .filter(format -> Mergeable.class.isAssignableFrom(format.type()))
                .map(FilterFormat::kind)
                .toArray(FilterKind[]::new));
  }

  /** The filter as the type that it merges with: all makers of a kind have the same type. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Mergeable<?> union(Filter a, Filter b, double maxFpp) {
    return ((Mergeable) a).union((Mergeable) b, maxFpp);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Mergeable<?> unionByDefault(Filter a, Filter b) {
    return ((Mergeable) a).union((Mergeable) b);
  }

  /** The union, whatever its rate. */
  private static Mergeable<?> union(Filter a, Filter b) {
    return union(a, b, 1);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Optional<String> incompatibility(Filter a, Filter b) {
    return ((Mergeable) a).incompatibility((Mergeable) b);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static boolean isCompatible(Filter a, Filter b) {
    return ((Mergeable) a).isCompatible((Mergeable) b);
  }

  @ParameterizedTest
  @MethodSource("makers")
  void compatibleFiltersMergeAndOthersSayWhyNot(Maker maker) throws Exception {
    Filter one = maker.some.apply(HashScheme.xxh3(5));
    Filter like = maker.some.apply(HashScheme.xxh3(5));
    Filter other = maker.some.apply(HashScheme.xxh3(6));
    assertThat(isCompatible(one, like)).isTrue();
    assertThat(incompatibility(one, like)).isEmpty();
    assertThat(union(one, like)).isInstanceOf(one.getClass());
    assertThat(isCompatible(one, other)).isFalse();
    String reason = incompatibility(one, other).orElseThrow();
    assertThat(reason).contains("xxh3-64(seed 5) here and xxh3-64(seed 6) there");
    assertThatThrownBy(() -> union(one, other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
    for (String operation : List.of("intersection", "subtract", "putAll", "isSubsetOf")) {
      Throwable thrown = catchThrowable(() -> call(one, operation, other));
      if (!(thrown instanceof NoSuchMethodException)) {
        assertThat(thrown)
            .as(operation)
            .isInstanceOf(InvocationTargetException.class)
            .cause()
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(reason);
      }
    }
  }

  private static Object call(Filter filter, String operation, Filter other) throws Exception {
    return filter.getClass().getMethod(operation, filter.getClass()).invoke(filter, other);
  }

  @ParameterizedTest
  @MethodSource("makers")
  void aUnionAboveOneHalfIsRefusedUnlessAllowed(Maker maker) {
    Filter one = maker.full.apply(0);
    Filter other = maker.full.apply(1001);
    Filter both = (Filter) union(one, other, 1);
    assertThat(both.expectedFpp()).isGreaterThan(0.5);
    for (Throwable refused :
        List.of(
            catchThrowable(() -> unionByDefault(one, other)),
            catchThrowable(() -> union(one, other, 0.5)))) {
      assertThat(refused)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("fpp " + Prose.fpp(both.expectedFpp()) + ", above ");
    }
    double rate = both.expectedFpp();
    assertThat(union(one, other, rate)).isEqualTo(both);
    assertThatThrownBy(() -> union(one, other, Math.nextDown(rate)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("above " + Prose.limit(Math.nextDown(rate)));
  }

  @ParameterizedTest
  @MethodSource("makers")
  void aLimitThatIsNotARateIsRefused(Maker maker) {
    Filter one = maker.some.apply(HashScheme.DEFAULT);
    Filter other = maker.some.apply(HashScheme.DEFAULT);
    for (double limit : new double[] {Double.NaN, -0.1, 1.5, 2, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> union(one, other, limit))
          .isInstanceOf(IllegalArgumentException.class);
      if (one instanceof Mergeable.Intersectable<?>) {
        assertThatThrownBy(
                () ->
                    one.getClass()
                        .getMethod("intersection", one.getClass(), double.class)
                        .invoke(one, other, limit))
            .cause()
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("makers")
  void filtersOfDifferentKeyTypesAreNotMerged(Maker maker) {
    Map<KeyType, Filter> filters = new EnumMap<>(KeyType.class);
    for (KeyType type : KeyType.values()) {
      filters.put(type, maker.some.apply(HashScheme.DEFAULT.withKeyType(type)));
    }
    Filter unknown = filters.get(KeyType.UNKNOWN);
    Filter text = filters.get(KeyType.TEXT);
    Filter bytes = filters.get(KeyType.BYTES);
    filters.forEach(
        (type, filter) -> {
          assertThat(keyType(union(filter, filter))).isEqualTo(type);
          assertThat(keyType(union(filter, unknown))).isEqualTo(KeyType.UNKNOWN);
          assertThat(keyType(union(unknown, filter))).isEqualTo(KeyType.UNKNOWN);
        });
    assertThat(keyType(union(text, bytes))).isEqualTo(KeyType.BYTES);
    assertThat(keyType(union(bytes, text))).isEqualTo(KeyType.BYTES);
    for (KeyType type : List.of(KeyType.LONGS, KeyType.IDS)) {
      Filter other = filters.get(type);
      assertThat(incompatibility(other, text)).isPresent();
      assertThatThrownBy(() -> union(other, text)).isInstanceOf(IllegalArgumentException.class);
      for (String operation : List.of("intersection", "subtract", "putAll", "isSubsetOf")) {
        Throwable thrown = catchThrowable(() -> call(other, operation, bytes));
        assertThat(thrown)
            .as(operation)
            .satisfiesAnyOf(
                missing -> assertThat(missing).isInstanceOf(NoSuchMethodException.class),
                refused ->
                    assertThat(refused).cause().isInstanceOf(IllegalArgumentException.class));
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Object intersection(Filter one, Filter other) {
    return ((Mergeable.Intersectable) one).intersection((Mergeable.Intersectable) other);
  }

  private static boolean has(Filter filter, String method) {
    return Arrays.stream(filter.getClass().getMethods()).anyMatch(m -> m.getName().equals(method));
  }

  private static KeyType keyType(Object filter) {
    return ((Filter) filter).stats().hashScheme().keyType();
  }

  /** Whichever side has the secret key, the union can be queried. */
  @ParameterizedTest
  @MethodSource("makers")
  void aUnionIsSealedOnlyIfBothSidesAre(Maker maker) throws Exception {
    Filter keyed =
        maker.some.apply(
            HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII)));
    Filter sealed = Filters.fromBytes(keyed.toBytes());
    long hash = keyed.stats().hashScheme().hash(7L);
    for (Object union : List.of(union(keyed, sealed), union(sealed, keyed))) {
      assertThat(((Filter) union).stats().hashScheme().hash(7L)).isEqualTo(hash);
    }
  }

  @Test
  void anEmptyFilterOfAnotherSizeLeavesTheOtherAsItIs() {
    BloomFilter bits = fill(BloomFilter.builder().bits(512 * 25).hashes(8).build(), 0, 500);
    BloomFilter noBits = BloomFilter.builder().bits(512 * 16).hashes(8).build();
    assertThat(bits.union(noBits)).isEqualTo(bits).isNotSameAs(bits);
    assertThat(noBits.union(bits)).isEqualTo(bits).isNotSameAs(bits);
    CountingBloomFilter counters =
        fill(CountingBloomFilter.builder().bits(512 * 25).hashes(8).build(), 0, 500);
    CountingBloomFilter none = CountingBloomFilter.builder().bits(512 * 16).hashes(8).build();
    assertThat(counters.union(none)).isEqualTo(counters).isNotSameAs(counters);
    assertThat(none.union(counters)).isEqualTo(counters).isNotSameAs(counters);
    assertThatThrownBy(() -> bits.union(noBits, 1e-9)).hasMessageContaining("above 1.0E-9");
  }

  @Test
  void aRefusedUnionNamesTheSizeThatKeepsTheRate() {
    BloomFilter one = fill(BloomFilter.builder().bits(512 * 16).hashes(8).build(), 0, 500);
    BloomFilter other = fill(BloomFilter.builder().bits(512 * 25).hashes(8).build(), 500, 1200);
    Throwable refused = catchThrowable(() -> one.union(other));
    assertThat(refused).hasMessageContaining("two full filters cannot share one size");
    long bits =
        Long.parseLong(refused.getMessage().replaceAll(".*build both with (\\d+) .*", "$1"));
    BloomFilter first = fill(BloomFilter.builder().bits(bits).hashes(8).build(), 0, 500);
    BloomFilter second = fill(BloomFilter.builder().like(first).build(), 500, 1200);
    double rate = Math.max(one.expectedFpp(), other.expectedFpp());
    assertThat(first.union(second).expectedFpp()).isLessThan(1.1 * rate);
  }

  @ParameterizedTest
  @MethodSource("makers")
  void mergingAndCopyingLeaveTheOriginalsAlone(Maker maker) throws Exception {
    Filter one = maker.some.apply(HashScheme.xxh3(0));
    Filter other = maker.some.apply(HashScheme.xxh3(0));
    byte[] before = one.toBytes();
    Filter union = (Filter) union(one, other);
    Filter copy = (Filter) ((Mergeable<?>) one).copy();
    assertThat(copy).isEqualTo(one);
    for (Filter changed : List.of(union, copy)) {
      if (has(changed, "put")) {
        changed.getClass().getMethod("clear").invoke(changed);
        assertThat(changed.expectedFpp()).isZero();
      }
    }
    assertThat(one.toBytes()).isEqualTo(before);
    assertThat(other.toBytes()).isEqualTo(before);
  }

  static List<AllKinds.Example> examples() {
    return AllKinds.examples();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void copiesAreEqualAndIndependent(AllKinds.Example example) throws Exception {
    Filter filter = example.filter();
    byte[] bytes = filter.toBytes();
    if (!has(filter, "copy")) {
      assertThat(example.kind())
          .isIn(
              FilterKind.ELASTIC,
              FilterKind.BINARIZED,
              FilterKind.BINARIZED_COUNTING,
              FilterKind.FOLDED,
              FilterKind.PARTS,
              FilterKind.DELTA,
              FilterKind.FROZEN,
              FilterKind.FROZEN_PART);
      return;
    }
    Filter copy = (Filter) filter.getClass().getMethod("copy").invoke(filter);
    assertThat(copy).isEqualTo(filter).hasSameHashCodeAs(filter);
    assertThat(copy.toBytes()).isEqualTo(bytes);
    if (!(filter instanceof PartitionView)) {
      assertThat(copy).isNotSameAs(filter);
      copy.getClass().getMethod("clear").invoke(copy);
      assertThat(filter.toBytes()).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void clearedFiltersAreEmptyAndCanBeReadBack(AllKinds.Example example) throws Exception {
    Filter filter = example.filter();
    if (!has(filter, "put")) {
      assertThatThrownBy(() -> filter.getClass().getMethod("clear"))
          .isInstanceOf(NoSuchMethodException.class);
      return;
    }
    filter.getClass().getMethod("clear").invoke(filter);
    assertThat(filter.expectedFpp()).isZero();
    if (filter.stats().ones() != null) {
      assertThat(filter.stats().ones()).isZero();
    }
    assertThat(Filters.fromBytes(filter.toBytes())).isEqualTo(filter);
    byte[] empty = filter.toBytes();
    filter.getClass().getMethod("clear").invoke(filter);
    assertThat(filter.toBytes()).isEqualTo(empty);
  }
}
