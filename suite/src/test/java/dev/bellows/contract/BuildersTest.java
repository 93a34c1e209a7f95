package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FilterBuilder;
import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.Layout;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.Filters;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Builders apply every setting or reject it, with a message that names the contradicting values.
 */
class BuildersTest {
  private static Arguments sized(String name, Supplier<FilterBuilder.Sized<?, ?>> builder) {
    return Arguments.of(name, builder);
  }

  /** Every builder that determines a size. */
  static Stream<Arguments> sizedBuilders() {
    return Stream.of(Layout.Family.values())
        .flatMap(
            layout ->
                Stream.of(
                    sized("bloom " + layout, () -> BloomFilter.builder().layout(layout)),
                    sized("counting " + layout, () -> CountingBloomFilter.builder().layout(layout)),
                    sized("elastic " + layout, () -> ElasticBloomFilter.builder().layout(layout)),
                    sized(
                        "elastic counting " + layout,
                        () -> ElasticBloomFilter.builder().counting(4).layout(layout))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sizedBuilders")
  void aSizeThatCannotHoldItsKeysAtTheRateIsRefusedWithAllValues(
      String name, Supplier<FilterBuilder.Sized<?, ?>> builder) {
    for (FilterBuilder.Sized<?, ?> contradictory :
        List.of(
            builder.get().capacity(512).keys(1_000_000).fpp(0.01),
            builder.get().bits(512).keys(1_000_000).fpp(0.01))) {
      assertThatThrownBy(contradictory::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1000000 keys in 512 bits")
          .hasMessageContaining("above the requested 0.01")
          .hasMessageContaining("use at least ");
    }
    assertThatThrownBy(() -> builder.get().bitsPerKey(2).keys(1_000_000).fpp(0.01).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000000 keys in ")
        .hasMessageContaining("above the requested 0.01");
    assertThatThrownBy(
            () -> builder.get().capacity(5120).hashes(8).keys(1_000_000).fpp(0.01).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("1000000 keys", "5120 bits", "8 hashes");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sizedBuilders")
  void aSizeThatHoldsThemIsKept(String name, Supplier<FilterBuilder.Sized<?, ?>> builder) {
    long bits = 512 * 720;
    assertThat(builder.get().capacity(bits).keys(1000).fpp(0.01).plan().bits()).isEqualTo(bits);
    assertThat(builder.get().bits(bits).keys(1000).fpp(0.01).plan().bits()).isEqualTo(bits);
    assertThat(builder.get().capacity(bits).keys(1000).fpp(0.01).build()).isNotNull();
    assertThat(builder.get().capacity(bits).fpp(0.01).plan().hashes())
        .isEqualTo(builder.get().keys(1000).fpp(0.01).plan().hashes());
  }

  /** The list in the Javadoc of {@link FilterBuilder.Sized}. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("sizedBuilders")
  void everySufficientSubsetBuilds(String name, Supplier<FilterBuilder.Sized<?, ?>> builder) {
    long bits = 512 * 720;
    int hashes = 8;
    List<FilterBuilder.Sized<?, ?>> sufficient =
        List.of(
            builder.get().keys(1000).fpp(0.01),
            builder.get().keys(1000).fpp(0.01).hashes(hashes),
            builder.get().bits(bits).fpp(0.01),
            builder.get().bits(bits).fpp(0.01).hashes(hashes),
            builder.get().bits(bits).keys(1000).fpp(0.01),
            builder.get().bitsPerKey(20).keys(1000).fpp(0.01),
            builder.get().capacity(bits).fpp(0.01),
            builder.get().capacity(bits).fpp(0.01).hashes(hashes));
    assertThat(sufficient).allMatch(given -> given.build() != null);
    List<FilterBuilder.Sized<?, ?>> withoutRate =
        List.of(
            builder.get().keys(1000).bits(bits),
            builder.get().keys(1000).bits(bits).hashes(hashes),
            builder.get().keys(1000).bitsPerKey(12),
            builder.get().keys(1000).bitsPerKey(12).hashes(hashes),
            builder.get().bits(bits).hashes(hashes),
            builder.get().keys(1000).capacity(bits),
            builder.get().capacity(bits).hashes(hashes));
    for (FilterBuilder.Sized<?, ?> given : withoutRate) {
      if (name.startsWith("elastic")) {
        assertThatThrownBy(given::build).hasMessageContaining("set its fpp");
      } else {
        assertThat(given.build()).isNotNull();
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sizedBuilders")
  void twoSizesAreRefusedWithBoth(String name, Supplier<FilterBuilder.Sized<?, ?>> builder) {
    assertThatThrownBy(() -> builder.get().bits(5120).capacity(10_240).fpp(0.01).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bits 5120, capacity 10240");
    assertThatThrownBy(() -> builder.get().bits(5120).bitsPerKey(9).keys(10).fpp(0.01).build())
        .hasMessageContaining("bits 5120")
        .hasMessageContaining("bitsPerKey 9.0");
    assertThatThrownBy(() -> builder.get().bitsPerKey(9).fpp(0.01).build())
        .hasMessageContaining("bitsPerKey needs keys");
    assertThatThrownBy(() -> builder.get().fpp(0.01).build()).hasMessageContaining("not enough");
  }

  @Test
  void impossibleValuesAreRefusedAtTheCall() {
    BloomFilter.Builder builder = BloomFilter.builder();
    assertThatThrownBy(() -> builder.keys(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("keys", "0", "-1");
    assertThatThrownBy(() -> builder.fpp(0)).hasMessageContaining("fpp must be between 0 and 1");
    assertThatThrownBy(() -> builder.fpp(Double.NaN)).hasMessageContaining("fpp");
    assertThatThrownBy(() -> builder.bits(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("bits", "1", "0");
    assertThatThrownBy(() -> builder.hashes(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("hashes", "1", "0");
    assertThatThrownBy(() -> builder.capacity(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("capacity", "1", "0");
    assertThatThrownBy(() -> builder.bitsPerKey(0)).hasMessageContaining("bitsPerKey");
  }

  @Test
  void aDepthWithLargerUnitsThanRequestedIsRefusedWithBoth() {
    for (DynamicPartitionBloomFilter.Mode mode : DynamicPartitionBloomFilter.Mode.values()) {
      DynamicPartitionBloomFilter.Builder builder =
          DynamicPartitionBloomFilter.builder().mode(mode).universe(1 << 20).depth(4).unitKeys(64);
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("depth 4", "65536 keys")
          .hasMessageContaining("unitKeys 64");
      assertThat(builder.depth(14).build().plan().unitKeys()).isEqualTo(64);
    }
  }

  @Test
  void thresholdsAndCountersThatContradictEachOtherAreRefusedWithBoth() {
    assertThatThrownBy(
            () ->
                AutoscalingBloomFilter.builder()
                    .bits(100)
                    .hashes(5)
                    .counterBits(8)
                    .insertOnly(50)
                    .build())
        .hasMessageContaining("counterBits 8 and insertOnly");
    assertThatThrownBy(
            () ->
                AutoscalingBloomFilter.builder()
                    .bits(100)
                    .hashes(5)
                    .thresholds(15, 3)
                    .counterBits(4)
                    .build())
        .hasMessageContainingAll("theta 15", "4 bits");
    assertThatThrownBy(
            () -> ElasticBloomFilter.builder().capacity(5120).fpp(0.6).tolerance(0.5).build())
        .hasMessageContaining("fpp 0.6, tolerance 0.5");
  }

  private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private static <B extends FilterBuilder<B>> B hashed(B builder) {
    return builder.keyType(KeyType.LONGS).secret(SECRET);
  }

  /** The type of the keys stays, in whatever order it is set. */
  @Test
  void everyBuilderSetsHowKeysAreHashed() {
    List<Filter> filters =
        List.of(
            hashed(BloomFilter.builder()).keys(10).fpp(0.1).build(),
            hashed(CountingBloomFilter.builder()).keys(10).fpp(0.1).build(),
            hashed(ElasticBloomFilter.builder()).keys(10).fpp(0.1).build(),
            hashed(ScalableBloomFilter.builder()).build(),
            hashed(FingerprintFilter.builder()).build(),
            hashed(DynamicPartitionBloomFilter.builder()).build(),
            hashed(AutoscalingBloomFilter.builder()).bits(100).hashes(2).build(),
            hashed(WindowFilter.builder()).window(Duration.ofHours(1)).build(),
            hashed(FrozenFilter.builder()).build(new long[] {1}));
    assertThat(filters)
        .hasSameSizeAs(builders().toList())
        .allSatisfy(
            filter -> {
              assertThat(filter.hashScheme()).isEqualTo(HashScheme.sipHash(SECRET));
              assertThat(filter.hashScheme().keyType()).isEqualTo(KeyType.LONGS);
            });
  }

  static Stream<Object> builders() {
    return Stream.of(
        BloomFilter.builder(),
        CountingBloomFilter.builder(),
        ElasticBloomFilter.builder(),
        ScalableBloomFilter.builder(),
        FingerprintFilter.builder(),
        DynamicPartitionBloomFilter.builder(),
        AutoscalingBloomFilter.builder(),
        WindowFilter.builder(),
        FrozenFilter.builder());
  }

  /** Every public method of every builder that takes an object, called with null. */
  @ParameterizedTest
  @MethodSource("builders")
  void nullsAreRefusedAtTheCallByName(Object builder) throws Exception {
    List<String> refused = new ArrayList<>();
    for (Method method : builder.getClass().getMethods()) {
      boolean setter =
          method.getDeclaringClass() != Object.class
              && !Modifier.isStatic(method.getModifiers())
              && method.getParameterCount() == 1
              && !method.getParameterTypes()[0].isPrimitive();
      if (!setter || method.getParameterTypes()[0].isArray()) {
        continue;
      }
      assertThatThrownBy(() -> method.invoke(builder, (Object) null))
          .as("%s", method)
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .isInstanceOf(NullPointerException.class)
          .message()
          .isIn(
              "layout",
              "plan",
              "filter",
              "hashScheme",
              "keyType",
              "key",
              "policy",
              "listener",
              "path",
              "mode",
              "criterion",
              "window");
      refused.add(method.getName());
    }
    assertThat(refused).contains("hashScheme");
  }

  /** A builder that is not on the list above would not be tested. */
  @Test
  void noBuilderIsForgotten() throws Exception {
    List<Class<?>> known = new ArrayList<>();
    builders().forEach(builder -> known.add(builder.getClass()));
    for (FilterFormat<?> format : Filters.formats()) {
      Arrays.stream(format.type().getClasses())
          .filter(nested -> nested.getSimpleName().equals("Builder"))
          .forEach(nested -> assertThat(known).contains(nested));
    }
  }

  @Test
  void nullsOutsideBuildersAreRefusedByName() {
    assertNull("hasher", () -> BloomFilter.collector(10, 0.1, null));
    assertNull("hasher", () -> BloomFilter.create(10, 0.1).typed(null));
    assertNull("hasher", () -> ScalableBloomFilter.create(0.1).typed(null));
    assertNull("hasher", () -> FingerprintFilter.create(0.1).typed(null));
    assertNull("key", () -> HashScheme.sipHash(null));
    assertNull("schema", () -> RangeBloomFilter.create(null));
    assertNull("hashScheme", () -> RangeBloomFilter.create(RangeSchema.of(8, 1), null));
  }

  private static void assertNull(String name, Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(NullPointerException.class).hasMessage(name);
  }
}
