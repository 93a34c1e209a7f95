package dev.bellows.papers;

/** One table, figure or claim of a document, and how to compute it again. */
public interface Item {
  /** The document's number and the name of the item in it: {@code 003/table-4-1}. */
  String id();

  /**
   * A line for the table of contents: {@code Table 4-1: rate of one range by divide and hashes}.
   */
  String title();

  /** One paragraph: what the document shows, what was recomputed, what came of it. */
  String paragraph();

  /** Computes it; the same every time, but for {@link #timed} items. */
  Outcome compute();

  /** Whether it takes but seconds, so that every build recomputes it and compares. */
  default boolean fast() {
    return true;
  }

  /** Whether it measures time or heap, and so runs alone and differs from run to run. */
  default boolean timed() {
    return false;
  }

  /** The name of its files: the id with a hyphen for the slash. */
  default String stem() {
    return id().replace('/', '-');
  }
}
