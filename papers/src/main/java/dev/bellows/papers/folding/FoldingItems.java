package dev.bellows.papers.folding;

import dev.bellows.papers.Item;
import java.util.List;

/** The tables and figures of document 000. */
public final class FoldingItems {
  private FoldingItems() {}

  /** The items, in the document's order. */
  public static List<Item> items() {
    return List.of();
  }
}
