package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Rates;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a filter of bits promises beyond every foldable filter. */
public abstract class BloomFilterContract extends FoldableFilterContract<BloomFilter> {
  @Override
  protected final BloomFilter create(long bits) {
    BloomFilter like = create();
    return BloomFilter.builder().bits(bits).hashes(like.hashes()).layout(like.layout()).build();
  }

  @Test
  void unionKeepsEveryKeyOfBothAndIntersectionEveryCommonKey() {
    BloomFilter a = filled(0, 1500);
    BloomFilter b = filled(1000, 2500);
    assertThat(a.union(b)).isEqualTo(filled(0, 2500)).isEqualTo(b.union(a));
    BloomFilter common = a.intersection(b);
    assertThat(LongStream.range(1000, 1500)).allMatch(common::mightContain);
    assertThat(common.isSubsetOf(a)).isTrue();
    assertThat(a.isSubsetOf(a.union(b))).isTrue();
    assertThat(a.isSubsetOf(b)).isFalse();
    assertThat(a).isEqualTo(filled(0, 1500));
  }

  @Test
  void filtersOfDifferentSizesMergeAtTheGreatestCommonDivisor() {
    BloomFilter a = filled(0, 300);
    BloomFilter b = fill(create(a.bits() / 2 * 3), 200, 500);
    BloomFilter union = a.union(b);
    assertThat(union.bits()).isEqualTo(a.bits() / 2);
    assertThat(union).isEqualTo(fill(create(a.bits() / 2), 0, 500)).isEqualTo(b.union(a));
    assertThat(LongStream.range(200, 300)).allMatch(a.intersection(b)::mightContain);
    assertThat(fill(create(a.bits() * 2), 0, 100).isSubsetOf(a)).isTrue();
    Rates.assertRate(100_000, i -> union.mightContain(-1 - i), union.expectedFpp());
  }

  @Test
  void putAllOfAFilterIsTheUnionInPlace() {
    BloomFilter filter = filled(0, 500);
    BloomFilter larger = fill(create(3 * filter.bits()), 400, 900);
    assertThat(filter.putAll(larger)).isTrue();
    assertThat(filter).isEqualTo(filled(0, 900));
    assertThat(filter.putAll(larger)).isFalse();
    assertThat(filter.putAll(filled(0, 100))).isFalse();
    assertThat(larger).isEqualTo(fill(create(3 * filter.bits()), 400, 900));
    assertThatThrownBy(() -> larger.putAll(filter))
        .hasMessageContaining(filter.bits() + " bits do not fold to the " + larger.bits())
        .hasMessageContaining("use union");
    assertThatThrownBy(() -> filter.putAll(create(HashScheme.xxh3(5))))
        .hasMessageContaining("seed 5");
  }

  @Test
  void putAllIntoAFoldingDropsItsIdOnlyIfItChanged() {
    BloomFilter folding = fill(identified(4), 0, 100).foldBy(2);
    assertThat(folding.putAll(filled(0, 100))).isFalse();
    assertThat(folding.filterId()).isEqualTo(4);
    assertThat(folding.putAll(filled(100, 101))).isTrue();
    assertThat(folding.filterId()).isZero();
  }

  @Override
  protected final BloomFilter identified(long id) {
    BloomFilter like = create();
    return BloomFilter.builder()
        .bits(like.bits())
        .hashes(like.hashes())
        .layout(like.layout())
        .id(id)
        .build();
  }
}
