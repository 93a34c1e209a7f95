package dev.bellows.vector;

import dev.bellows.internal.store.BlockKernel;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * A block as two vectors of four words: the fields are shifted lane by lane, so that one
 * instruction does what plain Java does four times.
 */
public final class VectorBlocks extends BlockKernel {
  private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_256;
  private static final int HALF = 4;
  private static final LongVector FIRST_SHIFTS =
      LongVector.fromArray(SPECIES, new long[] {58, 52, 46, 40}, 0);
  private static final LongVector SECOND_SHIFTS =
      LongVector.fromArray(SPECIES, new long[] {34, 28, 22, 16}, 0);

  /** For the service loader. */
  public VectorBlocks() {}

  @Override
  public boolean test(long[] words, int block, long fields) {
    LongVector all = LongVector.broadcast(SPECIES, fields);
    LongVector first =
        LongVector.fromArray(SPECIES, words, block)
            .lanewise(VectorOperators.LSHR, all.lanewise(VectorOperators.LSHR, FIRST_SHIFTS));
    LongVector second =
        LongVector.fromArray(SPECIES, words, block + HALF)
            .lanewise(VectorOperators.LSHR, all.lanewise(VectorOperators.LSHR, SECOND_SHIFTS));
    return first.and(second).and(1).compare(VectorOperators.EQ, 1).allTrue();
  }

  @Override
  public void load(long[] words, int block, long fields) {
    LongVector all = LongVector.broadcast(SPECIES, fields);
    LongVector one = LongVector.broadcast(SPECIES, 1);
    LongVector.fromArray(SPECIES, words, block)
        .or(one.lanewise(VectorOperators.LSHL, all.lanewise(VectorOperators.LSHR, FIRST_SHIFTS)))
        .intoArray(words, block);
    LongVector.fromArray(SPECIES, words, block + HALF)
        .or(one.lanewise(VectorOperators.LSHL, all.lanewise(VectorOperators.LSHR, SECOND_SHIFTS)))
        .intoArray(words, block + HALF);
  }

  /** Where registers are narrower, the same code would work in slow motion. */
  @Override
  public boolean isUsable() {
    return LongVector.SPECIES_PREFERRED.length() >= HALF;
  }

  @Override
  public String word() {
    return "vector";
  }
}
