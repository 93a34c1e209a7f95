package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.elastic.ElasticBloomFilter;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A state is its content: foldings of different contents never mix. */
class StateTest {
  private static BloomFilter.Builder source(Layout.Family layout) {
    return BloomFilter.builder().layout(layout).bits(512L * 5040).hashes(8).id(7);
  }

  @ParameterizedTest
  @EnumSource
  void foldingsOfAFileThatWasRebuiltDoNotMix(Layout.Family layout) throws IOException {
    BloomFilter filter = source(layout).build();
    filter.put("before");
    byte[] file = filter.toBytes();
    filter.put("x");
    BloomFilter first = filter.foldBy(63);
    BloomFilter again = BloomFilter.fromBytes(file);
    again.put("y");
    BloomFilter second = again.foldBy(80);
    assertThat(second.state()).isNotEqualTo(first.state());
    assertThatThrownBy(() -> FoldedFilters.of(first).with(second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("states")
        .hasMessageContaining(Long.toHexString(second.state()));
  }

  @ParameterizedTest
  @EnumSource
  void equalContentHasEqualStateRegardlessOfHistory(Layout.Family layout) throws IOException {
    BloomFilter one = source(layout).build();
    BloomFilter other = source(layout).build();
    for (long key = 0; key < 1000; key++) {
      one.put(key);
      other.put(999 - key);
    }
    assertThat(other.state()).isEqualTo(one.state()).isNotZero();
    BloomFilter read = BloomFilter.fromBytes(one.toBytes());
    assertThat(read.state()).isEqualTo(one.state());
    FoldedFilters both = FoldedFilters.of(one.foldBy(63)).with(read.foldBy(80)).with(other);
    assertThat(both.sizes()).hasSize(3);
    assertThat(both.mightContain(500L)).isTrue();
  }

  @Test
  void aFoldingKeepsItsStateUntilItIsChanged() throws IOException {
    BloomFilter owner = source(Layout.Family.BLOCKED).build();
    owner.put(1L);
    BloomFilter folding = owner.foldBy(4);
    BloomFilter foldedAgain = BloomFilter.fromBytes(folding.foldBy(5).toBytes());
    assertThat(foldedAgain.state()).isEqualTo(owner.state());
    assertThat(foldedAgain.filterId()).isEqualTo(7);
    foldedAgain.put(2L);
    assertThat(foldedAgain.filterId()).isZero();
    assertThat(foldedAgain.state()).isZero();
    long before = owner.state();
    owner.put(2L);
    assertThat(owner.state()).isNotEqualTo(before);
    assertThat(owner.filterId()).isEqualTo(7);
    assertThat(folding.state()).isEqualTo(before);
  }

  @Test
  void aFilterWithoutAnIdHasNoState() {
    BloomFilter filter = BloomFilter.create(1000, 0.01);
    filter.put(1L);
    assertThat(filter.state()).isZero();
    assertThatThrownBy(() -> FoldedFilters.of(filter)).hasMessageContaining("id");
  }

  @Test
  void countersHashTheirValuesNotTheirWidth() {
    CountingBloomFilter narrow =
        CountingBloomFilter.builder().bits(5120).hashes(8).counterBits(4).id(3).build();
    CountingBloomFilter wide =
        CountingBloomFilter.builder().bits(5120).hashes(8).counterBits(16).id(3).build();
    for (long key = 0; key < 50; key++) {
      narrow.put(key);
      wide.put(key);
    }
    assertThat(narrow.state()).isEqualTo(wide.state());
    assertThat(narrow.toBloomFilter().state()).isEqualTo(wide.state());
    assertThat(narrow).isEqualTo(wide);
    wide.put(0L);
    assertThat(narrow.state()).isNotEqualTo(wide.state());
  }

  @Test
  void snapshotsOfAnElasticFilterShareAStateExactlyWhenTheyShareTheContent() {
    ElasticBloomFilter elastic =
        ElasticBloomFilter.builder().keys(10_000).fpp(0.01).counting(4).id(9).build();
    elastic.put("x");
    BloomFilter first = elastic.snapshot();
    assertThat(elastic.snapshot().state()).isEqualTo(first.state());
    elastic.put("y");
    assertThat(elastic.snapshot().state()).isNotEqualTo(first.state());
    elastic.remove("y");
    assertThat(elastic.snapshot().state()).isEqualTo(first.state());
    elastic.freeze();
    assertThat(elastic.snapshot().state()).isEqualTo(first.state());
    elastic.put("z");
    assertThat(elastic.snapshot().filterId()).isZero();
  }
}
