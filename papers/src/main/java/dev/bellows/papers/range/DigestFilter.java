package dev.bellows.papers.range;

import dev.bellows.internal.range.HashOffset;
import dev.bellows.range.RangePlan;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The thesis's filter of a range of numbers: Division-Overlapping over its own hash functions (003
 * Eq 3-6, read as errata R4).
 */
final class DigestFilter {
  private final DigestIndexes hashes;
  private final List<HashOffset> offsets;
  private final int divide;
  private final BitSet bits = new BitSet();

  private DigestFilter(DigestIndexes hashes, List<HashOffset> offsets, int divide) {
    this.hashes = hashes;
    this.offsets = offsets;
    this.divide = divide;
  }

  /** Filters of a plan's shape; instance 0 has the attribute's name, the others number it. */
  static RangeHolder holder(RangePlan plan, String attribute) {
    List<HashOffset> offsets = HashOffset.indices(plan.hashes(), plan.shift());
    int divide = Math.toIntExact(plan.divide());
    int numbers = Math.toIntExact(plan.domain()) / divide + plan.hashes() + 1;
    return new RangeHolder() {
      private long current;
      private DigestIndexes hashes = new DigestIndexes(attribute, plan.bits(), numbers);

      @Override
      public LongPredicate hold(long instance, long low, long high) {
        if (instance != current) {
          current = instance;
          String name = instance == 0 ? attribute : attribute + instance;
          hashes = new DigestIndexes(name, plan.bits(), numbers);
        }
        DigestFilter filter = new DigestFilter(hashes, offsets, divide);
        filter.putRange((int) low, (int) high);
        return number -> filter.mightContain((int) number);
      }
    };
  }

  private void putRange(int low, int high) {
    for (int division = low / divide; division <= high / divide; division++) {
      for (HashOffset offset : offsets) {
        bits.set(hashes.index(offset.hash(), division + offset.offset()));
      }
    }
  }

  private boolean mightContain(int number) {
    for (HashOffset offset : offsets) {
      if (!bits.get(hashes.index(offset.hash(), number / divide + offset.offset()))) {
        return false;
      }
    }
    return true;
  }
}
