package dev.bellows.papers.range;

import dev.bellows.papers.Item;
import java.util.List;

/** The tables of document 003, its simulation and the numbers in its text. */
public final class RangeTables {
  private RangeTables() {}

  /** The items, in the document's order. */
  public static List<Item> items() {
    return List.of(
        new Algorithm31(),
        new Prose(),
        new Table41(),
        new Table42(),
        ProfileTable.with8Hashes(),
        ProfileTable.with15Hashes());
  }
}
