package dev.bellows.papers.folding;

import java.util.BitSet;

/**
 * A literal fold by the Folding paper, Eq. 3, that counts the cells it reads and writes. The
 * library folds whole words, with the same result.
 */
final class CountedFold {
  private BitSet cells;
  private int size;
  private long reads;
  private long writes;

  CountedFold(BitSet cells, int size) {
    this.cells = cells;
    this.size = size;
  }

  /** Folds by each factor in turn. */
  CountedFold by(long... factors) {
    for (long factor : factors) {
      int folded = Math.toIntExact(size / factor);
      BitSet next = new BitSet(folded);
      for (int i = 0; i < folded; i++) {
        boolean one = false;
        for (int stripe = 0; stripe < factor; stripe++) {
          one |= cells.get(i + stripe * folded);
          reads++;
        }
        next.set(i, one);
        writes++;
      }
      cells = next;
      size = folded;
    }
    return this;
  }

  BitSet cells() {
    return cells;
  }

  long reads() {
    return reads;
  }

  long writes() {
    return writes;
  }
}
