package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Funnels;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Texts are put without naming a hasher, and a filter says whether it holds anything. */
class PutAllTextsTest {
  private static final List<String> TEXTS = List.of("a", "b", "a", "\u20ac");

  @Test
  void collectionsOfTextsArePut() {
    for (KeyFilter filter :
        List.of(
            BloomFilter.create(1000, 1e-6),
            CountingBloomFilter.builder().keys(1000).fpp(1e-6).build(),
            ElasticBloomFilter.builder().keys(1000).fpp(1e-6).tolerance(5e-7).build(),
            FingerprintFilter.builder().fpp(1e-6).build(),
            ScalableBloomFilter.builder().fpp(1e-6).build())) {
      assertThat(filter.isEmpty()).as("%s", filter.kind()).isTrue();
      assertThat(filter.putAll(Set.<String>of())).isZero();
      assertThat(filter.isEmpty()).isTrue();
      long changed = filter.putAll(TEXTS);
      assertThat(changed).isBetween(3L, 4L); // a counting filter counts the repetition
      assertThat(filter.isEmpty()).isFalse();
      TEXTS.forEach(text -> assertThat(((Membership) filter).mightContain(text)).isTrue());
    }
  }

  @Test
  void loadersAcceptCollectionsToo() {
    BloomFilter.Loader loader = BloomFilter.builder().keys(1000).fpp(0.01).loader();
    loader.putAll(TEXTS);
    BloomFilter expected = BloomFilter.create(1000, 0.01);
    TEXTS.forEach(expected::put);
    assertThat(loader.expectedFpp()).isEqualTo(expected.expectedFpp());
    assertThat(loader.build()).isEqualTo(expected);
  }

  @Test
  void filtersOfOtherLibrariesMayBeEmpty() throws IOException {
    com.google.common.hash.BloomFilter<CharSequence> guava =
        com.google.common.hash.BloomFilter.create(
            Funnels.stringFunnel(StandardCharsets.UTF_8), 100, 0.01);
    assertThat(read(guava).isEmpty()).isTrue();
    guava.put("a");
    assertThat(read(guava).isEmpty()).isFalse();
  }

  private static ForeignFilter read(com.google.common.hash.BloomFilter<?> guava)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    guava.writeTo(bytes);
    return ForeignFilter.fromBytes(bytes.toByteArray(), Format.GUAVA);
  }
}
