package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.autoscale.GradedMembership;
import dev.bellows.autoscale.LikelihoodReading;
import dev.bellows.internal.kinds.Kinds;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterKind.Ability;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a kind says it can is what its type can. */
class KindsTest {
  private static boolean is(FilterKind kind, Class<?> what) {
    return what.isAssignableFrom(Kinds.type(kind));
  }

  private static boolean has(FilterKind kind, String method) {
    return Arrays.stream(Kinds.type(kind).getMethods()).anyMatch(m -> m.getName().equals(method));
  }

  @ParameterizedTest
  @EnumSource
  void abilitiesAgreeWithTheType(FilterKind kind) {
    assertThat(kind.can(Ability.PUT))
        .isEqualTo(is(kind, KeyFilter.class) || has(kind, "putId") || has(kind, "putRange"));
    assertThat(kind.can(Ability.REMOVE))
        .isEqualTo(is(kind, RemovableKeys.class) || has(kind, "removeId"));
    assertThat(kind.can(Ability.FOLD)).isEqualTo(is(kind, Foldable.class));
    assertThat(kind.can(Ability.UNION)).isEqualTo(is(kind, Mergeable.class));
    assertThat(kind.can(Ability.INTERSECT)).isEqualTo(has(kind, "intersection"));
    assertThat(kind.can(Ability.SUBTRACT)).isEqualTo(has(kind, "subtract"));
    assertThat(kind.can(Ability.IDENTIFY)).isEqualTo(has(kind, "filterId"));
    assertThat(kind.can(Ability.MISS)).isEqualTo(is(kind, GradedMembership.class));
  }

  @ParameterizedTest
  @EnumSource
  void whoMayMissAKeyIsNoMembership(FilterKind kind) {
    assertThat(is(kind, Membership.class) && is(kind, GradedMembership.class)).isFalse();
    assertThat(kind.isCertain()).isEqualTo(!is(kind, GradedMembership.class));
    if (kind.isCertain() && is(kind, KeyFilter.class)) {
      assertThat(is(kind, Membership.class)).isTrue();
    }
  }

  @Test
  void aReadingThatMayMissAKeyIsNoMembership() {
    assertThat(Membership.class.isAssignableFrom(LikelihoodReading.class)).isFalse();
    assertThat(Membership.class.isAssignableFrom(GradedMembership.class)).isFalse();
  }
}
