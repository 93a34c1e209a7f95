package dev.bellows.papers.folding;

import dev.bellows.papers.Item;
import java.util.List;

/** The tables, figures and equations of the Folding paper. */
public final class FoldingItems {
  private FoldingItems() {}

  /** Returns the items, in the document's order. */
  public static List<Item> items() {
    return List.of(
        new FoldedPaper(),
        new FoldingEquations(),
        new FoldCost(),
        new LargelyComposite(),
        new SmoothCounts(),
        new SizesForBand(),
        new LadderFigure(),
        new JointFoldings(),
        new Policies(),
        new Oversize());
  }
}
