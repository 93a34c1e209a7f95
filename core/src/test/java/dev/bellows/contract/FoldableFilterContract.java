package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;

import dev.bellows.BloomFilter;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.FoldableFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.Means;
import dev.bellows.Rates;
import dev.bellows.io.Filters;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every foldable filter promises: the fold law and the merge law. */
public abstract class FoldableFilterContract<F extends FoldableFilter<F>>
    extends KeyFilterContract<F> {
  /** An empty filter of the same kind and hashes, of any size. */
  protected abstract F create(long bits);

  /** An empty filter of the same shape as {@link #create()}, with an id. */
  protected abstract F identified(long id);

  protected final F filled(long from, long to) {
    return fill(create(), from, to);
  }

  protected static <F extends FoldableFilter<F>> F fill(F filter, long from, long to) {
    for (long i = from; i < to; i++) {
      filter.put(i);
    }
    return filter;
  }

  @Test
  void foldedIsBitForBitTheFilterBuiltAtThatSize() {
    F filter = filled(0, 2000);
    for (FoldSize size : filter.ladder()) {
      F built = fill(create(size.bits()), 0, 2000);
      F folded = filter.foldBy(size.factor());
      assertThat(folded).as("%s", size).isEqualTo(built);
      assertThat(folded.toBytes()).isEqualTo(built.toBytes());
      assertThat(filter.foldTo(size.bits())).isEqualTo(folded);
      assertThat(LongStream.range(0, 2000)).allMatch(folded::mightContain);
    }
    assertThat(filter).isEqualTo(filled(0, 2000));
  }

  @Test
  void orderDoesNotMatterAndCompositeEqualsSequential() {
    F filter = filled(0, 500);
    List<FoldSize> ladder = filter.ladder();
    int last = ladder.size() - 1;
    qt().withExamples(200)
        .forAll(integers().between(0, last), integers().between(0, last))
        .check(
            (i, j) -> {
              long f = ladder.get(i).factor();
              F once = filter.foldBy(f);
              List<FoldSize> rest = once.ladder();
              long g = rest.get(j % rest.size()).factor();
              F composite = filter.foldBy(f * g);
              return once.foldBy(g).equals(composite)
                  && filter.foldBy(g).foldBy(f).equals(composite);
            });
  }

  @Test
  void theLadderExpectsWhatFoldingGives() {
    F filter = filled(0, 3000);
    List<FoldSize> ladder = filter.ladder();
    assertThat(ladder).isSortedAccordingTo((a, b) -> Long.compare(a.bits(), b.bits()));
    assertThat(ladder.get(ladder.size() - 1).bits()).isEqualTo(filter.bits());
    double unfolded = filter.expectedFpp();
    assertThat(ladder.get(ladder.size() - 1).expectedFpp())
        .isCloseTo(unfolded, within(1e-12 * unfolded));
    Map<FoldSize, Means> surprises = new LinkedHashMap<>();
    for (int seed = 0; seed < 40; seed++) {
      F seeded = fill(create(HashScheme.xxh3(seed)), 0, 3000);
      List<FoldSize> sizes = seeded.ladder();
      for (int i = 0; i < sizes.size(); i++) {
        double real = seeded.foldBy(sizes.get(i).factor()).expectedFpp();
        surprises
            .computeIfAbsent(ladder.get(i), size -> new Means())
            .add(real - sizes.get(i).expectedFpp());
      }
    }
    // the rate at the mean fill is not quite the mean rate: off by O(1 / bits)
    surprises.forEach(
        (size, surprise) ->
            surprise.assertMean(
                0, size.expectedFpp() * filter.hashes() * filter.hashes() / (2.0 * size.bits())));
  }

  @Test
  void foldToFppIsTheSmallestFoldingWithinTheRate() {
    F filter = filled(0, 40);
    for (double fpp : new double[] {0.3, 0.1, 0.01}) {
      F folded = filter.foldToFpp(fpp);
      assertThat(folded.expectedFpp()).isLessThanOrEqualTo(fpp);
      for (FoldSize size : filter.ladder()) {
        if (size.bits() < folded.bits()) {
          assertThat(filter.foldBy(size.factor()).expectedFpp()).isGreaterThan(fpp);
        }
      }
    }
    assertThatThrownBy(() -> filled(0, 100_000).foldToFpp(1e-6))
        .hasMessageContaining("even the unfolded");
  }

  @Test
  void impossibleFoldsNameTheNearestPossibleOnes() {
    F filter = create();
    assertThatThrownBy(() -> filter.foldBy(1_000_003)).hasMessageContaining("nearest factors");
    assertThatThrownBy(() -> filter.foldBy(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> filter.foldBy(-2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> filter.foldTo(filter.bits() - 1))
        .hasMessageContaining("cannot fold " + filter.bits() + " bits to " + (filter.bits() - 1))
        .hasMessageContaining(" and " + filter.bits());
    assertThatThrownBy(() -> filter.foldTo(2 * filter.bits()))
        .hasMessageContaining("ladder are " + filter.bits());
  }

  @Test
  void aMergeThatWouldBeUselessIsRefusedWithAWayOut() {
    F a = filled(0, 2000);
    F b = create(a.bits() + cellBits(a));
    assertThat(a.union(b)).as("with an empty filter").isEqualTo(a);
    b.put(5000L);
    assertThatThrownBy(() -> a.union(b))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("build both with ");
    assertThat(a.union(b, 1).mightContain(1L)).isTrue();
  }

  protected static long cellBits(FoldableFilter<?> filter) {
    return filter.layout().cellBits();
  }

  @Test
  void incompatibleFiltersSayWhy() {
    F a = create();
    F seeded = create(HashScheme.xxh3(5));
    assertThat(a.isCompatible(create())).isTrue();
    assertThat(a.isCompatible(seeded)).isFalse();
    assertThat(a.incompatibility(seeded)).hasValueSatisfying(s -> assertThat(s).contains("seed 5"));
    assertThatThrownBy(() -> a.union(seeded)).hasMessageContaining("cannot be merged");
  }

  @Test
  void copiesAreIndependentAndClearForgets() {
    F filter = filled(0, 10);
    F copy = filter.copy();
    copy.put(99L);
    assertThat(filter).isEqualTo(filled(0, 10)).isNotEqualTo(copy);
    copy.clear();
    assertThat(copy).isEqualTo(create());
  }

  @Test
  void putReturnsWhetherABitChanged() {
    F filter = create();
    assertThat(filter.put("x")).isTrue();
    assertThat(filter.put("x")).isFalse();
    assertThat(filter.put("y")).isTrue();
  }

  @Test
  void aFullFilterStillHasAnEstimate() {
    F filter = create();
    F tiny = create(filter.ladder().get(0).bits());
    fill(tiny, 0, 20_000);
    assertThat(tiny.expectedFpp()).isEqualTo(1);
    assertThat(tiny.approximateElementCount()).isPositive().isLessThan(20_000);
    assertThat(tiny.stats().fill()).isEqualTo(1);
  }

  @Test
  void unionHoldsEveryKeyOfBothAtTheGreatestCommonDivisor() {
    F a = filled(0, 300);
    F b = fill(create(a.bits() / 2 * 3), 300, 500);
    F union = a.union(b);
    assertThat(union.bits()).isEqualTo(a.bits() / 2);
    assertThat(union).isEqualTo(fill(create(a.bits() / 2), 0, 500)).isEqualTo(b.union(a));
    assertThat(a).isEqualTo(filled(0, 300));
    Rates.assertRate(100_000, i -> union.mightContain(-1 - i), union.expectedFpp());
    assertThat(a.union(filled(300, 900))).isEqualTo(filled(0, 900));
  }

  /** A file of a filter, as another process would read it. */
  @SuppressWarnings("unchecked")
  private F read(byte[] file) throws IOException {
    return (F) Filters.fromBytes(file);
  }

  @Test
  void foldingsOfDifferentContentsAreNeverQueriedTogether() throws IOException {
    byte[] file = fill(identified(77), 0, 50).toBytes();
    F one = read(file);
    F other = read(file);
    one.put("x");
    other.put("y");
    FoldedFilters set = FoldedFilters.of(one.foldBy(2).toBloomFilter());
    BloomFilter later = other.foldBy(smallFactor(other)).toBloomFilter();
    assertThat(later.filterId()).isEqualTo(77);
    assertThatThrownBy(() -> set.with(later))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("different states")
        .hasMessageContaining("%016x here".formatted(one.state()))
        .hasMessageContaining("%016x there".formatted(other.state()));
    other.put("x");
    one.put("y");
    FoldedFilters both =
        FoldedFilters.of(one.foldBy(2).toBloomFilter())
            .with(other.foldBy(smallFactor(other)).toBloomFilter());
    assertThat(both.state()).isEqualTo(one.state());
    assertThat(both.mightContain("x")).isTrue();
    assertThat(both.mightContain("y")).isTrue();
  }

  /** A factor above 2. */
  private long smallFactor(F filter) {
    List<FoldSize> ladder = filter.ladder();
    return ladder.get(ladder.size() - 3).factor();
  }

  @Test
  void stateDependsOnContentOnly() throws IOException {
    F upwards = fill(identified(5), 0, 400);
    F downwards = identified(5);
    for (long i = 399; i >= 0; i--) {
      downwards.put(i);
    }
    assertThat(downwards.state()).isEqualTo(upwards.state()).isNotZero();
    assertThat(read(upwards.toBytes()).state()).isEqualTo(upwards.state());
    assertThat(read(upwards.toBytes()).filterId()).isEqualTo(5);
    assertThat(upwards.copy().state()).isEqualTo(upwards.state());
    assertThat(upwards.toBloomFilter().state()).isEqualTo(upwards.state());
    long before = upwards.state();
    assertThat(upwards.put(-1L)).isTrue();
    assertThat(upwards.state()).isNotEqualTo(before);
    F again = read(downwards.toBytes());
    again.put(-1L);
    assertThat(again.state()).isEqualTo(upwards.state());
    again.clear();
    assertThat(again.state()).isEqualTo(identified(5).state());
    assertThat(filled(0, 400).state()).isZero();
    assertThat(filled(0, 400).filterId()).isZero();
  }

  @Test
  void statesOfManyContentsAllDiffer() {
    F filter = identified(5);
    Set<Long> states = new HashSet<>();
    states.add(filter.state());
    int changes = 0;
    for (long i = 0; i < 1000; i++) {
      changes += filter.put(i) ? 1 : 0;
      states.add(filter.state());
    }
    assertThat(states).hasSizeGreaterThan(changes);
  }

  @Test
  void aFoldingOfAFoldingKeepsTheStateItCameFrom() throws IOException {
    F filter = fill(identified(9), 0, 500);
    F folded = filter.foldBy(2);
    long rest = folded.ladder().get(0).factor();
    for (F folding :
        List.of(folded, folded.foldBy(rest), read(folded.toBytes()), filter.foldBy(1))) {
      assertThat(folding.filterId()).isEqualTo(9);
      assertThat(folding.state()).isEqualTo(filter.state());
    }
    assertThat(read(folded.toBytes()).foldBy(rest).state()).isEqualTo(filter.state());
    filter.put(-1L);
    assertThat(folded.state()).isNotEqualTo(filter.state());
  }

  /** Empty, with one key (whose cell may lie in the part that folding keeps as it is), and many. */
  @Test
  void aChangedFoldingDropsIdAndStateAlsoWhenItWasReadFromAFile() throws IOException {
    for (int keys : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 500}) {
      F filter = fill(identified(9), 0, keys);
      for (F folding : List.of(filter.foldBy(2), read(filter.foldBy(2).toBytes()))) {
        assertThat(folding.state()).isEqualTo(filter.state());
        assertThat(folding.put(-1L)).isTrue();
        assertThat(folding.filterId()).as("%d keys", keys).isZero();
        assertThat(folding.state()).isZero();
        assertThatThrownBy(() -> FoldedFilters.of(folding.toBloomFilter()))
            .hasMessageContaining("build the filter with an id");
      }
      F cleared = filter.foldBy(2);
      cleared.clear();
      assertThat(cleared.filterId()).isZero();
      assertThat(filter.filterId()).isEqualTo(9);
    }
  }

  @Test
  void mergedFiltersHaveNoId() {
    F filter = fill(identified(9), 0, 100);
    F union = filter.union(fill(identified(9), 100, 200));
    assertThat(union.filterId()).isZero();
    assertThat(union.state()).isZero();
  }
}
