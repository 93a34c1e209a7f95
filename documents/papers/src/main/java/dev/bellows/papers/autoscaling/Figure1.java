package dev.bellows.papers.autoscaling;

import dev.bellows.papers.Item;
import dev.bellows.papers.draw.Svg;

/** The idea of the autoscaling filter: one counting filter read in three ways. */
public final class Figure1 extends Item {
  private static final double LEFT = 74;
  private static final double CELL = 24;
  private static final double RIGHT = LEFT + ToyFilter.BITS * CELL + 14;

  Figure1() {
    super(
        "004/figure-1",
        "Figure 1: the idea, a counting filter of 20 positions read in three ways",
        """
        Four keys with three positions each in twenty counters; y is not stored. The standard
        filter accepts y; theta = 1 with T = 2 rejects it and keeps all four keys; theta = 3 is too
        high, where the text says too low (A8). The positions of the Autoscaling paper are only in
        its picture, so this is a real filter of this library, with the first seed that shows what
        the text describes. A counter above 3 would belong to all four keys, and T = 1 would then
        accept them all. So what the text says about (d) requires that no counter exceeds 3 and
        that (d) is empty, although the text lets counters reach 4.\
        """);
  }

  @Override
  protected void fill() {
    ToyFilter filter = ToyFilter.asInTheFigure();
    count("b/y", "positions of y that hit, theta = 0", "3", filter.hits(5, 0));
    count("b/stored", "stored keys kept, theta = 0, T = 3", "4", filter.accepted(0, 3));
    count("c/y", "positions of y that hit, theta = 1", "1", filter.hits(5, 1));
    count("c/stored", "stored keys kept, theta = 1, T = 2", "4", filter.accepted(1, 2));
    number("d/stored", "stored keys kept, theta = 3, T = 1 (not all)")
        .counted(filter.accepted(3, 1))
        .erratum("A8");
    columns("row, values");
    String[] names = {"counters", "x1", "x2", "x3", "x4", "y"};
    for (int i = 0; i < names.length; i++) {
      row(names[i], java.util.Arrays.toString(filter.counters()[i]).replace(",", ""));
    }
    picture("Twenty counters with four keys, and the bits above theta 0, 1 and 3", draw(filter));
  }

  private void count(String place, String what, String printed, long counted) {
    number(place, what).printed(printed).counted(counted);
  }

  private static String draw(ToyFilter filter) {
    Svg svg = Svg.of(760, 532, "One counting filter, three readings");
    svg.text(20, 32, "One counting filter, three readings", "start", 20, "");
    svg.text(20, 56, "m = 20 counters, k = 3 positions per key, n = 4 keys", "soft");
    double at = 74;
    for (int key = 1; key <= ToyFilter.KEYS; key++) {
      label(svg, at, "x" + key, "");
      cells(svg, at, filter.counters()[key], "t0", false);
      at += 30;
    }
    svg.text(RIGHT, 74 + 60, "four keys", "");
    at += 16;
    label(svg, at, "(a)", "");
    cells(svg, at, filter.counters()[0], "", true);
    svg.text(RIGHT, at + 17, "their sum: counters", "");
    at += 42;
    label(svg, at, "y", "");
    cells(svg, at, filter.counters()[ToyFilter.ABSENT], "t1", false);
    svg.text(RIGHT, at + 17, "an absent key", "");
    at += 46;
    reading(svg, at, filter, "(b)", 0, 3);
    reading(svg, at + 84, filter, "(c)", 1, 2);
    reading(svg, at + 168, filter, "(d)", 3, 1);
    return svg.toString();
  }

  private static void reading(
      Svg svg, double at, ToyFilter filter, String name, int theta, int decision) {
    int[] ones = new int[ToyFilter.BITS];
    for (int i = 0; i < ones.length; i++) {
      ones[i] = filter.counters()[0][i] > theta ? 1 : 0;
    }
    boolean wrong = filter.hits(ToyFilter.ABSENT, theta) >= decision;
    long kept = filter.accepted(theta, decision);
    label(svg, at, name, "");
    cells(svg, at, ones, "t2", false);
    for (int i = 0; i < ones.length; i++) {
      if (filter.counters()[ToyFilter.ABSENT][i] > 0) {
        svg.rect(LEFT + i * CELL + 1, at + 1, CELL - 2, CELL - 2, "hollow l1");
      }
    }
    svg.text(RIGHT, at + 17, "theta = %d, T = %d".formatted(theta, decision), "");
    svg.text(
        LEFT,
        at + 45,
        "y hits %d of 3: %s. Stored keys accepted: %d of 4."
            .formatted(
                filter.hits(ToyFilter.ABSENT, theta),
                wrong ? "accepted, which is wrong" : "rejected",
                kept),
        wrong || kept < ToyFilter.KEYS ? "f1" : "f2");
  }

  private static void label(Svg svg, double at, String text, String classes) {
    svg.text(LEFT - 12, at + 17, text, "end", 15, classes);
  }

  private static void cells(Svg svg, double at, int[] values, String tint, boolean numbers) {
    for (int i = 0; i < values.length; i++) {
      double x = LEFT + i * CELL;
      svg.rect(x, at, CELL, CELL, "paper");
      if (values[i] > 0) {
        for (int layer = 0; layer < (numbers ? values[i] : 3); layer++) {
          svg.rect(x, at, CELL, CELL, numbers ? "t0" : tint);
        }
      }
      if (numbers) {
        svg.centred(x + CELL / 2, at + 17, Integer.toString(values[i]), "");
      }
    }
  }
}
