package dev.bellows.papers.range;

import dev.bellows.HashScheme;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.BitSet;

/** A range inside another, on the number line and as two real filters. */
final class Figure24 extends Figure {
  private static final int BITS = 128;
  private static final int HASHES = 2;
  private static final Domain AGES = Domain.of(1, 120);
  private static final int[][] RANGES = {{10, 60}, {20, 30}};

  Figure24() {
    super(
        "2-4",
        "a range query with Bloom filters",
        """
        A range is put number by number. The query for Age 10 to 60 matches every range inside it,
        because the bits of the inner range are among the bits of the outer one. The price is the
        number of keys: 10 to 60 are 51 concatenations of name and number (R9), and the filter of
        128 bits in the picture is already half full with two hash functions. A single age is a
        range of one number.\
        """);
  }

  private static RangeBloomFilter filter(int[] range) {
    RangeBloomFilter filter =
        RangeBloomFilter.create(
            RangeSchema.of(BITS, HASHES, Attribute.plain("Age", AGES, HASHES)), HashScheme.xxh3(0));
    filter.putRange("Age", range[0], range[1]);
    return filter;
  }

  @Override
  protected void fill() {
    columns("range, low, high, numbers, set bits");
    Sketch sketch =
        Sketch.of(
            "Range R2 lies in R1, so the bits of R2 lie in the bits of R1",
            300,
            "Above: the two ranges on the line of ages. Below: their filters, every number put as a"
                + " separate key. Every bit set for R2 (orange) is also set for R1 (blue).");
    double scale = (Sketch.WIDTH - 2 * Sketch.LEFT) / 120;
    sketch.svg().line(Sketch.LEFT, 150, Sketch.WIDTH - Sketch.LEFT, 150, "axis");
    for (int age = 0; age <= 120; age += 20) {
      double x = Sketch.LEFT + age * scale;
      sketch.svg().line(x, 150, x, 156, "axis");
      sketch.svg().centred(x, 174, Integer.toString(age), "soft");
    }
    for (int i = 0; i < RANGES.length; i++) {
      int low = RANGES[i][0];
      int high = RANGES[i][1];
      double x = Sketch.LEFT + low * scale;
      double end = Sketch.LEFT + high * scale;
      String name = "R" + (i + 1) + " = " + low + " to " + high;
      sketch.cell(x, 66 + i * 40, end - x, 28, "t" + i);
      sketch.svg().text(end + 12, 86 + i * 40, name, "");
      BitSet ones = Sketch.ones(filter(RANGES[i]));
      int colour = i;
      double y = 200 + i * 76;
      sketch
          .svg()
          .text(
              Sketch.LEFT,
              y + 12,
              "filter of R" + (i + 1) + ": " + ones.cardinality() + " of " + BITS + " bits set",
              "");
      sketch.strip(y + 22, 34, BITS, b -> ones.get(b) ? "f" + colour : "");
      row("R" + (i + 1), low, high, high - low + 1, ones.cardinality());
    }
    number("concatenations", "numbers from 10 to 60")
        .printed(61, 0)
        .formula(RANGES[0][1] - RANGES[0][0] + 1)
        .erratum("R9");
    number("match", "1 iff the filter of R2 is contained in the filter of R1")
        .formula(1)
        .counted(filter(RANGES[1]).isSubsetOf(filter(RANGES[0])) ? 1 : 0);
    picture("Two ranges on a line of ages and their two filters", sketch.toString());
  }
}
