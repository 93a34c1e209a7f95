package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The bits of a filter as words, for custom transports. */
class WordsTest {
  @Test
  void wordsStoreAFilter() {
    BloomFilter filter = BloomFilter.create(1000, 0.01);
    filter.putAll(LongStream.range(0, 1000).toArray());
    BloomFilter copy = BloomFilter.builder().like(filter).build();
    int count = (int) (filter.bits() / 64);
    long[] words = new long[count];
    filter.copyWords(0, words, count);
    assertThat(copy.orWords(0, words, count)).isTrue();
    assertThat(copy).isEqualTo(filter);
    assertThat(copy.orWords(0, words, count)).isFalse();
    long[] some = new long[5];
    filter.copyWords(7, some, 5);
    for (int bit = 0; bit < 5 * 64; bit++) {
      assertThat(some[bit / 64] >>> bit & 1).isEqualTo(words[7 + bit / 64] >>> bit & 1);
    }
  }

  @Test
  void rangesAndTailsAreChecked() {
    BloomFilter filter =
        BloomFilter.builder().layout(Layout.Family.CLASSIC).bits(100).hashes(3).build();
    long[] words = {1, 1L << 36};
    assertThatThrownBy(() -> filter.copyWords(1, words, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> filter.orWords(0, words, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> filter.orWords(0, words, 2)).hasMessageContaining("ones after");
    words[1] = 1L << 35;
    assertThat(filter.orWords(0, words, 2)).isTrue();
  }
}
