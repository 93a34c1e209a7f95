package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.KeyFilter;
import dev.bellows.KeyHasher;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.growth.FingerprintFilter;
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
import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A filter whose file says what its keys are refuses keys of another type in every method, instead
 * of denying them.
 */
class KeyTypeLawTest {
  private static final Instant TIME = Instant.parse("2026-03-01T10:20:30Z");
  private static final Set<String> OPERATIONS =
      Set.of(
          "put",
          "putAll",
          "putIfAbsent",
          "remove",
          "mightContain",
          "countMightContain",
          "accepts",
          "evidence",
          "confirm");

  /** How to make a filter of a kind with a hash scheme. */
  record Maker(FilterKind kind, Function<HashScheme, Filter> make) {
    @Override
    public String toString() {
      return kind.word();
    }

    /** A filter as a program meets it: read from a file. */
    Filter read(KeyType type) throws Exception {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      make.apply(HashScheme.DEFAULT.withKeyType(type)).writeTo(out);
      Filter read = Filters.fromBytes(out.toByteArray());
      assertThat(read.kind()).isEqualTo(kind);
      assertThat(read.hashScheme().keyType()).isEqualTo(type);
      return read;
    }
  }

  private static <F extends KeyFilter> F fill(F filter) {
    for (long i = 0; i < 50; i++) {
      filter.putHash(HashScheme.DEFAULT.hash(i));
    }
    return filter;
  }

  private static CountingBloomFilter counting(HashScheme scheme) {
    return fill(CountingBloomFilter.builder().keys(60).fpp(0.01).hashScheme(scheme).build());
  }

  private static AutoscalingBloomFilter autoscaling(HashScheme scheme) {
    return fill(AutoscalingBloomFilter.builder().bits(900).hashes(5).hashScheme(scheme).build());
  }

  private static FrozenFilter frozen(HashScheme scheme) {
    FingerprintFilter source =
        fill(FingerprintFilter.builder().fpp(0.001).hashScheme(scheme).build());
    return source.freeze(0.01);
  }

  private static WindowFilter window(WindowFilter.Builder builder, HashScheme scheme) {
    WindowFilter filter = builder.window(Duration.ofHours(1)).hashScheme(scheme).build();
    filter.advanceTo(TIME);
    return fill(filter);
  }

  private static DynamicPartitionBloomFilter ids(HashScheme scheme) {
    return ids(scheme, 50);
  }

  private static DynamicPartitionBloomFilter ids(HashScheme scheme, int keys) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(1000)
            .depth(4)
            .fpp(0.01)
            .mode(Mode.EXACT_LEAVES)
            .hashScheme(scheme)
            .build();
    for (long i = 0; i < keys; i++) {
      filter.putHash(HashScheme.DEFAULT.hash(i));
    }
    return filter;
  }

  private static BloomFilter origin(HashScheme scheme) {
    return fill(BloomFilter.builder().bits(3072).hashes(8).id(1).hashScheme(scheme).build());
  }

  private static FoldedFilters folded(HashScheme scheme) {
    BloomFilter origin = origin(scheme);
    return FoldedFilters.of(origin.foldBy(2)).with(origin.foldBy(3));
  }

  private static FoldedFilters parts(HashScheme scheme) {
    BloomFilter origin = origin(scheme);
    return FoldedFilters.of(origin.foldBy(2), 9).with(origin.foldBy(3));
  }

  static Stream<Maker> makers() {
    return Stream.of(
        new Maker(
            FilterKind.BLOOM,
            s -> fill(BloomFilter.builder().keys(60).fpp(0.01).hashScheme(s).build())),
        new Maker(FilterKind.COUNTING, KeyTypeLawTest::counting),
        new Maker(
            FilterKind.ELASTIC,
            s ->
                fill(
                    ElasticBloomFilter.builder()
                        .capacity(5120)
                        .fpp(0.1)
                        .counting(4)
                        .hashScheme(s)
                        .build())),
        new Maker(FilterKind.FOLDED, KeyTypeLawTest::folded),
        new Maker(FilterKind.PARTS, KeyTypeLawTest::parts),
        new Maker(FilterKind.AUTOSCALING, KeyTypeLawTest::autoscaling),
        new Maker(FilterKind.BINARIZED, s -> autoscaling(s).binarize()),
        new Maker(
            FilterKind.BINARIZED_COUNTING,
            s -> CountingReading.of(counting(s), new ThresholdPlan.Rule.Fixed(0, 4)).binarize()),
        new Maker(
            FilterKind.SCALABLE,
            s -> fill(ScalableBloomFilter.builder().initialKeys(20).hashScheme(s).build())),
        new Maker(
            FilterKind.FINGERPRINT,
            s -> fill(FingerprintFilter.builder().removable().hashScheme(s).build())),
        new Maker(FilterKind.FROZEN, KeyTypeLawTest::frozen),
        new Maker(FilterKind.WINDOW, s -> window(WindowFilter.builder().keys(60), s)),
        new Maker(FilterKind.WINDOW_PREFIXES, s -> window(WindowFilter.builder(), s)),
        new Maker(FilterKind.PARTITION, KeyTypeLawTest::ids),
        new Maker(FilterKind.PARTITION_VIEW, s -> ids(s).view()),
        new Maker(FilterKind.PARTITION_COMPACT, s -> ids(s, 400).view().compact()));
  }

  /** The methods that take keys, by their name and the types of their parameters. */
  private static List<Method> operations(Class<?> type) {
    List<Method> found = new ArrayList<>();
    for (Method method : type.getMethods()) {
      Class<?>[] types = method.getParameterTypes();
      if (OPERATIONS.contains(method.getName())
          && !method.isBridge()
          && types.length > 0
          && Stream.of(Key.values()).anyMatch(key -> key.arguments(types) != null)) {
        found.add(method);
      }
    }
    return found;
  }

  @Test
  void everyKindThatTakesKeysIsTested() {
    assertThat(makers().map(Maker::kind))
        .containsExactlyInAnyOrder(
            Filters.formats().stream()
                .filter(format -> !operations(format.type()).isEmpty())
                .map(FilterFormat::kind)
                .toArray(FilterKind[]::new));
  }

  /** A key of every type and form, and the types of filters that accept it. */
  private enum Key {
    LONG(5L, long.class, KeyHasher.LONGS, KeyType.LONGS, KeyType.IDS),
    CHAR('x', char.class, null, KeyType.TEXT, KeyType.BYTES),
    TEXT("5", CharSequence.class, KeyHasher.TEXT, KeyType.TEXT, KeyType.BYTES),
    BYTES(new byte[8], byte[].class, KeyHasher.BYTES, KeyType.TEXT, KeyType.BYTES),
    BUFFER(ByteBuffer.allocateDirect(8), null, KeyHasher.BUFFERS, KeyType.TEXT, KeyType.BYTES),
    FIELDS(
        "5",
        null,
        KeyHasher.<String>of((key, sink) -> sink.putText(key)),
        KeyType.TEXT,
        KeyType.BYTES),
    FIELD(
        "5",
        null,
        KeyHasher.by((String key) -> Long.parseLong(key), KeyHasher.LONGS),
        KeyType.LONGS,
        KeyType.IDS),
    INT(5, null, KeyHasher.INTS, KeyType.LONGS, KeyType.IDS),
    DOUBLE(5.0, null, KeyHasher.DOUBLES),
    UUID(new UUID(1, 2), null, KeyHasher.UUIDS);

    final Object key;
    final Class<?> form;
    final KeyHasher<?> hasher;
    final Set<KeyType> accepting;

    Key(Object key, Class<?> form, KeyHasher<?> hasher, KeyType... accepting) {
      this.key = key;
      this.form = form;
      this.hasher = hasher;
      this.accepting = EnumSet.of(KeyType.UNKNOWN, accepting);
    }

    /** The arguments of a method with these parameters; null if it does not take such keys. */
    Object[] arguments(Class<?>[] types) {
      List<Object> arguments = new ArrayList<>();
      Class<?> first = types[0];
      boolean isTyped = types.length > 1 && types[1] == KeyHasher.class;
      if (isTyped && hasher == null) {
        return null;
      } else if (first == Stream.class && isTyped) {
        arguments.add(Stream.of(key));
      } else if (first == Iterable.class && (isTyped || form == CharSequence.class)) {
        arguments.add(List.of(key));
      } else if (first == Object[].class && isTyped) {
        arguments.add(new Object[] {key});
      } else if (first == long[].class && form == long.class) {
        arguments.add(new long[] {5});
      } else if (first == form || first == Object.class && isTyped) {
        arguments.add(key);
      } else {
        return null;
      }
      for (Class<?> type : Arrays.asList(types).subList(1, types.length)) {
        arguments.add(
            type == KeyHasher.class
                ? hasher
                : type == Instant.class ? TIME : type == boolean[].class ? new boolean[1] : null);
      }
      return arguments.contains(null) ? null : arguments.toArray();
    }
  }

  private static boolean isRefused(Filter filter, Method method, Object[] arguments) {
    Throwable thrown = catchThrowable(() -> method.invoke(filter, arguments));
    return thrown instanceof InvocationTargetException
        && thrown.getCause() instanceof IllegalArgumentException refusal
        && refusal.getMessage().startsWith("the keys of this filter are ");
  }

  private static boolean takesIds(Filter filter) {
    return filter instanceof DynamicPartitionBloomFilter || filter instanceof PartitionView;
  }

  @ParameterizedTest
  @MethodSource("makers")
  void keysOfAnotherTypeAreRefusedByEveryMethod(Maker maker) throws Exception {
    for (KeyType type : KeyType.values()) {
      Filter filter = maker.read(type);
      Map<String, Boolean> refused = new TreeMap<>();
      Map<String, Boolean> expected = new TreeMap<>();
      for (Method method : operations(filter.getClass())) {
        for (Key key : Key.values()) {
          Object[] arguments = key.arguments(method.getParameterTypes());
          if (arguments != null) {
            String what = key + " " + method;
            refused.put(what, isRefused(filter, method, arguments));
            // an id is passed as an id, not with a hasher
            boolean isId = takesIds(filter) && type == KeyType.IDS;
            expected.put(what, isId || !key.accepting.contains(type));
          }
        }
      }
      assertThat(refused).as("%s", type).isEqualTo(expected).isNotEmpty();
    }
  }

  /** The hash of the long 7 was stored, and is found whatever the type of the keys. */
  @ParameterizedTest
  @MethodSource("makers")
  void hashesAreNotChecked(Maker maker) throws Exception {
    for (KeyType type : KeyType.values()) {
      Filter filter = maker.read(type);
      for (Method method : filter.getClass().getMethods()) {
        if (List.of("putHash", "mightContainHash", "acceptsHash", "removeHash")
                .contains(method.getName())
            && method.getParameterCount() == 1) {
          Object answer = method.invoke(filter, HashScheme.DEFAULT.hash(7));
          if (!method.getName().equals("putHash")) {
            assertThat(answer).as("%s", method).isEqualTo(true);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(KeyType.class)
  void idsAreTakenIfTheKeysMayBeIds(KeyType type) throws Exception {
    HashScheme scheme = HashScheme.DEFAULT.withKeyType(type);
    DynamicPartitionBloomFilter filter = ids(scheme);
    List<Throwable> thrown =
        List.of(
                (Runnable) () -> filter.putId(5),
                () -> filter.putIds(new long[] {5}),
                () -> filter.mightContainId(5),
                () -> filter.containsId(5),
                () -> filter.removeId(5),
                () -> filter.view().mightContainId(5))
            .stream()
            .map(call -> Optional.ofNullable(catchThrowable(call::run)))
            .map(found -> found.orElse(NONE))
            .toList();
    if (type == KeyType.IDS || type == KeyType.UNKNOWN) {
      assertThat(thrown).containsOnly(NONE);
    } else {
      assertThat(thrown).allMatch(found -> found instanceof IllegalArgumentException);
    }
  }

  private static final Throwable NONE = new Throwable("none");

  /** What a filter contains besides keys has no type: numbers, names and texts of attributes. */
  @ParameterizedTest
  @EnumSource(KeyType.class)
  void rangesTakeNumbersAndTexts(KeyType type) {
    RangeSchema.Domain domain = RangeSchema.Domain.of(0, 10_000);
    RangeSchema schema = RangeSchema.of(4000, 3, RangeSchema.Attribute.division("x", domain, 3, 4));
    RangeBloomFilter filter = RangeBloomFilter.create(schema, HashScheme.DEFAULT.withKeyType(type));
    RangeBloomFilter untyped = RangeBloomFilter.create(schema);
    for (RangeBloomFilter one : List.of(filter, untyped)) {
      one.putRange("x", 5, 90);
    }
    assertThat(filter).isEqualTo(untyped);
    assertThat(filter.mightContainRange("x", 10, 20)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(KeyType.class)
  void loadersAndFrozenBuildersCheckToo(KeyType type) {
    boolean isText = type == KeyType.TEXT || type == KeyType.BYTES;
    boolean isLong = type == KeyType.LONGS || type == KeyType.IDS;
    Runnable longs = () -> FrozenFilter.builder().keyType(type).buildFrom(new long[] {1, 2, 3});
    Runnable texts =
        () -> FrozenFilter.builder().keyType(type).buildFrom(List.of("a"), KeyHasher.TEXT);
    Runnable loaded = () -> BloomFilter.builder().keys(5).fpp(0.1).keyType(type).loader().put(5L);
    assertThat(catchThrowable(longs::run) == null).isEqualTo(!isText);
    assertThat(catchThrowable(loaded::run) == null).isEqualTo(!isText);
    assertThat(catchThrowable(texts::run) == null).isEqualTo(!isLong);
  }

  /** Typed handles get the check from the filter below. */
  @Test
  void typedFiltersRefuseAHasherOfAnotherType() {
    BloomFilter filter = BloomFilter.builder().keys(9).fpp(0.1).keyType(KeyType.TEXT).build();
    assertThat(filter.typed(KeyHasher.TEXT).put("5")).isTrue();
    assertThatThrownBy(() -> filter.typed(KeyHasher.LONGS).put(5L))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> filter.asPredicate(KeyHasher.UUIDS).test(new UUID(1, 2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> filter.asLongPredicate().test(5))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The key type decides what is accepted, never a hash. */
  @ParameterizedTest
  @EnumSource(KeyType.class)
  void hashesDoNotDependOnTheType(KeyType type) {
    for (HashScheme untyped :
        List.of(
            HashScheme.xxh3(3),
            HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII)))) {
      HashScheme typed = untyped.withKeyType(type);
      if (Key.LONG.accepting.contains(type)) {
        assertThat(typed.hash(5L)).isEqualTo(untyped.hash(5L));
      }
      if (Key.TEXT.accepting.contains(type)) {
        assertThat(typed.hash("5")).isEqualTo(untyped.hash("5"));
        assertThat(typed.hash(new byte[3])).isEqualTo(untyped.hash(new byte[3]));
      }
      assertThat(typed.withKeyType(KeyType.UNKNOWN).hash(5.0)).isEqualTo(untyped.hash(5.0));
    }
  }
}
