package dev.bellows.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.plan.Oracles;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class FoldStepsTest {
  @TestFactory
  Stream<DynamicTest> foldedIndex() {
    return Oracles.cases(
        "000_folding",
        "folded_index",
        (c, all) ->
            assertThat(
                    Long.remainderUnsigned(
                        c.integer("h"), FoldSteps.foldedSize(c.integer("m1"), factors(c))))
                .isEqualTo(((Number) c.out()).longValue()));
  }

  @TestFactory
  Stream<DynamicTest> cellsRead() {
    return Oracles.cases(
        "000_folding",
        "fold_cost_cells_read",
        (c, all) ->
            assertThat(FoldSteps.cellsRead(c.integer("m"), factors(c)))
                .isEqualTo(((Number) c.out()).longValue()));
  }

  @SuppressWarnings("unchecked")
  private static long[] factors(Oracles.Case c) {
    return ((List<Number>) c.in().get("factors")).stream().mapToLong(Number::longValue).toArray();
  }

  @Test
  void largestFactorFirstIsCheapest() {
    assertThat(FoldSteps.cheapestOrder(2, 3, 5, 7)).containsExactly(7, 5, 3, 2);
    assertThat(FoldSteps.cellsRead(840, 7, 5, 3, 2)).isEqualTo(992);
    for (long[] order : permutations(new long[] {2, 2, 3, 10}, 0)) {
      assertThat(FoldSteps.cellsRead(840, order))
          .isGreaterThanOrEqualTo(FoldSteps.cellsRead(840, FoldSteps.cheapestOrder(order)))
          .isLessThan(2 * 840);
    }
  }

  @Test
  void elementaryFoldingsMultiplyToTheFactor() {
    assertThat(FoldSteps.elementary(360)).containsExactly(5, 3, 3, 2, 2, 2);
    assertThat(FoldSteps.elementary(1)).isEmpty();
  }

  @Test
  void aFactorThatDoesNotDivideIsRefusedWithTheOnesThatDo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FoldSteps.foldedSize(25024, 3))
        .withMessageContaining("25024")
        .withMessageContaining("by 3")
        .withMessageContaining("2, 4, 8, 16, 17");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FoldSteps.cellsRead(50, 5, 5, 2, 2))
        .withMessageContaining("none");
    assertThatIllegalArgumentException().isThrownBy(() -> FoldSteps.foldedSize(50, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> FoldSteps.foldedSize(0, 1));
  }

  private static List<long[]> permutations(long[] items, int from) {
    if (from == items.length) {
      return List.of(items.clone());
    }
    List<long[]> all = new java.util.ArrayList<>();
    for (int i = from; i < items.length; i++) {
      long[] swapped = items.clone();
      swapped[from] = items[i];
      swapped[i] = items[from];
      all.addAll(permutations(swapped, from + 1));
    }
    return all;
  }
}
