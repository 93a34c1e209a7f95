package dev.bellows.papers.range;

import dev.bellows.papers.Item;
import java.util.List;

/** The figures of document 003. */
public final class RangeFigures {
  private RangeFigures() {}

  /** The items, in the document's order. */
  public static List<Item> items() {
    return List.of();
  }
}
