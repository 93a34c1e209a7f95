package dev.bellows.papers.partition;

import static dev.bellows.papers.partition.RunningExample.DEPTH;
import static dev.bellows.papers.partition.RunningExample.IDS;
import static dev.bellows.papers.partition.RunningExample.edge;
import static dev.bellows.papers.partition.RunningExample.node;
import static dev.bellows.papers.partition.RunningExample.words;
import static dev.bellows.papers.partition.RunningExample.x;

import dev.bellows.BloomFilter;
import dev.bellows.papers.Item;
import dev.bellows.papers.draw.Svg;

/** Partition paper, Figure 5: the whole structure, with the tree above and the map below. */
final class WholeFilter extends Item {
  private static final double TOP = 80;
  private static final double LEAVES = 262;
  private static final double MAP = 400;

  WholeFilter() {
    super(
        "002/figure-5",
        "Figure 5: the whole filter of the running example, tree and map",
        """
        Queries descend the compressed tree and probe one unit; the map of populated units is kept
        for splits, unions and intersections, with pointers to the leaf above. Both are stored, so
        the example takes nine units, of at most 2s = 12 (D13): the tree saves no memory. The filter
        of a leaf is the OR of the units below it, since all share size and hash functions (D7);
        this was checked for the drawn bits.\
        """);
  }

  @Override
  protected void fill() {
    RunningExample example = new RunningExample();
    columns("structure, level, index, keys");
    int ors = 0;
    for (TreeShape.Node leaf : example.tree.leaves()) {
      row("tree", leaf.level(), leaf.index(), words(example.keys(leaf.level(), leaf.index())));
      ors += isOrOfUnits(example, leaf) ? 1 : 0;
    }
    for (int unit = 0; unit < example.plan.leaves(); unit++) {
      long[] keys = example.keys(DEPTH, unit);
      if (keys.length > 0) {
        row("map", DEPTH, unit, words(keys));
      }
    }
    long units = example.filter.populatedUnits();
    long stored = units + example.tree.populatedLeaves().size();
    number("stored", "units stored in map and tree")
        .formula(
            TreeShape.units(example.plan, IDS).size()
                + TreeShape.of(example.plan, IDS).populatedLeaves().size())
        .counted(stored);
    number("at-most-2s", "1 if at most 2s = 12 units are stored")
        .printed("1")
        .counted(stored <= 2 * units ? 1 : 0)
        .erratum("D13");
    number("or-of-units", "leaves whose filter is the OR of the units below, of 3")
        .printed("3")
        .counted(ors)
        .erratum("D7");
    picture("Compressed tree and map of units, with pointers", draw(example));
  }

  private static boolean isOrOfUnits(RunningExample example, TreeShape.Node leaf) {
    int below = 1 << (DEPTH - leaf.level());
    BloomFilter or = example.unit(DEPTH, leaf.index() * below);
    for (int i = 1; i < below; i++) {
      or = or.union(example.unit(DEPTH, leaf.index() * below + i), 1);
    }
    return or.equals(example.unit(leaf.level(), leaf.index()));
  }

  private static String draw(RunningExample example) {
    Svg svg = Svg.of(760, 470, "The whole partition filter of the running example");
    svg.text(
        24,
        34,
        "Queries use only the tree; the map is kept for splits and merges",
        "start",
        20,
        "");
    for (TreeShape.Node leaf : example.tree.leaves()) {
      double middle = x(leaf.level(), leaf.index());
      edge(svg, TOP, leaf.level(), leaf.index(), "line l0");
      svg.line(middle, TOP + 70 * leaf.level() + 21, middle, LEAVES - 2, "line l2");
      int below = 1 << (DEPTH - leaf.level());
      for (long unit = leaf.index() * below; unit < (leaf.index() + 1) * below; unit++) {
        if (example.keys(DEPTH, unit).length > 0) {
          double from = x(DEPTH, unit);
          svg.dashed(
              "M%s %s L%s %s"
                  .formatted(
                      Svg.n(from),
                      Svg.n(MAP - 4),
                      Svg.n(middle + (from - middle) / 4),
                      Svg.n(LEAVES + 48)),
              "thin l6");
        }
      }
    }
    for (TreeShape.Node inner : example.tree.innerNodes()) {
      if (inner.level() > 0) {
        edge(svg, TOP, inner.level(), inner.index(), "line l0");
      }
    }
    for (TreeShape.Node inner : example.tree.innerNodes()) {
      node(svg, TOP, inner.level(), inner.index(), "hollow l0");
    }
    for (TreeShape.Node leaf : example.tree.leaves()) {
      node(svg, TOP, leaf.level(), leaf.index(), "hollow l2");
      example.unit(svg, x(leaf.level(), leaf.index()), LEAVES, leaf.level(), leaf.index(), 2);
    }
    for (int unit = 0; unit < example.plan.leaves(); unit++) {
      if (example.keys(DEPTH, unit).length > 0) {
        example.unit(svg, x(DEPTH, unit), MAP, DEPTH, unit, 0);
      }
    }
    svg.text(24, LEAVES + 15, "tree", "soft");
    svg.text(24, MAP + 15, "map", "soft");
    return svg.toString();
  }
}
