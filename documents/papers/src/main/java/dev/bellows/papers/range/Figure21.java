package dev.bellows.papers.range;

import dev.bellows.HashScheme;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import java.util.BitSet;

/** Three keys in a real filter of 32 bits, four positions each. */
final class Figure21 extends Figure {
  private static final int BITS = 32;
  private static final int HASHES = 4;
  private static final int KEYS = 3;

  Figure21() {
    super(
        "2-1",
        "the Bloom filter data structure",
        """
        A set becomes a row of bits: each element sets the four bits that its four hash functions
        select. The picture is a real filter of 32 bits with three keys. The Range thesis assumes
        that the indices of an element never coincide; nothing ensures that, and a coincidence only
        means one bit fewer. The 4n insertion bits of the text include coincidences.\
        """);
  }

  @Override
  protected void fill() {
    RangeSchema schema = RangeSchema.of(BITS, HASHES).withTexts("S");
    HashScheme scheme = HashScheme.xxh3(0);
    RangeBloomFilter all = RangeBloomFilter.create(schema, scheme);
    columns("key, bit");
    Sketch sketch =
        Sketch.of(
            "Three elements, four hash functions, 32 bits",
            236,
            "Every element sets four bits. A bit that two elements share is set once, so the filter"
                + " has fewer set bits than the 12 insertion bits.");
    BitSet[] own = new BitSet[KEYS];
    for (int key = 0; key < KEYS; key++) {
      RangeBloomFilter one = RangeBloomFilter.create(schema, scheme);
      one.put("S", "s" + (key + 1));
      all.put("S", "s" + (key + 1));
      own[key] = Sketch.ones(one);
      double x = Sketch.middle(5 + 11 * key, BITS);
      for (int bit = own[key].nextSetBit(0); bit >= 0; bit = own[key].nextSetBit(bit + 1)) {
        sketch.svg().arrow(x, 92, Sketch.middle(bit, BITS), 196, "thin l" + key);
        row("s" + (key + 1), bit);
      }
      sketch.cell(x - 34, 60, 68, 32, "t" + key);
      sketch.svg().text(x, 82, "s" + (key + 1), "middle", 18, "");
    }
    BitSet ones = Sketch.ones(all);
    sketch
        .strip(200, 30, BITS, i -> ones.get(i) ? "t0" : "")
        .numbers(221, BITS, 15, i -> ones.get(i) ? "1" : "0");
    sketch.svg().text(Sketch.LEFT, 256, "bit 0", "soft");
    sketch.svg().text(Sketch.WIDTH - Sketch.LEFT, 256, "bit 31", "end", 15, "soft");
    number("one-bits", "bits that are set in this filter").counted(ones.cardinality());
    picture("Three elements point to four bits each in a row of 32 bits", sketch.toString());
  }
}
