package dev.bellows.papers.folding;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.internal.math.FoldSteps;
import dev.bellows.papers.FilterOnes;
import dev.bellows.papers.Item;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Collectors;

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
    BloomFilter filter =
        BloomFilter.builder().bits(SIZE).hashes(HASHES).layout(Layout.Family.CLASSIC).build();
    for (long key = 0; key < KEYS; key++) {
      filter.put(key);
    }
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
    BloomFilter one =
        BloomFilter.builder().bits(SIZE).hashes(HASHES).layout(Layout.Family.CLASSIC).build();
    one.put(0);
    number("membership", "cells that a query for a member reads, k = 4")
        .stated(HASHES, 0)
        .counted(FilterOnes.of(one).cardinality());
  }

  private void single(BloomFilter filter) {
    CountedFold fold = counted(filter).by(210);
    require(filter.foldBy(210), fold);
    row("single folding", SIZE, "210", SIZE, fold.reads(), fold.writes());
    number("single-folding", "cells read by one fold of 840 by 210, O(m)")
        .stated(SIZE, 0)
        .formula(FoldSteps.cellsRead(SIZE, 210))
        .counted(fold.reads());
    number(
            "single-folding/written",
            "cells read by one fold by 210; Section IV-C counts those written")
        .stated(SIZE / 210, 0)
        .formula(FoldSteps.cellsRead(SIZE, 210))
        .counted(fold.reads())
        .erratum("F8");
  }

  private void sequence(BloomFilter filter, String name, long... factors) {
    CountedFold fold = counted(filter).by(factors);
    BloomFilter folded = filter;
    for (long factor : factors) {
      folded = folded.foldBy(factor);
    }
    require(folded, fold);
    String words = words(factors);
    long printed = (long) factors.length * SIZE;
    row("sequential folding", SIZE, words, printed, fold.reads(), fold.writes());
    number("sequential-folding/" + name, "cells read by folding 840 by " + words)
        .stated(printed, 0)
        .formula(FoldSteps.cellsRead(SIZE, factors))
        .counted(fold.reads())
        .erratum("F8");
    if (factors.length == 2) {
      number("sequential-folding/lemma", "cells read according to the text, m (1 + 1/7)")
          .stated(SIZE * (1 + 1.0 / factors[0]), 1e-9)
          .formula(FoldSteps.cellsRead(SIZE, factors))
          .counted(fold.reads());
    }
  }

  /** The paper of Figure 1. */
  private void paper() {
    CountedFold fold = new CountedFold(new BitSet(), 50).by(5, 2, 5);
    row("sequential folding", 50, "5 2 5", 150, fold.reads(), fold.writes());
    number("sequential-folding/figure-1", "cells read by folding 50 by 5 2 5")
        .stated(150, 0)
        .formula(FoldSteps.cellsRead(50, 5, 2, 5))
        .counted(fold.reads())
        .erratum("F8");
  }

  /** Back from 4 cells to 28, 140 and 420: each time one fold of the original. */
  private void unfold(BloomFilter filter) {
    for (int undone = 1; undone <= 3; undone++) {
      long factor = new long[] {30, 6, 2}[undone - 1];
      CountedFold fold = counted(filter).by(factor);
      require(filter.foldBy(factor), fold);
      long printed = (long) undone * SIZE;
      String kind = undone == 1 ? "single unfolding" : "sequential unfolding";
      row(kind, SIZE, Long.toString(factor), printed, fold.reads(), fold.writes());
      number("unfolding/" + undone, "cells read to undo %d of the folds 2 3 5 7".formatted(undone))
          .stated(printed, 0)
          .formula(FoldSteps.cellsRead(SIZE, factor))
          .counted(fold.reads())
          .erratum(undone == 1 ? null : "F8");
    }
  }

  private static CountedFold counted(BloomFilter filter) {
    return new CountedFold(FilterOnes.of(filter), SIZE);
  }

  private static void require(BloomFilter folded, CountedFold fold) {
    if (!FilterOnes.of(folded).equals(fold.cells())) {
      throw new IllegalStateException(
          "the library's fold to %d bits is not that of Eq. 3".formatted(folded.bits()));
    }
  }

  private static String words(long... factors) {
    return Arrays.stream(factors).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }
}
