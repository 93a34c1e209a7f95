package dev.bellows.papers.range;

import dev.bellows.HashScheme;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import java.util.BitSet;

/** Two real filters, one of which contains the other by accident: a false positive. */
final class Figure22 extends Figure {
  private static final int BITS = 32;
  private static final int HASHES = 4;
  private static final int TRIALS = 100_000;

  Figure22() {
    super(
        "2-2",
        "two filters and a false positive",
        """
        B1 summarizes {a, b} and B2 summarizes {a, c, d, e}. Every bit that is set in B1 is also set
        in B2, so B1 looks like a subset, although b was never put into B2. The picture shows the
        first hash seed for which this happens with filters of 32 bits and four hash functions. Over
        a hundred thousand seeds it happens as often as the exact false positive rate predicts.\
        """);
  }

  private static RangeBloomFilter filter(long seed, String... keys) {
    RangeBloomFilter filter =
        RangeBloomFilter.create(RangeSchema.of(BITS, HASHES).withTexts("S"), HashScheme.xxh3(seed));
    for (String key : keys) {
      filter.put("S", key);
    }
    return filter;
  }

  @Override
  protected void fill() {
    long accidents = 0;
    long first = -1;
    for (long seed = 0; seed < TRIALS; seed++) {
      if (filter(seed, "a", "b").isSubsetOf(filter(seed, "a", "c", "d", "e"))) {
        first = first < 0 ? seed : first;
        accidents++;
      }
    }
    columns("filter, bit");
    Sketch sketch =
        Sketch.of(
            "B1 is contained in B2, but S1 is not in S2",
            236,
            "Blue: bits of the shared element a. Orange: bits of b, all of them set in B2 by c, d"
                + " and e (or a). Green: the other set bits of B2. B2 reports b although it was"
                + " never put.");
    BitSet ofA = Sketch.ones(filter(first, "a"));
    BitSet ofB = Sketch.ones(filter(first, "b"));
    String[][] sets = {{"a", "b"}, {"a", "c", "d", "e"}};
    for (int i = 0; i < sets.length; i++) {
      double y = 92 + i * 94;
      BitSet ones = Sketch.ones(filter(first, sets[i]));
      sketch
          .svg()
          .text(
              Sketch.LEFT,
              i == 0 ? y - 12 : y + 50,
              "B" + (i + 1) + ": S" + (i + 1) + " = {" + String.join(", ", sets[i]) + "}",
              "");
      sketch
          .strip(y, 30, BITS, b -> tint(b, ones, ofA, ofB))
          .numbers(y + 21, BITS, 15, b -> ones.get(b) ? "1" : "0");
      int number = i + 1;
      ones.stream().forEach(b -> row("B" + number, b));
    }
    for (int b = ofB.nextSetBit(0); b >= 0; b = ofB.nextSetBit(b + 1)) {
      double x = Sketch.middle(b, BITS);
      sketch.svg().arrow(x, 126, x, 182, "thin l1");
    }
    number("accident", "B1 looks like a subset of B2")
        .formula(BloomRates.fppExact(BITS, 4, HASHES))
        .measured(accidents, TRIALS);
    picture(
        "Two rows of bits; every bit set in the upper one is set in the lower one",
        sketch.toString());
  }

  private static String tint(int bit, BitSet ones, BitSet ofA, BitSet ofB) {
    if (!ones.get(bit)) {
      return "";
    }
    return ofB.get(bit) ? "t1" : ofA.get(bit) ? "t0" : "t2";
  }
}
