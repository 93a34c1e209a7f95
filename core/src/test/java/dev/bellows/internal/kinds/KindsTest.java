package dev.bellows.internal.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.AllKinds;
import dev.bellows.Filter;
import dev.bellows.Foldable;
import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.Mergeable;
import dev.bellows.RemovableKeys;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.autoscale.LikelihoodReading;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterKind.Ability;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a kind says it can is what its type has, and where "no" is not certain the type says so. */
class KindsTest {
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
  void abilitiesAreThoseOfTheType(FilterKind kind) {
    Class<? extends Filter> type = Kinds.type(kind);
    boolean keys = KeyFilter.class.isAssignableFrom(type);
    assertThat(kind.can(Ability.PUT))
        .isEqualTo(keys || hasAny(type, "putId") || hasAny(type, "putRange"))
        .isEqualTo(hasAny(type, "put"));
    assertThat(kind.can(Ability.REMOVE))
        .isEqualTo(RemovableKeys.class.isAssignableFrom(type) || hasAny(type, "removeId"))
        .isEqualTo(hasAny(type, "remove"));
    assertThat(kind.can(Ability.FOLD)).isEqualTo(Foldable.class.isAssignableFrom(type));
    assertThat(kind.can(Ability.UNION)).isEqualTo(Mergeable.class.isAssignableFrom(type));
    assertThat(kind.can(Ability.INTERSECT))
        .isEqualTo(has(type, "intersection", type))
        .isEqualTo(has(type, "intersection", type, double.class));
    assertThat(kind.can(Ability.SUBTRACT)).isEqualTo(has(type, "subtract", type));
    assertThat(kind.can(Ability.IDENTIFY))
        .isEqualTo(has(type, "filterId"))
        .isEqualTo(has(type, "state"));
    assertThat(kind.can(Ability.MISS))
        .isEqualTo(GradedMembership.class.isAssignableFrom(type))
        .isEqualTo(!kind.isCertain());
    if (kind.can(Ability.PUT)) {
      assertThat(hasAny(type, "clear")).isTrue();
    }
    if (kind.can(Ability.UNION)) {
      assertThat(has(type, "copy")).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void aKindThatMayMissKeysIsNoMembershipAndEveryOtherOfKeysIs(FilterKind kind) {
    Class<? extends Filter> type = Kinds.type(kind);
    if (kind.can(Ability.MISS)) {
      assertThat(Membership.class).isNotIn(List.of(type.getInterfaces()));
      assertThat(Membership.class.isAssignableFrom(type)).isFalse();
    } else if (KeyFilter.class.isAssignableFrom(type)) {
      assertThat(Membership.class.isAssignableFrom(type)).isTrue();
    }
  }

  /** Neither by inheritance nor by the same methods: no wrapper fits both by accident. */
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
  void everyKindIsRegisteredWithATypeOfItsOwnThatReadsItself() {
    Set<Class<?>> types = new HashSet<>();
    for (FilterKind kind : FilterKind.values()) {
      assertThat(types.add(Kinds.type(kind))).isTrue();
    }
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
      assertThat(filter.getClass()).isEqualTo(Kinds.type(example.kind()));
      assertThat(filter.toBytes()).as("%s stays small", example).hasSizeLessThan(3000);
    }
  }
}
