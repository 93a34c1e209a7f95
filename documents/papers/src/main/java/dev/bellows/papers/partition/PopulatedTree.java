package dev.bellows.papers.partition;

import static dev.bellows.papers.partition.RunningExample.DEPTH;
import static dev.bellows.papers.partition.RunningExample.IDS;
import static dev.bellows.papers.partition.RunningExample.UNIVERSE;
import static dev.bellows.papers.partition.RunningExample.edge;
import static dev.bellows.papers.partition.RunningExample.node;
import static dev.bellows.papers.partition.RunningExample.words;
import static dev.bellows.papers.partition.RunningExample.x;

import dev.bellows.papers.Item;
import dev.bellows.papers.draw.Svg;
import java.util.LinkedHashMap;
import java.util.Map;

/** Partition paper, Figure 3: the tree being populated, and the map of units that is stored. */
final class PopulatedTree extends Item {
  private static final double TOP = 80;
  private static final long ID = 10;

  PopulatedTree() {
    super(
        "002/figure-3",
        "Figure 3: the partition tree of the running example, populated",
        """
        Of 32 ids, the set {4, 5, 8, 10, 17, 19, 22, 25, 31} goes into eight units of five bits with
        two hashes. The path of id 10 leads to node 3,2, as printed. Six units hold a key and are
        stored in the map; by Eq. 2 there could be as few as three. The drawn bits are those of this
        library's hash functions, and the real filter answers all 32 ids exactly as the drawn units
        do. Five bits for four keys mean a rate near 0.7: this is an illustration (D1).\
        """);
  }

  @Override
  protected void fill() {
    RunningExample example = new RunningExample();
    columns("unit, from, to, keys");
    Map<Integer, String> printed = new LinkedHashMap<>();
    printed.put(1, "4, 5");
    printed.put(2, "8, 10");
    printed.put(4, "17, 19");
    printed.put(5, "22");
    printed.put(6, "25");
    printed.put(7, "31");
    int inPlace = 0;
    for (int unit = 0; unit < example.plan.leaves(); unit++) {
      String keys = words(example.keys(DEPTH, unit));
      row(
          unit,
          example.partition.leafRange(unit).from(),
          example.partition.leafRange(unit).to(),
          keys);
      inPlace += keys.equals(printed.getOrDefault(unit, "")) ? 1 : 0;
    }
    add("units", "units at the leaves, 2^3", 8, example.plan.leaves());
    add("unit-keys", "keys that a unit takes, n_t", 4, example.plan.unitKeys());
    add("unit-bits", "bits of a unit at rate 0.7, by Eq. 1", 5, example.plan.unitBits());
    add("leaf-of-10", "leaf of id 10", 2, example.partition.leafIndex(ID));
    add("from", "first id of node 3,2", 8, example.partition.leafRange(2).from());
    add("to", "first id after node 3,2", 12, example.partition.leafRange(2).to());
    add("in-place", "units with the keys they should have, of 8", 8, inPlace);
    number("populated", "units that hold a key, s")
        .printed("6")
        .formula(TreeShape.units(example.plan, IDS).size())
        .counted(example.filter.populatedUnits());
    number("fewest", "minimum of s, Eq. 2").formula(example.plan.fewestUnits(IDS.length));
    number("as-drawn", "ids of 32 that the filter answers as the drawn units do")
        .formula(UNIVERSE)
        .counted(example.idsAnsweredAsDrawn());
    picture("The populated partition tree and its map of units", draw(example));
  }

  private void add(String place, String what, double printed, double formula) {
    number(place, what).printed(printed, 0).formula(formula);
  }

  private static String draw(RunningExample example) {
    Svg svg = Svg.of(760, 470, "The partition tree of depth 3 over 32 ids");
    svg.text(24, 34, "32 ids in a tree of depth 3: the path of id 10", "start", 20, "");
    long leaf = example.partition.leafIndex(ID);
    for (int level = DEPTH; level > 0; level--) {
      for (int index = 0; index < 1 << level; index++) {
        boolean onPath = leaf >> (DEPTH - level) == index;
        edge(svg, TOP, level, index, onPath ? "line l1" : "axis");
      }
    }
    for (int level = 0; level <= DEPTH; level++) {
      for (int index = 0; index < 1 << level; index++) {
        boolean onPath = leaf >> (DEPTH - level) == index;
        node(svg, TOP, level, index, onPath ? "hollow l1" : "paper");
      }
    }
    for (int unit = 0; unit < example.plan.leaves(); unit++) {
      double middle = x(DEPTH, unit);
      example.unit(svg, middle, TOP + 250, DEPTH, unit, unit == leaf ? 1 : 0);
      svg.centred(
          middle,
          TOP + 310,
          example.partition.leafRange(unit).from()
              + "–"
              + (example.partition.leafRange(unit).to() - 1),
          "soft");
    }
    svg.text(
        24,
        TOP + 348,
        "The map stores the six units that hold a key. Below each unit: its keys",
        "");
    svg.text(24, TOP + 370, "and, in a lighter color, all its ids.", "");
    return svg.toString();
  }
}
