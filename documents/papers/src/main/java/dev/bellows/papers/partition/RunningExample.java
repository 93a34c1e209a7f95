package dev.bellows.papers.partition;

import dev.bellows.BloomFilter;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.papers.FilterOnes;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Svg;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionPlan;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.Collectors;

/**
 * The running example of the Partition paper, Figures 3 to 5, in a real filter: 32 ids, a tree of
 * depth 3, units of 4 keys, 5 bits and 2 hashes. Such units have a rate of 0.7 and only illustrate.
 */
final class RunningExample {
  static final long[] IDS = {4, 5, 8, 10, 17, 19, 22, 25, 31};
  static final int DEPTH = 3;
  static final double FPP = 0.7;
  static final int HASHES = 2;
  static final long UNIVERSE = 32;

  /** With this seed every id changes one of its unit's five bits, so that all are counted (D8). */
  private static final long SEED = 1;

  private static final double WIDTH = 760;
  private static final double CELL = 14;

  final DynamicPartitionBloomFilter filter =
      DynamicPartitionBloomFilter.builder()
          .universe(UNIVERSE)
          .depth(DEPTH)
          .fpp(FPP)
          .hashes(HASHES)
          .seed(SEED)
          .mode(Mode.PUBLISHED)
          .build();
  final PartitionPlan plan = filter.plan();
  final IdPartition partition = IdPartition.of(UNIVERSE, DEPTH);
  final TreeShape tree;

  RunningExample() {
    filter.putIds(IDS);
    tree = StoredTree.of(filter);
  }

  /** Returns the keys below a node. */
  long[] keys(int level, long index) {
    IdPartition.IdRange range = partition.nodeRange(level, index);
    return Arrays.stream(IDS).filter(id -> id >= range.from() && id < range.to()).toArray();
  }

  /** Returns the unit filter of a node. */
  BloomFilter unit(int level, long index) {
    return Simulation.filter(plan.unitBits(), HASHES, Arrays.stream(keys(level, index)), SEED);
  }

  /** Returns the ids for which the tree answers as the drawn units of its leaves do. */
  int idsAnsweredAsDrawn() {
    int same = 0;
    for (TreeShape.Node leaf : tree.leaves()) {
      BloomFilter unit = unit(leaf.level(), leaf.index());
      IdPartition.IdRange range = partition.nodeRange(leaf.level(), leaf.index());
      for (long id = range.from(); id < range.to(); id++) {
        same += filter.mightContainId(id) == unit.mightContain(id) ? 1 : 0;
      }
    }
    return same;
  }

  static double x(int level, long index) {
    return 24 + (index + 0.5) * (WIDTH - 48) / (1 << level);
  }

  /** A node as a circle with its name, its keys and whether it stands out. */
  static void node(Svg svg, double top, int level, long index, String classes) {
    double y = top + 70 * level;
    svg.circle(x(level, index), y, 21, "bg");
    svg.circle(x(level, index), y, 21, classes);
    svg.centred(x(level, index), y + 5, level + "," + index, "");
  }

  /** The line from a node to its parent. */
  static void edge(Svg svg, double top, int level, long index, String classes) {
    double y = top + 70 * level;
    svg.line(x(level - 1, index / 2), y - 49, x(level, index), y - 21, classes);
  }

  /** The cells of a unit filter, and the keys in it below. */
  void unit(Svg svg, double middle, double top, int level, long index, int colour) {
    BitSet ones = FilterOnes.of(unit(level, index));
    double left = middle - CELL * plan.unitBits() / 2;
    for (int cell = 0; cell < plan.unitBits(); cell++) {
      svg.rect(left + cell * CELL, top, CELL, 20, "paper");
      svg.rect(left + cell * CELL, top, CELL, 20, (ones.get(cell) ? "f" : "t") + colour);
    }
    svg.centred(middle, top + 38, words(keys(level, index)), "");
  }

  static String words(long[] keys) {
    return Arrays.stream(keys).mapToObj(Long::toString).collect(Collectors.joining(", "));
  }
}
