package dev.bellows.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.AllKinds;
import dev.bellows.Filter;
import dev.bellows.Foldable;
import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.Mergeable;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.AutoscalingBloomFilter.LikelihoodReading;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.GradedMembership;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The interfaces of a kind express what it can do, and whether its "no" is certain. */
class FiltersTest {
  private static boolean has(Class<?> type, String method, Class<?>... parameters) {
    return Arrays.stream(type.getMethods())
        .anyMatch(
            found ->
                found.getName().equals(method)
                    && Arrays.equals(found.getParameterTypes(), parameters));
  }

  private static boolean hasAny(Class<?> type, String method) {
    return Arrays.stream(type.getMethods()).anyMatch(found -> found.getName().equals(method));
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void interfacesExpressWhatAKindCanDo(FilterKind kind) {
    Class<? extends Filter> type = Filters.format(kind).type();
    boolean keys = KeyFilter.class.isAssignableFrom(type);
    assertThat(hasAny(type, "put"))
        .isEqualTo(keys || hasAny(type, "putId") || hasAny(type, "putRange"))
        .isEqualTo(hasAny(type, "clear"));
    assertThat(hasAny(type, "remove"))
        .isEqualTo(KeyFilter.Removable.class.isAssignableFrom(type) || hasAny(type, "removeId"));
    assertThat(hasAny(type, "foldBy")).isEqualTo(Foldable.class.isAssignableFrom(type));
    assertThat(hasAny(type, "union")).isEqualTo(Mergeable.class.isAssignableFrom(type));
    assertThat(hasAny(type, "intersection"))
        .isEqualTo(Mergeable.Intersectable.class.isAssignableFrom(type))
        .isEqualTo(has(type, "intersection", type, double.class));
    assertThat(hasAny(type, "subtract"))
        .isEqualTo(Mergeable.Subtractable.class.isAssignableFrom(type))
        .isEqualTo(has(type, "subtract", type));
    assertThat(Filter.Identified.class.isAssignableFrom(type))
        .isEqualTo(has(type, "filterId"))
        .isEqualTo(has(type, "state"));
    assertThat(Serializable.class.isAssignableFrom(type)).isTrue();
    if (Mergeable.class.isAssignableFrom(type)) {
      assertThat(has(type, "copy")).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void onlyKindsThatNeverMissKeysAreMemberships(FilterKind kind) {
    Class<? extends Filter> type = Filters.format(kind).type();
    if (GradedMembership.class.isAssignableFrom(type)) {
      assertThat(Membership.class).isNotIn(List.of(type.getInterfaces()));
      assertThat(Membership.class.isAssignableFrom(type)).isFalse();
    } else if (KeyFilter.class.isAssignableFrom(type)) {
      assertThat(Membership.class.isAssignableFrom(type)).isTrue();
    }
    assertThat(GradedMembership.class.isAssignableFrom(type))
        .isEqualTo(
            kind == FilterKind.AUTOSCALING
                || kind == FilterKind.BINARIZED
                || kind == FilterKind.BINARIZED_COUNTING);
  }

  /** Neither by inheritance nor by equal method names, so that no wrapper fits both by accident. */
  @Test
  void gradedFiltersHaveNothingOfAMembership() {
    assertThat(Membership.class.isAssignableFrom(GradedMembership.class)).isFalse();
    assertThat(GradedMembership.class.isAssignableFrom(Membership.class)).isFalse();
    for (Class<?> graded :
        List.of(
            GradedMembership.class,
            AutoscalingBloomFilter.class,
            BinarizedFilter.class,
            CountingReading.class,
            LikelihoodReading.class)) {
      assertThat(Membership.class.isAssignableFrom(graded)).isFalse();
      assertThat(graded.getMethods())
          .extracting(method -> method.getName())
          .noneMatch(name -> name.startsWith("mightContain") || name.startsWith("countMight"));
    }
  }

  @Test
  void everyKindIsListedWithATypeOfItsOwnThatReadsItself() throws Exception {
    Set<Class<?>> types = new HashSet<>();
    for (FilterKind kind : FilterKind.values()) {
      FilterFormat<?> format = Filters.format(kind);
      assertThat(format.kind()).isEqualTo(kind);
      // a window is one class over two stores, each with its kind; foldings may have a version,
      // views bitmaps, and binarized filters the positions of a counting filter
      String field =
          switch (kind) {
            case WINDOW_PREFIXES -> "PREFIX_FORMAT";
            case PARTITION_COMPACT -> "COMPACT_FORMAT";
            case PARTS -> "PARTS_FORMAT";
            case BINARIZED_COUNTING -> "COUNTING_FORMAT";
            default -> "FORMAT";
          };
      boolean isSecond = !field.equals("FORMAT");
      assertThat(format.type().getField(field).get(null)).isSameAs(format);
      assertThat(types.add(format.type())).isEqualTo(!isSecond);
    }
    assertThat(Filters.formats()).hasSize(FilterKind.values().length);
    assertThat(Arrays.stream(FilterKind.values()).map(FilterKind::id)).doesNotHaveDuplicates();
    assertThat(Arrays.stream(FilterKind.values()).map(FilterKind::word)).doesNotHaveDuplicates();
  }

  @Test
  void theListOfExamplesHasSeveralOfEveryKindAndEachIsOfItsKind() {
    for (List<AllKinds.Example> list : List.of(AllKinds.examples(), AllKinds.extremes())) {
      for (FilterKind kind : FilterKind.values()) {
        assertThat(list.stream().filter(example -> example.kind() == kind))
            .as("examples of %s", kind)
            .hasSizeGreaterThanOrEqualTo(2);
      }
    }
    for (AllKinds.Example example : AllKinds.examples()) {
      Filter filter = example.filter();
      assertThat(filter.kind()).isEqualTo(example.kind());
      assertThat(filter.stats().kind()).isEqualTo(example.kind());
      assertThat(filter.getClass()).isEqualTo(Filters.format(example.kind()).type());
      assertThat(filter.toBytes()).as("%s stays small", example).hasSizeLessThan(3000);
    }
  }
}
