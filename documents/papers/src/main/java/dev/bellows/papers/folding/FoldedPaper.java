package dev.bellows.papers.folding;

import dev.bellows.BloomFilter;
import dev.bellows.answers.FoldSteps;
import dev.bellows.internal.math.Divisors;
import dev.bellows.papers.FilterOnes;
import dev.bellows.papers.Item;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Svg;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/** Folding paper, Figure 1: a paper of 50 cells, folded by 5, by 2 and by 5. */
final class FoldedPaper extends Item {
  private static final int PAPER = 50;
  private static final long[] FACTORS = {5, 2, 5};
  private static final String[] PRINTED_SIZES = {"10", "5", "1"};
  private static final int KEYS = 6;
  private static final double CELL = 13.4;
  private static final double LEFT = 50;
  private static final double ROW = 104;

  FoldedPaper() {
    super(
        "000/figure-1",
        "Figure 1: a paper of 50 cells folded by 5, by 2 and by 5",
        """
        The Folding paper folds a strip of paper from 50 cm to 10, to 5 and to 1. The picture is a
        real filter with one hash function and five keys: a cell is set if any of the cells above
        it, in the same column of the stripes, was set. The colors show the stripes of the next
        fold. Every cell is at the original position modulo the new size (F3), and folding by 5, 2
        and 5 gives the same cells as a single fold by 50.\
        """);
  }

  @Override
  protected void fill() {
    BloomFilter paper = Simulation.filter(PAPER, 1, LongStream.rangeClosed(1, KEYS), 0);
    List<BloomFilter> stages = new ArrayList<>(List.of(paper));
    columns("stage, size, factor, set cells");
    for (long factor : FACTORS) {
      stages.add(stages.get(stages.size() - 1).foldBy(factor));
    }
    BitSet original = FilterOnes.of(paper);
    for (int stage = 0; stage < stages.size(); stage++) {
      BloomFilter now = stages.get(stage);
      BitSet cells = FilterOnes.of(now);
      row(
          stage,
          now.bits(),
          stage < FACTORS.length ? FACTORS[stage] : 1,
          cells.toString().replaceAll("[{},]", ""));
      if (stage > 0) {
        size(stage, now);
        ones(stage, now, original, cells);
      }
    }
    number("rank", "times that 5 divides 50, the rank of the factor 5")
        .printed("2")
        .formula(Divisors.factorize(PAPER).get(5L));
    number("at-once", "cells that differ after one fold by 50")
        .formula(0)
        .counted(different(paper.foldBy(PAPER), stages.get(FACTORS.length)));
    picture("A strip of 50 cells folded by 5, by 2 and by 5", draw(stages));
  }

  private void size(int stage, BloomFilter now) {
    long[] factors = Arrays.copyOf(FACTORS, stage);
    number("size-" + stage, "size after " + stage + " of the folds 5, 2, 5")
        .printed(PRINTED_SIZES[stage - 1])
        .formula(FoldSteps.foldedSize(PAPER, factors))
        .counted(now.bits());
  }

  /** The drawn cells are the original positions modulo the size. */
  private void ones(int stage, BloomFilter now, BitSet original, BitSet cells) {
    BitSet expected = new BitSet();
    original.stream().forEach(cell -> expected.set((int) (cell % now.bits())));
    number(
            "cells-" + stage,
            "set cells at size %d, all at the expected positions".formatted(now.bits()))
        .formula(expected.cardinality())
        .counted(expected.equals(cells) ? cells.cardinality() : -1);
  }

  private static int different(BloomFilter one, BloomFilter other) {
    BitSet cells = FilterOnes.of(one);
    cells.xor(FilterOnes.of(other));
    return cells.cardinality();
  }

  private static String draw(List<BloomFilter> stages) {
    Svg svg = Svg.of(760, 70 + ROW * stages.size() + 6, "A strip of 50 cells, folded");
    svg.text(LEFT, 34, "A filter of 50 bits folded by 5, by 2 and by 5", "start", 20, "");
    for (int stage = 0; stage < stages.size(); stage++) {
      BitSet cells = FilterOnes.of(stages.get(stage));
      int size = (int) stages.get(stage).bits();
      double top = 88 + ROW * stage;
      boolean last = stage == FACTORS.length;
      int stripe = last ? size : (int) (size / FACTORS[stage]);
      for (int cell = 0; cell < size; cell++) {
        double x = LEFT + cell * CELL;
        int colour = cell / stripe % 5;
        svg.rect(x, top, CELL, 34, "paper");
        svg.rect(x, top, CELL, 34, cells.get(cell) ? "f" + colour : "t" + colour);
      }
      svg.text(LEFT, top - 9, size == 1 ? "1 cell" : size + " cells", "start", 16, "soft");
      if (!last) {
        double end = LEFT + stripe * CELL;
        svg.path(
            String.format(
                Locale.ROOT,
                "M%s %s v16 m-5 -7 l5 7 l5 -7",
                Svg.n(LEFT + stripe * CELL / 2),
                Svg.n(top + 42)),
            "thin ink");
        svg.text(
            end + 14,
            top + 56,
            "fold by %d: %d stripes of %d, stacked"
                .formatted(FACTORS[stage], FACTORS[stage], stripe),
            "start",
            15,
            "");
      }
    }
    return svg.toString();
  }
}
