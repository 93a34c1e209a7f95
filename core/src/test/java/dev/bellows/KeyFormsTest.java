package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.autoscale.GradedMembership;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever takes, gives back or asks for a key takes every form of a key. */
class KeyFormsTest {
  private static final List<List<Class<?>>> FORMS =
      List.of(
          List.of(long.class),
          List.of(double.class),
          List.of(CharSequence.class),
          List.of(byte[].class),
          List.of(byte[].class, int.class, int.class),
          List.of(ByteBuffer.class),
          List.of(UUID.class),
          List.of(Object.class, KeyHasher.class));

  @ParameterizedTest
  @CsvSource({
    "dev.bellows.KeyFilter, put",
    "dev.bellows.Membership, mightContain",
    "dev.bellows.RemovableKeys, remove",
    "dev.bellows.BloomLoader, put",
    "dev.bellows.autoscale.GradedMembership, accepts",
    "dev.bellows.autoscale.GradedMembership, evidence",
  })
  void everyFormIsThere(String type, String method) throws ReflectiveOperationException {
    Class<?> owner = Class.forName(type, true, GradedMembership.class.getClassLoader());
    assertThat(
            Arrays.stream(owner.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(method))
                .map(Method::getParameterTypes)
                .map(List::of))
        .containsAll(FORMS);
  }
}
