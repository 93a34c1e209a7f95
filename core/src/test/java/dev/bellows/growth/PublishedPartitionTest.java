package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.growth.DynamicPartitionBloomFilter.Mode;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PublishedPartitionTest extends PartitionContract {
  @Override
  Mode mode() {
    return Mode.PUBLISHED;
  }

  @Test
  void unitsHaveTheSizeOfEquationOneAndTheTreeDoesNotFold() {
    DynamicPartitionBloomFilter filter = fill(create(), LongStream.range(0, 100));
    assertThat(filter.stats().bits()).isEqualTo(2 * filter.plan().unitBits());
  }

  @Test
  void unitFiltersCannotForget() {
    assertThatThrownBy(() -> fill(create(), LongStream.range(0, 9)).removeId(3))
        .hasMessageContaining("EXACT_LEAVES");
    assertThatThrownBy(() -> create().ids()).hasMessageContaining("EXACT_LEAVES");
  }

  /** A unit with one key costs its positions, not its size. */
  @Test
  void unitFiltersWithFewKeysAreSmall() {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .mode(Mode.PUBLISHED)
            .universe(1 << 30)
            .depth(20)
            .fpp(1e-4)
            .build();
    fill(filter, LongStream.range(0, 10_000).map(i -> i * 100_000));
    assertThat(filter.populatedUnits()).isEqualTo(10_000);
    assertThat(filter.plan().unitBits()).isGreaterThan(19_000);
    assertThat(filter.stats().bytes()).isLessThan(10_000 * 40);
  }

  /** Errata D10: merging on the true count breaks the rate; the larger counts keep it. */
  @Test
  void anIntersectionOfFullUnitsIsNotMergedAsIfItWereEmpty() {
    DynamicPartitionBloomFilter a =
        DynamicPartitionBloomFilter.builder()
            .mode(Mode.PUBLISHED)
            .universe(1024)
            .depth(4)
            .fpp(0.0146)
            .hashes(4)
            .build();
    DynamicPartitionBloomFilter b = a.copy();
    for (int unit = 0; unit < 16; unit++) {
      for (int i = 0; i < 16; i++) {
        a.putId(64 * unit + i);
        b.putId(64 * unit + 12 + i);
      }
    }
    DynamicPartitionBloomFilter both = a.intersection(b);
    assertThat(Trees.of(both).leaves()).hasSizeGreaterThanOrEqualTo(4);
    for (int unit = 0; unit < 16; unit++) {
      for (int i = 12; i < 16; i++) {
        assertThat(both.mightContainId(64 * unit + i)).isTrue();
      }
    }
  }
}
