package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.growth.DynamicPartitionBloomFilter;
import dev.bellows.growth.ScalableBloomFilter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Wishes that contradict each other are refused with both values, nulls where they are passed. */
class BuildersTest {
  static Stream<Supplier<FilterBuilder<?, ?>>> sized() {
    return Stream.of(
        BloomFilter::builder, CountingBloomFilter::builder, ElasticBloomFilter::builder);
  }

  static Stream<Object> all() {
    return Stream.of(
        BloomFilter.builder(),
        CountingBloomFilter.builder(),
        ElasticBloomFilter.builder(),
        ScalableBloomFilter.builder(),
        DynamicPartitionBloomFilter.builder(),
        AutoscalingBloomFilter.builder());
  }

  @ParameterizedTest
  @MethodSource("sized")
  void aCapacityTooSmallForItsKeysIsRefused(Supplier<FilterBuilder<?, ?>> builders) {
    assertThatThrownBy(() -> builders.get().capacity(512).keys(1_000_000).fpp(0.01).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000000 keys in 512 bits")
        .hasMessageContaining("0.01");
    assertThatThrownBy(() -> builders.get().bits(512).keys(1_000_000).fpp(0.01).build())
        .hasMessageContaining("1000000 keys in 512 bits");
    assertThatThrownBy(() -> builders.get().bitsPerKey(2).keys(1_000_000).fpp(0.01).build())
        .hasMessageContaining("1000000 keys");
  }

  @ParameterizedTest
  @MethodSource("sized")
  void severalSizesAreRefusedWithAllOfThem(Supplier<FilterBuilder<?, ?>> builders) {
    assertThatThrownBy(() -> builders.get().bits(1024).capacity(2048).fpp(0.01).build())
        .hasMessageContaining("1024")
        .hasMessageContaining("2048");
  }

  @Test
  void aDepthThatMakesLargerUnitsIsRefused() {
    assertThatThrownBy(
            () ->
                DynamicPartitionBloomFilter.builder()
                    .universe(1 << 20)
                    .depth(2)
                    .unitKeys(1000)
                    .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("depth 2")
        .hasMessageContaining("262144")
        .hasMessageContaining("1000");
  }

  @ParameterizedTest
  @MethodSource("all")
  void nullsAreRefusedAtTheCall(Object builder) throws IllegalAccessException {
    int tried = 0;
    for (Method method : builder.getClass().getMethods()) {
      boolean takesOneReference =
          method.getParameterCount() == 1
              && !method.getParameterTypes()[0].isPrimitive()
              && !method.getParameterTypes()[0].isArray()
              && !Modifier.isStatic(method.getModifiers())
              && method.getDeclaringClass() != Object.class;
      if (takesOneReference && !method.isBridge()) {
        tried++;
        try {
          method.invoke(builder, (Object) null);
          assertThat(method).as("took null").isNull();
        } catch (InvocationTargetException e) {
          assertThat(e.getCause()).as("%s", method).isInstanceOf(NullPointerException.class);
          assertThat(e.getCause().getMessage()).as("%s", method).isNotBlank();
        }
      }
    }
    assertThat(tried).isPositive();
  }
}
