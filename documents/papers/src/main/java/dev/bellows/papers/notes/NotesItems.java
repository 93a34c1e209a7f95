package dev.bellows.papers.notes;

import dev.bellows.papers.Item;
import java.util.List;

/** The claims of the Standard notes. */
public final class NotesItems {
  private NotesItems() {}

  /** Returns the items, in the document's order. */
  public static List<Item> items() {
    return List.of(new ErrorRate(), new SizeForRate(), new BestHashes(), new HashTableBytes());
  }
}
