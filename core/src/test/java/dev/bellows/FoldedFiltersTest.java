package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FoldedFiltersTest {
  private static final long BITS = 512L * 5040;

  private static BloomFilter filter(Layout.Family layout, long seed, long keys) {
    BloomFilter filter =
        BloomFilter.builder().bits(BITS).hashes(8).layout(layout).seed(seed).id(3).build();
    for (long i = 0; i < keys; i++) {
      filter.put(i);
    }
    return filter;
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void everyKeyPassesEveryFolding(Layout.Family layout) throws IOException {
    BloomFilter filter = filter(layout, 0, 5000);
    FoldedFilters set =
        FoldedFilters.of(filter.foldBy(63)).with(filter.foldBy(80)).with(filter.foldBy(45));
    assertThat(LongStream.range(0, 5000)).allMatch(set::mightContain);
    assertThat(set.sizes()).containsExactly(BITS / 80, BITS / 63, BITS / 45);
    assertThat(set.expectedFpp()).isLessThan(filter.foldBy(45).expectedFpp());
    FoldedFilters read = FoldedFilters.fromBytes(set.toBytes());
    assertThat(read).isEqualTo(set);
    assertThat(read.toBytes()).isEqualTo(set.toBytes()).hasSize((int) set.sizeInBytes());
    assertThat(set.explain()).contains("together");
    assertThat(read.with(filter.foldBy(70)).sizes()).hasSize(4);
  }

  /** Over many seeds, so that the mean over hash functions of the model is what is measured. */
  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 63, 80, 5000", "CLASSIC, 36, 40, 9000", "CLASSIC, 70, 72, 6000",
    "BLOCKED, 63, 80, 4000", "BLOCKED, 36, 40, 8000", "BLOCKED, 630, 720, 450",
  })
  void theJointRateIsThatOfAbsentKeys(Layout.Family layout, long first, long second, long keys) {
    int filters = 60;
    int queries = 40_000;
    Means surprise = new Means();
    for (int seed = 0; seed < filters; seed++) {
      BloomFilter filter = filter(layout, seed, keys);
      FoldedFilters set = FoldedFilters.of(filter.foldBy(first)).with(filter.foldBy(second));
      double passed = Rates.count(queries, i -> set.mightContain(-1 - i));
      surprise.add(passed / queries - set.expectedFpp());
    }
    surprise.assertMean(0);
  }

  @Test
  void aSizeThatDividesAnotherAddsNoInformation() {
    BloomFilter filter = filter(Layout.Family.CLASSIC, 1, 5000);
    FoldedFilters one = FoldedFilters.of(filter.foldBy(40));
    FoldedFilters nested = one.with(filter.foldBy(80));
    assertThat(nested.informativeSizes()).containsExactly(BITS / 40);
    assertThat(nested.explain()).contains("adds no information");
    assertThat(LongStream.range(-20_000, 0))
        .allMatch(key -> nested.mightContain(key) == one.mightContain(key));
  }

  @Test
  void foldingsOfOtherStatesOrFiltersAreRefused() {
    BloomFilter filter = filter(Layout.Family.BLOCKED, 0, 100);
    FoldedFilters set = FoldedFilters.of(filter.foldBy(63));
    filter.put(-1L);
    assertThatThrownBy(() -> set.with(filter.foldBy(80))).hasMessageContaining("state");
    BloomFilter other = BloomFilter.builder().bits(BITS).hashes(8).id(4).build();
    assertThatThrownBy(() -> set.with(other)).hasMessageContaining("id 3 here and 4 there");
    BloomFilter anonymous = BloomFilter.builder().bits(BITS).hashes(8).build();
    assertThatThrownBy(() -> FoldedFilters.of(anonymous)).hasMessageContaining("id");
    FoldedFilters empty = FoldedFilters.of(filter(Layout.Family.BLOCKED, 0, 0).foldBy(2));
    BloomFilter otherSize = BloomFilter.builder().bits(2 * BITS).hashes(8).id(3).build().foldBy(3);
    assertThatThrownBy(() -> empty.with(otherSize)).hasMessageContaining("different states");
    BloomFilter otherLayout =
        BloomFilter.builder().bits(BITS).hashes(8).layout(Layout.Family.CLASSIC).id(3).build();
    assertThatThrownBy(() -> empty.with(otherLayout)).hasMessageContaining("not foldings of one");
  }

  @Test
  void receivedFoldingsAreIndependentOfTheSender() {
    BloomFilter filter = filter(Layout.Family.BLOCKED, 0, 100);
    FoldedFilters set = FoldedFilters.of(filter);
    byte[] before = set.toBytes();
    for (long i = 0; i < 1000; i++) {
      filter.put(-i);
    }
    assertThat(set.toBytes()).isEqualTo(before);
  }

  @Test
  void partsRecordWhichStateIsNewer() throws IOException {
    BloomFilter filter = filter(Layout.Family.CLASSIC, 0, 100);
    FoldedFilters old = FoldedFilters.of(filter.foldBy(63), 100);
    FoldedFilters sameState = FoldedFilters.of(filter.foldBy(80), 102);
    filter.put(-1L);
    FoldedFilters later = FoldedFilters.of(filter.foldBy(63), 103);
    assertThat(old.kind()).isEqualTo(FilterKind.PARTS);
    assertThat(FoldedFilters.fromBytes(old.toBytes()).version()).hasValue(100);
    assertThat(FoldedFilters.fromBytes(old.toBytes())).isEqualTo(old);
    assertThat(old.explain()).contains("version            100\n");
    // two states are distinguished, and within one state the higher version wins
    assertThat(later.isNewerThan(old)).isTrue();
    assertThat(old.isNewerThan(later)).isFalse();
    assertThat(old.with(sameState).version()).hasValue(102);
    assertThat(sameState.with(old)).isEqualTo(old.with(sameState));
    assertThatThrownBy(() -> old.with(later)).hasMessageContainingAll("newer", "100", "103");
    assertThatThrownBy(() -> later.with(old)).hasMessageContainingAll("older", "103", "100");
    // without a version nothing is newer, and the bytes are unchanged
    FoldedFilters plain = FoldedFilters.of(filter.foldBy(80));
    assertThat(plain.kind()).isEqualTo(FilterKind.FOLDED);
    assertThat(plain.version()).isEmpty();
    assertThat(later.isNewerThan(plain)).isFalse();
    assertThat(plain.isNewerThan(later)).isFalse();
    assertThat(plain.with(later).version()).hasValue(103);
    assertThat(later).isNotEqualTo(FoldedFilters.of(filter.foldBy(63)));
    assertThatThrownBy(() -> FoldedFilters.of(filter, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("version");
  }
}
