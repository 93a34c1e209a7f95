package dev.bellows.papers.folding;

import dev.bellows.answers.FoldSteps;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Collectors;

/**
 * A literal fold by the Folding paper, Eq. 3, that counts the cells it reads and writes. The
 * library folds whole words, with the same result.
 */
final class CountedFold {
  private final int size;
  private final long[] factors;
  private BitSet cells;
  private long reads;
  private long writes;

  /** Folds cells by each factor in turn. */
  CountedFold(BitSet cells, int size, long... factors) {
    this.cells = cells;
    this.size = size;
    this.factors = factors;
    int now = size;
    for (long factor : factors) {
      now = Math.toIntExact(now / factor);
      fold(now, factor);
    }
  }

  private void fold(int folded, long stripes) {
    BitSet next = new BitSet(folded);
    for (int i = 0; i < folded; i++) {
      boolean one = false;
      for (int stripe = 0; stripe < stripes; stripe++) {
        one |= cells.get(i + stripe * folded);
        reads++;
      }
      next.set(i, one);
      writes++;
    }
    cells = next;
  }

  BitSet cells() {
    return cells;
  }

  long reads() {
    return reads;
  }

  /** Returns the cells that are read by the library's formula. */
  long expectedReads() {
    return FoldSteps.cellsRead(size, factors);
  }

  /** Returns its cells of a row: size, factors, printed cost, cells read and cells written. */
  Object[] row(String operation, long printed) {
    return new Object[] {operation, size, words(), printed, reads, writes};
  }

  /** Returns the factors in words. */
  String words() {
    return Arrays.stream(factors).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }
}
