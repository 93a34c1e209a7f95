package dev.bellows.bench.peers;

import java.io.IOException;

/**
 * A contender whose operations touch the whole store. Where a library merges in place, so does its
 * contender; where it makes a new filter, that is measured.
 */
public abstract class WholeFilter {
  /** The bits of its store. */
  public abstract long bits();

  /** The union with a second filter. */
  public Object union() throws IOException {
    throw absent("union");
  }

  /** The intersection with a second filter. */
  public Object intersection() throws IOException {
    throw absent("intersection");
  }

  /** The filter of half the size. */
  public Object fold() {
    throw absent("fold");
  }

  /** Its bytes in memory. */
  public Object write() throws IOException {
    throw absent("write");
  }

  /** The filter from bytes in memory. */
  public Object read() throws IOException {
    throw absent("read");
  }

  /** A copy. */
  public Object copy() {
    throw absent("copy");
  }

  /** Operations name their contenders by what these have: another one is a mistake in the list. */
  private UnsupportedOperationException absent(String operation) {
    return new UnsupportedOperationException(getClass().getSimpleName() + " has no " + operation);
  }
}
