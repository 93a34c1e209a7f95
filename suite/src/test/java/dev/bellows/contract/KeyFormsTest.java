package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.KeyHasher;
import dev.bellows.Membership;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.GradedMembership;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A key that can be put can be queried, weighed, loaded and removed in the same form. */
class KeyFormsTest {
  private static final Set<List<Class<?>>> FORMS =
      Set.of(
          List.of(long.class),
          List.of(char.class),
          List.of(CharSequence.class),
          List.of(byte[].class),
          List.of(Object.class, KeyHasher.class));

  private static final Map<String, Class<?>> TYPES =
      Map.of(
          "KeyFilter", KeyFilter.class,
          "Membership", Membership.class,
          "Removable", KeyFilter.Removable.class,
          "GradedMembership", GradedMembership.class,
          "Loader", BloomFilter.Loader.class);

  @ParameterizedTest
  @CsvSource({
    "KeyFilter, put",
    "Membership, mightContain",
    "Removable, remove",
    "GradedMembership, accepts",
    "GradedMembership, evidence",
    "Loader, put"
  })
  void everyFilterHasTheSameKeyForms(String type, String method) {
    assertThat(
            Arrays.stream(TYPES.get(type).getMethods())
                .filter(found -> found.getName().equals(method))
                .map(Method::getParameterTypes)
                .map(Arrays::<Class<?>>asList)
                .collect(Collectors.toSet()))
        .isEqualTo(FORMS);
  }

  /** Every method also accepts the hash of a key. */
  @ParameterizedTest
  @CsvSource({
    "KeyFilter, putHash",
    "Membership, mightContainHash",
    "Removable, removeHash",
    "GradedMembership, acceptsHash",
    "GradedMembership, evidenceHash",
    "Loader, putHash"
  })
  void everyOperationAcceptsAHash(String type, String method) throws Exception {
    assertThat(TYPES.get(type).getMethod(method, long.class)).isNotNull();
  }

  /** One key in each form, with the hash it must have. */
  private static void eachForm(HashScheme scheme, Form form) throws Exception {
    byte[] bytes = {7, 1, 2, 3, 9};
    UUID uuid = new UUID(5, 6);
    form.check(scheme.hash(7L), new Class<?>[] {long.class}, 7L);
    form.check(scheme.hash("c"), new Class<?>[] {char.class}, 'c');
    form.check(scheme.hash("text"), new Class<?>[] {CharSequence.class}, new StringBuilder("text"));
    form.check(scheme.hash(bytes), new Class<?>[] {byte[].class}, (Object) bytes);
    Class<?>[] typed = {Object.class, KeyHasher.class};
    form.check(scheme.hash("typed"), typed, "typed", KeyHasher.TEXT);
    form.check(scheme.hash(0.0), typed, -0.0, KeyHasher.DOUBLES);
    form.check(scheme.hash(uuid), typed, uuid, KeyHasher.UUIDS);
    form.check(
        scheme.hash(new byte[] {1, 2, 3}),
        typed,
        ByteBuffer.wrap(bytes, 1, 3).asReadOnlyBuffer(),
        KeyHasher.BUFFERS);
  }

  @FunctionalInterface
  private interface Form {
    void check(long hash, Class<?>[] types, Object... key) throws Exception;
  }

  @Test
  void everyKeyFormUsesItsHash() throws Exception {
    eachForm(
        HashScheme.DEFAULT,
        (hash, types, key) -> {
          CountingBloomFilter filter = CountingBloomFilter.create(100, 0.001);
          assertThat(call(filter, "mightContain", types, key)).isEqualTo(false);
          assertThat(call(filter, "put", types, key)).isEqualTo(true);
          CountingBloomFilter hashed = CountingBloomFilter.create(100, 0.001);
          hashed.putHash(hash);
          assertThat(filter).isEqualTo(hashed);
          assertThat(call(filter, "mightContain", types, key)).isEqualTo(true);
          assertThat(call(filter, "remove", types, key)).isEqualTo(true);
          assertThat(filter).isEqualTo(CountingBloomFilter.create(100, 0.001));
          BloomFilter.Loader loader = BloomFilter.builder().keys(100).fpp(0.001).loader();
          call(loader, "put", types, key);
          assertThat(loader.build()).isEqualTo(hashed.toBloomFilter());
          AutoscalingBloomFilter graded = AutoscalingBloomFilter.create(1000, 9);
          assertThat(call(graded, "accepts", types, key)).isEqualTo(false);
          assertThat(call(graded, "evidence", types, key)).isEqualTo(0L);
          call(graded, "put", types, key);
          assertThat(call(graded, "accepts", types, key)).isEqualTo(true);
          assertThat(call(graded, "evidence", types, key)).isEqualTo(9L);
          assertThat(graded.acceptsHash(hash)).isTrue();
        });
  }

  private static Object call(Object target, String method, Class<?>[] types, Object... key)
      throws Exception {
    return target.getClass().getMethod(method, types).invoke(target, key);
  }
}
