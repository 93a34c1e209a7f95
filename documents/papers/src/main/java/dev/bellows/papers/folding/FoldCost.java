package dev.bellows.papers.folding;

import dev.bellows.BloomFilter;
import dev.bellows.answers.FoldSteps;
import dev.bellows.papers.FilterOnes;
import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.papers.Simulation;
import java.util.BitSet;

/** Folding paper, Table II: the cost of folding and unfolding, in cells. */
final class FoldCost extends Item {
  private static final int SIZE = 840;
  private static final int HASHES = 4;
  private static final int KEYS = 40;

  FoldCost() {
    super(
        "000/table-2",
        "Table II: cost of folding and unfolding",
        """
        Table II of the Folding paper prints O(m) for a single fold and O(f m) for a sequence of f
        folds, under a header that is shifted by one column. Here a fold by Eq. 3 counts the cells
        that it reads on a filter of 840 bits, and its result is compared with that of the library,
        bit by bit. A sequence reads less than f m, because every step reads a smaller filter (F8):
        1428 cells with the smallest factor first, 992 with the largest first, and 840 in a single
        step. Unfolding is one fold of the original, so it costs m no matter how many folds it
        undoes.\
        """);
  }

  @Override
  protected void fill() {
    BloomFilter filter = Simulation.filter(SIZE, HASHES, KEYS, 0);
    columns("operation, size, factors, printed, read, written");
    single(filter);
    sequence(filter, "ascending", 2, 3, 5, 7);
    sequence(filter, "descending", FoldSteps.cheapestOrder(2, 3, 5, 7));
    sequence(filter, "two-steps", 7, 5);
    paper();
    unfold(filter);
    membership();
  }

  /**
   * A key's cells are the ones of a filter that contains only this key, unless two of them
   * coincide.
   */
  private void membership() {
    number("membership", "cells that a query for a member reads, k = 4")
        .stated(HASHES, 0)
        .counted(FilterOnes.of(Simulation.filter(SIZE, HASHES, 1, 0)).cardinality());
  }

  private void single(BloomFilter filter) {
    CountedFold fold = fold(filter, "single folding", SIZE, 210);
    cells("single-folding", "cells read by one fold of 840 by 210, O(m)", fold).stated(SIZE, 0);
    String written = "cells read by one fold by 210; Section IV-C counts those written";
    cells("single-folding/written", written, fold).stated(SIZE / 210, 0).erratum("F8");
  }

  private void sequence(BloomFilter filter, String name, long... factors) {
    long printed = (long) factors.length * SIZE;
    CountedFold fold = fold(filter, "sequential folding", printed, factors);
    cells("sequential-folding/" + name, "cells read by folding 840 by " + fold.words(), fold)
        .stated(printed, 0)
        .erratum("F8");
    if (factors.length == 2) {
      String what = "cells read according to the text, m (1 + 1/7)";
      cells("sequential-folding/lemma", what, fold).stated(SIZE * (1 + 1.0 / factors[0]), 1e-9);
    }
  }

  /** The paper of Figure 1. */
  private void paper() {
    CountedFold fold = new CountedFold(new BitSet(), 50, 5, 2, 5);
    row(fold.row("sequential folding", 150));
    cells("sequential-folding/figure-1", "cells read by folding 50 by 5 2 5", fold)
        .stated(150, 0)
        .erratum("F8");
  }

  /** Back from 4 cells to 28, 140 and 420: each time one fold of the original. */
  private void unfold(BloomFilter filter) {
    for (int undone = 1; undone <= 3; undone++) {
      long factor = new long[] {30, 6, 2}[undone - 1];
      long printed = (long) undone * SIZE;
      String kind = undone == 1 ? "single unfolding" : "sequential unfolding";
      CountedFold fold = fold(filter, kind, printed, factor);
      String what = "cells read to undo %d of the folds 2 3 5 7".formatted(undone);
      cells("unfolding/" + undone, what, fold)
          .stated(printed, 0)
          .erratum(undone == 1 ? null : "F8");
    }
  }

  /** Adds a row for folding by each factor in turn, and requires that the library does the same. */
  private CountedFold fold(BloomFilter filter, String operation, long printed, long... factors) {
    CountedFold fold = new CountedFold(FilterOnes.of(filter), SIZE, factors);
    BloomFilter folded = filter;
    for (long factor : factors) {
      folded = folded.foldBy(factor);
    }
    if (!FilterOnes.of(folded).equals(fold.cells())) {
      throw new IllegalStateException(
          "the library's fold to %d bits is not that of Eq. 3".formatted(folded.bits()));
    }
    row(fold.row(operation, printed));
    return fold;
  }

  private Result.Builder cells(String place, String what, CountedFold fold) {
    return number(place, what).formula(fold.expectedReads()).counted(fold.reads());
  }
}
