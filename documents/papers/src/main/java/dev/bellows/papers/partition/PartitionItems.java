package dev.bellows.papers.partition;

import dev.bellows.papers.Item;
import java.util.List;

/** The tables, figures and equations of the Partition paper. */
public final class PartitionItems {
  private PartitionItems() {}

  /** Returns the items, in the document's order. */
  public static List<Item> items() {
    return List.of(
        new GrowthRate(),
        new GrowthTime(),
        new PopulatedTree(),
        new CompressedTreeFigure(),
        new WholeFilter(),
        new PartitionEquations(),
        new Memory(),
        new Algebra(),
        new Theorem());
  }
}
