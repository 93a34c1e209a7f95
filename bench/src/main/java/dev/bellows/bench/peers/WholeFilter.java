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
    throw new UnsupportedOperationException();
  }

  /** The intersection with a second filter. */
  public Object intersection() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The filter of half the size. */
  public Object fold() {
    throw new UnsupportedOperationException();
  }

  /** Its bytes in memory. */
  public Object write() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** The filter from bytes in memory. */
  public Object read() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** A copy. */
  public Object copy() {
    throw new UnsupportedOperationException();
  }
}
