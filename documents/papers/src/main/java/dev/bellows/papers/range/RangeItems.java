package dev.bellows.papers.range;

import dev.bellows.papers.Item;
import java.util.List;

/**
 * The items of the Range thesis: its figures, its simulation, the numbers in its text, its tables.
 */
public final class RangeItems {
  private RangeItems() {}

  /** Returns the items, in the document's order. */
  public static List<Item> items() {
    return List.of(
        new Figure21(),
        new Figure22(),
        new Figure23(),
        new Figure24(),
        new Figure31(),
        new Figure32(),
        new Figure33(),
        new Figure34(),
        new Figure35(),
        new Surface.Figure36(),
        new Surface.Figure37(),
        new Figure38(),
        new Figure39(),
        new Figure310(),
        new Figure41(),
        new Figure42(),
        new Figure43(),
        new Figure44(),
        new Figure45(),
        new Figure46(),
        new Algorithm31(),
        new ThesisProse(),
        new Table41(),
        new Table42(),
        ProfileTable.with8Hashes(),
        ProfileTable.with15Hashes(),
        new OpenProblem());
  }
}
