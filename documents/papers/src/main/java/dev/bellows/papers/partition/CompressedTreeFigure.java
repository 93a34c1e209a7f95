package dev.bellows.papers.partition;

import static dev.bellows.papers.partition.RunningExample.DEPTH;
import static dev.bellows.papers.partition.RunningExample.IDS;
import static dev.bellows.papers.partition.RunningExample.edge;
import static dev.bellows.papers.partition.RunningExample.node;
import static dev.bellows.papers.partition.RunningExample.x;

import dev.bellows.papers.Item;
import dev.bellows.papers.draw.Svg;

/** Partition paper, Figure 4: the tree, compressed where one unit can hold everything below. */
final class CompressedTreeFigure extends Item {
  private static final double TOP = 80;

  CompressedTreeFigure() {
    super(
        "002/figure-4",
        "Figure 4: the running example's tree, compressed",
        """
        A node becomes a leaf if all keys below it fit into one unit and those of its parent do not.
        In the example this leaves three units: node 1,0 with four keys, 2,2 with three and 2,3 with
        two. The last two cannot merge, since together they have five keys. The counts are those of
        the real filter's tree. The gray parts are dropped by the compression.\
        """);
  }

  @Override
  protected void fill() {
    RunningExample example = new RunningExample();
    columns("level, index, kind, keys");
    for (TreeShape.Node node : example.tree.innerNodes()) {
      row(node.level(), node.index(), "inner", node.keys());
    }
    for (TreeShape.Node node : example.tree.leaves()) {
      row(node.level(), node.index(), "leaf", node.keys());
    }
    leaf(example, 1, 0, "4");
    leaf(example, 2, 2, "3");
    leaf(example, 2, 3, "2");
    number("inner-1-1", "keys below node 1,1, too many for one unit")
        .printed("5")
        .formula(example.keys(1, 1).length)
        .counted(keys(example.tree.innerNodes(), 1, 1));
    number("leaves", "leaves of the compressed tree")
        .printed("3")
        .formula(TreeShape.of(example.plan, IDS).leaves().size())
        .counted(example.tree.leaves().size());
    number("inner", "inner nodes of the compressed tree")
        .formula(TreeShape.of(example.plan, IDS).innerNodes().size())
        .counted(example.tree.innerNodes().size());
    picture("The compressed tree: three leaves remain", draw(example));
  }

  private void leaf(RunningExample example, int level, long index, String printed) {
    number("leaf-%d-%d".formatted(level, index), "keys of leaf %d,%d".formatted(level, index))
        .printed(printed)
        .formula(example.keys(level, index).length)
        .counted(keys(example.tree.leaves(), level, index));
  }

  private static long keys(Iterable<TreeShape.Node> nodes, int level, long index) {
    for (TreeShape.Node node : nodes) {
      if (node.level() == level && node.index() == index) {
        return node.keys();
      }
    }
    return -1;
  }

  private static String draw(RunningExample example) {
    Svg svg = Svg.of(760, 400, "The compressed tree of the running example");
    svg.text(24, 34, "Units merge while their keys fit into one unit of four", "start", 20, "");
    for (int level = DEPTH; level > 0; level--) {
      for (int index = 0; index < 1 << level; index++) {
        edge(svg, TOP, level, index, kept(example, level, index) ? "line l0" : "grid");
      }
    }
    for (int level = 0; level <= DEPTH; level++) {
      for (int index = 0; index < 1 << level; index++) {
        boolean leaf = keys(example.tree.leaves(), level, index) >= 0;
        boolean kept = kept(example, level, index);
        if (kept) {
          node(svg, TOP, level, index, leaf ? "hollow l2" : "hollow l0");
        } else {
          svg.circle(x(level, index), TOP + 70 * level, 12, "bg");
          svg.circle(x(level, index), TOP + 70 * level, 12, "grid");
        }
        int keys = example.keys(level, index).length;
        double right = x(level, index) + (kept ? 26 : 16);
        svg.text(right, TOP + 70 * level + 5, "" + keys, "start", 15, kept ? "" : "soft");
      }
    }
    int x = 24;
    svg.circle(x + 9, 340, 9, "hollow l0");
    svg.text(x + 26, 345, "inner node: more than four keys", "");
    svg.circle(x + 319, 340, 9, "hollow l2");
    svg.text(x + 336, 345, "leaf: one unit filter", "");
    svg.circle(x + 529, 340, 9, "grid");
    svg.text(x + 546, 345, "merged away", "");
    svg.text(24, 376, "Next to each node: the number of keys below it.", "soft");
    return svg.toString();
  }

  private static boolean kept(RunningExample example, int level, long index) {
    return keys(example.tree.leaves(), level, index) >= 0
        || keys(example.tree.innerNodes(), level, index) >= 0;
  }
}
